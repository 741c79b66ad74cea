import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, Group, SimpleGrid, Stack, Table, Text, type TextProps } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBuildingBank,
  IconCash,
  IconCreditCardOff,
  IconGavel,
  IconHourglassLow,
  IconListSearch,
  IconLock,
  IconPlugX,
  IconQuestionMark,
  IconScale,
  IconShieldExclamation,
  IconUserQuestion,
} from '@tabler/icons-react';
import type { DeskCaseView } from '#core/contracts/http/operations';
import type { CaseReason } from '#core/operations/desk-case';
import { referenceOf } from '#core/transfers/reference';
import { ageText, formatLaPazMoment, zoneName } from '../../../lib/format/dates.ts';
import { Money } from '../../../ui/figures.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import classes from '../admin.module.css';
import { SenderBadge } from '../transfers/transfer-cells.tsx';
import { amountAtStake, reasonMessages, resolutionText, stakeWord } from './case-messages.ts';
import { costOfWaiting } from './waiting-cost.ts';

interface CaseListProps {
  cases: readonly DeskCaseView[];
  now: number;
  open: (id: string) => void;
}

/** The desktop's list of cases. */
export function CaseTable({ cases, now, open }: CaseListProps) {
  const zone = zoneName();
  return (
    <Card padding={0}>
      <Table layout="fixed" highlightOnHover verticalSpacing={10} horizontalSpacing={12} fz="sm">
        <Table.Thead className={classes.head}>
          <Table.Tr>
            <Table.Th>
              <Trans>Qué pasó</Trans>
            </Table.Th>
            <Table.Th w={196}>
              <Trans>Espera ({zone})</Trans>
            </Table.Th>
            <Table.Th w={236}>
              <Trans>Envío</Trans>
            </Table.Th>
            <Table.Th w={150}>
              <Trans>Lo tiene</Trans>
            </Table.Th>
            <Table.Th w={92}>
              <span className="cq-hidden">
                <Trans>Acciones</Trans>
              </span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody style={{ verticalAlign: 'top' }}>
          {cases.map((one) => (
            <Table.Tr key={one.id} {...caseAttributes(one)}>
              <Table.Td>
                <Stack gap={6} align="flex-start">
                  <ReasonBadge reason={one.reason} />
                  <Why one={one} />
                </Stack>
              </Table.Td>
              <Table.Td>
                <Waiting one={one} now={now} />
              </Table.Td>
              <Table.Td>
                <Text fz="sm" fw={500} truncate>
                  {one.transaction.user}
                </Text>
                <Text fz="sm" truncate>
                  {forText(one)}
                </Text>
                <Text fz="xs" c="dimmed" className="cq-num">
                  <Money amount={one.transaction.amount} currency={one.transaction.currency} /> →{' '}
                  <Money amount={one.transaction.amount_bs} currency="BOB" />
                </Text>
                <Text fz="xs" c="dimmed" className="cq-num">
                  {referenceOf(one.transaction.id)}
                </Text>
                <SenderBadge transfer={one.transaction} />
              </Table.Td>
              <Table.Td>
                <Keeper one={one} />
              </Table.Td>
              <Table.Td ta="right">
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => open(one.id)}
                  aria-label={openLabel(one)}
                  data-testid="desk-open"
                >
                  <Trans>Abrir</Trans>
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

const openLabel = ({ transaction: { user } }: DeskCaseView) => t`Abrir el caso del envío de ${user}`;

function forText({ transaction: { recipient } }: DeskCaseView): string {
  return recipient ? t`para ${recipient}` : t`para nadie todavía`;
}

/** By what tests and styles find a row. */
const caseAttributes = ({ id, reason }: DeskCaseView) => ({
  'data-testid': 'desk-case',
  'data-case-id': id,
  'data-reason': reason,
});

/** The phone's list of cases. */
export function CaseCards({ cases, now, open }: CaseListProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {cases.map((one) => {
        const { user, recipient, amount, currency, amount_bs, id } = one.transaction;
        return (
          <Card key={one.id} padding="md" {...caseAttributes(one)}>
            <Stack gap="sm" justify="space-between" h="100%">
              <Stack gap="sm" align="flex-start">
                <ReasonBadge reason={one.reason} />
                <Why one={one} />
                <Group gap="lg" align="flex-start">
                  <Waiting one={one} now={now} />
                  <Keeper one={one} />
                </Group>
                <div>
                  <Text>
                    {recipient ? (
                      <Trans>
                        De <b>{user}</b> para <b>{recipient}</b>
                      </Trans>
                    ) : (
                      <Trans>
                        De <b>{user}</b> para <b>nadie todavía</b>
                      </Trans>
                    )}
                  </Text>
                  <Text fz="sm" c="dimmed" className="cq-num">
                    <Money amount={amount} currency={currency} /> → <Money amount={amount_bs} currency="BOB" />
                  </Text>
                  <Text fz="sm" c="dimmed" className="cq-num">
                    {referenceOf(id)}
                  </Text>
                  <SenderBadge transfer={one.transaction} />
                </div>
              </Stack>
              <Button
                variant="default"
                fullWidth
                onClick={() => open(one.id)}
                aria-label={openLabel(one)}
                data-testid="desk-open"
              >
                <Trans>Abrir</Trans>
              </Button>
            </Stack>
          </Card>
        );
      })}
    </SimpleGrid>
  );
}

const icons: Readonly<Record<CaseReason, typeof IconAlertTriangle>> = {
  operation_slow: IconHourglassLow,
  operation_abandoned: IconPlugX,
  operation_refused: IconAlertTriangle,
  names_not_cleared: IconListSearch,
  payout_not_allowed: IconListSearch,
  payout_unexplained: IconQuestionMark,
  payout_rejected: IconBuildingBank,
  payout_returned: IconBuildingBank,
  payout_returned_in_part: IconBuildingBank,
  refund_failed: IconCreditCardOff,
  refund_outside: IconArrowBackUp,
  captured_in_part: IconCreditCardOff,
  sender_blocked: IconLock,
  recipient_changed: IconUserQuestion,
  settlement_by_hand: IconCash,
  fraud_warning: IconShieldExclamation,
  dispute_inquiry: IconQuestionMark,
  dispute_opened: IconGavel,
  dispute_lost: IconGavel,
  correction_failed: IconBuildingBank,
  books_differ: IconScale,
  contradiction: IconQuestionMark,
};

/** Why the case is here, as a badge that is readable without its colour. */
export function ReasonBadge({ reason }: { reason: CaseReason }) {
  const { title, tone } = reasonMessages[reason];
  return (
    <ToneBadge tone={tone} Icon={icons[reason]}>
      {i18n._(title)}
    </ToneBadge>
  );
}

/** What happened, and what it costs to wait. */
function Why({ one }: { one: DeskCaseView }) {
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
  const cost = costOfWaiting(one);
  return (
    <Text fw={500} {...props} data-testid="desk-cost">
      <Trans>Si se espera: {cost}</Trans>
    </Text>
  );
}

/** How much money has waited for how long; of a resolved case how it ended. */
function Waiting({ one, now }: { one: DeskCaseView; now: number }) {
  if (one.resolved_at)
    return (
      <Stack gap={2}>
        <Text fz="sm">{resolutionText(one)}</Text>
        <Text fz="xs" c="dimmed" className="cq-num">
          {formatLaPazMoment(one.resolved_at)}
        </Text>
      </Stack>
    );
  const age = ageText(one.opened_at, now);
  return (
    <Stack gap={2}>
      <Text fz="sm" className="cq-num">
        <b>{amountAtStake(one)}</b> {stakeWord(one.reason)}
      </Text>
      <Text fz="sm" fw={500}>
        <Trans>desde {age}</Trans>
      </Text>
      <Text fz="xs" c="dimmed" className="cq-num">
        {formatLaPazMoment(one.opened_at)}
      </Text>
    </Stack>
  );
}

/** Who has the case, and whether it waits for a second person. */
function Keeper({ one }: { one: DeskCaseView }) {
  return (
    <Stack gap={4} align="flex-start">
      <Text fz="sm" c={one.assigned_to ? undefined : 'dimmed'}>
        {one.assigned_to ?? t`Nadie lo tiene`}
      </Text>
      {one.request && !one.resolved_at && (
        <Group gap={4} wrap="nowrap" c="var(--cq-wait)">
          <IconHourglassLow size={16} aria-hidden style={{ flex: 'none' }} />
          <Text fz="sm" fw={600} c="inherit">
            <Trans>Espera a una segunda persona</Trans>
          </Text>
        </Group>
      )}
    </Stack>
  );
}
