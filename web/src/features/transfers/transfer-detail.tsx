import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconInfoCircle, IconReceipt, IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { TransferView } from '#core/contracts/http/transfers';
import { referenceOf } from '#core/transfers/reference';
import type { TransferStatus } from '#core/transfers/states';
import { formatMoment } from '../../lib/dates.ts';
import { isMissing } from '../../lib/http.ts';
import type { Offer } from '../../lib/offer.ts';
import { receiptPath } from '../../lib/paths.ts';
import { transferQuery } from '../../lib/transfers.ts';
import { Breakdown, BreakdownLine } from '../../ui/breakdown.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useReturnFocus } from '../../ui/return-focus.ts';
import { LoadingRows } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useIsDesktop } from '../../ui/use-is-desktop.ts';
import { CancelDialog, CancelOffer } from './cancel-transfer.tsx';
import { PayButton } from './pay-button.tsx';
import { nameOf } from './transfer-labels.ts';
import { TransferTimeline } from './transfer-timeline.tsx';

interface Props {
  id: string;
  /** As the list shows it, until its own answer is there. */
  listed: TransferView | undefined;
  onClose: () => void;
  onRepeat: (transfer: TransferView) => void;
  /** The sender goes on with the payment that was left. */
  onPay: (offer: Offer) => void;
}

/** One transfer, live: what arrives, what it cost, every step, and what its sender can still do with it. */
export function TransferDetail({ id, listed, onClose, onRepeat, onPay }: Props) {
  const wide = useIsDesktop();
  const [cancelling, setCancelling] = useState(false);
  const own = useQuery(transferQuery(id));
  useReturnFocus();
  const transfer = own.data && (!listed || own.data.version >= listed.version) ? own.data : listed;
  if (transfer && cancelling) return <CancelDialog transfer={transfer} onClose={() => setCancelling(false)} />;
  return (
    <Modal
      opened
      onClose={onClose}
      title={transfer ? `Envío a ${nameOf(transfer)}` : 'Tu envío'}
      size="lg"
      fullScreen={!wide}
    >
      <QueryView
        query={{ ...own, data: transfer }}
        loading={<LoadingRows rows={4} height={64} />}
        {...(isMissing(own.error) && { failed: () => <Unknown /> })}
      >
        {(known) => <Content transfer={known} onCancel={() => setCancelling(true)} onRepeat={onRepeat} onPay={onPay} />}
      </QueryView>
    </Modal>
  );
}

function Unknown() {
  return <Text data-testid="transfer-unknown">No encontramos este envío entre los tuyos.</Text>;
}

function Content({
  transfer,
  onCancel,
  onRepeat,
  onPay,
}: Pick<Props, 'onRepeat' | 'onPay'> & {
  transfer: TransferView;
  onCancel: () => void;
}) {
  const { card, reason, status } = transfer;
  // Who cancelled needs no reason for it.
  const unasked = reason && status !== 'cancelled' && !transfer.cancelRequested;
  return (
    <Stack gap="lg" data-testid="transfer-detail" data-transfer-id={transfer.id} data-state={transfer.state}>
      <Group justify="space-between">
        <Text c="dimmed">{formatMoment(transfer.date)}</Text>
        <StatusBadge status={status} />
      </Group>
      {unasked && (
        <Alert color="red" icon={<IconInfoCircle aria-hidden />} title="Motivo">
          {reason}
        </Alert>
      )}
      <Breakdown figures={{ ...transfer, bs: transfer.bolivianos }} {...labelsFor(status)}>
        <BreakdownLine label="Referencia">{referenceOf(transfer.id)}</BreakdownLine>
        {transfer.bankName && <BreakdownLine label="Banco">{transfer.bankName}</BreakdownLine>}
        {card && <BreakdownLine label="Tarjeta">{`${brandOf(card.brand)} •••• ${card.last4}`}</BreakdownLine>}
        {transfer.payoutReference && (
          <BreakdownLine label="Referencia del banco">{transfer.payoutReference}</BreakdownLine>
        )}
      </Breakdown>
      <Group gap="sm">
        <PayButton transfer={transfer} onPay={onPay} />
        <CancelOffer transfer={transfer} onCancel={onCancel} />
      </Group>
      <TransferTimeline transfer={transfer} />
      <Group gap="sm">
        {status !== 'awaiting_payment' && (
          <Button
            leftSection={<IconRepeat size={18} aria-hidden />}
            onClick={() => onRepeat(transfer)}
            data-testid="transfer-repeat"
          >
            Repetir envío
          </Button>
        )}
        {transfer.paidAt && (
          <Button
            component={Link}
            to={receiptPath(transfer.id)}
            variant="default"
            leftSection={<IconReceipt size={18} aria-hidden />}
            data-testid="transfer-receipt"
          >
            Ver recibo
          </Button>
        )}
      </Group>
    </Stack>
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

const brandOf = (brand: string) => brand.charAt(0).toUpperCase() + brand.slice(1);
