import { Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconHourglassLow, IconSparkles } from '@tabler/icons-react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { laPazTime } from '../la-paz-time.ts';
import { useIsUnseen } from './arrivals.ts';
import { type HoldLevel, holdDeadline } from './hold-deadline.ts';
import { adminStatusLabels, stateNotes } from './transfer-labels.ts';

/** Status label, the finer state behind it, and a warning when the card hold ends soon. */
export function TransferStatusCell({ transfer, now }: { transfer: AdminTransferView; now: number }) {
  const note = stateNotes[transfer.state];
  const unseen = useIsUnseen(transfer.id);
  return (
    <Stack gap={4} align="flex-start">
      <Group gap={6}>
        <StatusBadge status={transfer.status} label={adminStatusLabels[transfer.status]} />
        {unseen && <NewBadge />}
      </Group>
      {note && (
        <Text fz="sm" c="dimmed">
          {note}
        </Text>
      )}
      <HoldBadge transfer={transfer} now={now} />
    </Stack>
  );
}

function NewBadge() {
  return (
    <ToneBadge tone="good" Icon={IconSparkles}>
      Nueva
    </ToneBadge>
  );
}

const pressing: Partial<Record<HoldLevel, { tone: 'wait' | 'bad'; Icon: typeof IconHourglassLow }>> = {
  soon: { tone: 'wait', Icon: IconHourglassLow },
  urgent: { tone: 'bad', Icon: IconAlertTriangle },
  over: { tone: 'bad', Icon: IconAlertTriangle },
};

function HoldBadge({ transfer, now }: { transfer: AdminTransferView; now: number }) {
  const hold = holdDeadline(transfer, now);
  const look = hold && pressing[hold.level];
  if (!look) return null;
  return (
    <Tooltip label={`La retención vence el ${laPazTime(hold.endsAt)}`}>
      <Group gap={4} wrap="nowrap" c={`var(--cq-${look.tone})`} data-hold={hold.level}>
        <look.Icon size={16} aria-hidden style={{ flex: 'none' }} />
        <Text fz="sm" fw={600} c="inherit">
          {hold.left ? `Vence en ${hold.left}` : 'Retención vencida'}
        </Text>
      </Group>
    </Tooltip>
  );
}
