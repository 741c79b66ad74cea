import { Alert, Group, Modal, Stack, Text, Timeline } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { TransferView } from '#core/contracts/http/transfers';
import type { TransferStatus } from '#core/transfer-states';
import { formatMoment } from '../../lib/dates.ts';
import { Breakdown, BreakdownLine } from '../../ui/breakdown.tsx';
import { useReturnFocus } from '../../ui/return-focus.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useWide } from '../../ui/wide.ts';
import { stepWords } from './transfer-words.ts';

/** One transfer: what arrives, what it cost, and every step so far. */
export function TransferDetail({ transfer, onClose }: { transfer: TransferView; onClose: () => void }) {
  const wide = useWide();
  useReturnFocus();
  const { card } = transfer;
  return (
    <Modal opened onClose={onClose} title={`Envío a ${nameOf(transfer)}`} size="lg" fullScreen={!wide}>
      <Stack gap="lg" data-testid="transfer-detail">
        <Group justify="space-between">
          <Text c="dimmed">{formatMoment(transfer.date)}</Text>
          <StatusBadge status={transfer.status} />
        </Group>
        {transfer.reason && (
          <Alert color="red" icon={<IconInfoCircle aria-hidden />} title="Motivo">
            {transfer.reason}
          </Alert>
        )}
        <Breakdown figures={{ ...transfer, bs: transfer.bolivianos }} {...labelsFor(transfer.status)}>
          {transfer.bankName && <BreakdownLine label="Banco">{transfer.bankName}</BreakdownLine>}
          {card && <BreakdownLine label="Tarjeta">{`${brandOf(card.brand)} •••• ${card.last4}`}</BreakdownLine>}
          {transfer.payoutReference && (
            <BreakdownLine label="Referencia del banco">{transfer.payoutReference}</BreakdownLine>
          )}
        </Breakdown>
        <Timeline active={transfer.timeline.length - 1} bulletSize={18} lineWidth={2}>
          {transfer.timeline.map((step) => (
            <Timeline.Item key={`${step.state} ${step.at}`} title={stepWords[step.state]}>
              <Text c="dimmed" fz="sm">
                {formatMoment(step.at)}
              </Text>
            </Timeline.Item>
          ))}
        </Timeline>
      </Stack>
    </Modal>
  );
}

function labelsFor(status: TransferStatus) {
  switch (status) {
    case 'pending':
    case 'awaiting_payment':
      return {};
    case 'completed':
      return { arrivesLabel: 'Llegó a Bolivia', paidLabel: 'Pagaste con tu tarjeta' };
    case 'refunded':
      return { arrivesLabel: 'Iba a llegar a Bolivia', paidLabel: 'Pagaste y se te devuelve', off: true };
    default:
      return { arrivesLabel: 'Iba a llegar a Bolivia', paidLabel: 'Monto, no cobrado', off: true };
  }
}

/** The recipient's name; a transfer may still be without one. */
export const nameOf = (transfer: TransferView) => transfer.recipient || 'Sin destinatario';

const brandOf = (brand: string) => brand.charAt(0).toUpperCase() + brand.slice(1);
