import { Group, Stack, Text, type TextProps } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBuildingBank,
  IconCreditCardOff,
  IconGavel,
  IconHourglassLow,
  IconPlugX,
  IconQuestionMark,
  IconShieldExclamation,
} from '@tabler/icons-react';
import type { DeskCaseView } from '#core/contracts/http/operations';
import type { CaseReason } from '#core/operations/desk-case';
import { ageText } from '../../../lib/dates.ts';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { laPazShort } from '../la-paz-time.ts';
import { amountAtStake, reasonMessages, resolutionText, stakeWord } from './case-messages.ts';
import { costOfWaiting } from './waiting-cost.ts';

const icons: Readonly<Record<CaseReason, typeof IconAlertTriangle>> = {
  operation_slow: IconHourglassLow,
  operation_abandoned: IconPlugX,
  operation_refused: IconAlertTriangle,
  payout_rejected: IconBuildingBank,
  payout_returned: IconBuildingBank,
  payout_returned_in_part: IconBuildingBank,
  refund_failed: IconCreditCardOff,
  refund_outside: IconArrowBackUp,
  fraud_warning: IconShieldExclamation,
  dispute_inquiry: IconQuestionMark,
  dispute_opened: IconGavel,
  dispute_lost: IconGavel,
  contradiction: IconQuestionMark,
};

/** Why the case is here, as a badge that is readable without its colour. */
export function ReasonBadge({ reason }: { reason: CaseReason }) {
  const { title, tone } = reasonMessages[reason];
  return (
    <ToneBadge tone={tone} Icon={icons[reason]}>
      {title}
    </ToneBadge>
  );
}

/** What happened, and what it costs to wait. */
export function Why({ one }: { one: DeskCaseView }) {
  return (
    <Stack gap={2}>
      <Text fz="sm">{reasonMessages[one.reason].what(one)}</Text>
      <CostOfWaiting one={one} fz="sm" />
    </Stack>
  );
}

/** What it costs to leave an open case where it is. */
export function CostOfWaiting({ one, ...props }: { one: DeskCaseView } & Pick<TextProps, 'fz'>) {
  if (one.resolved_at) return null;
  return (
    <Text fw={500} {...props} data-testid="desk-cost">
      Si se espera: {costOfWaiting(one)}
    </Text>
  );
}

/** How much money has waited for how long; of a resolved case how it ended. */
export function Waiting({ one, now }: { one: DeskCaseView; now: number }) {
  if (one.resolved_at)
    return (
      <Stack gap={2}>
        <Text fz="sm">{resolutionText(one)}</Text>
        <Text fz="xs" c="dimmed" className="cq-num">
          {laPazShort(one.resolved_at)}
        </Text>
      </Stack>
    );
  return (
    <Stack gap={2}>
      <Text fz="sm" className="cq-num">
        <b>{amountAtStake(one)}</b> {stakeWord(one.reason)}
      </Text>
      <Text fz="sm" fw={500}>
        desde {ageText(one.opened_at, now)}
      </Text>
      <Text fz="xs" c="dimmed" className="cq-num">
        {laPazShort(one.opened_at)}
      </Text>
    </Stack>
  );
}

/** Who has the case, and whether it waits for a second person. */
export function Keeper({ one }: { one: DeskCaseView }) {
  return (
    <Stack gap={4} align="flex-start">
      <Text fz="sm" c={one.assigned_to ? undefined : 'dimmed'}>
        {one.assigned_to ?? 'Nadie lo tiene'}
      </Text>
      {one.request && !one.resolved_at && (
        <Group gap={4} wrap="nowrap" c="var(--cq-wait)">
          <IconHourglassLow size={16} aria-hidden style={{ flex: 'none' }} />
          <Text fz="sm" fw={600} c="inherit">
            Espera a una segunda persona
          </Text>
        </Group>
      )}
    </Stack>
  );
}
