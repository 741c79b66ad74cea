import { Trans } from '@lingui/react/macro';
import { Box, Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconReceipt } from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import { Link } from 'react-router';
import type { TransferView } from '#core/contracts/http/transfers';
import { referenceOf } from '#core/transfers/reference';
import type { TransferStatus } from '#core/transfers/states';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { transferQuery } from '../../data/transfers.ts';
import { receiptPath } from '../../lib/paths.ts';
import { Money } from '../../ui/figures.tsx';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { RepeatOffer } from '../shared/repeat-offer.tsx';
import { ShareTransfer } from '../shared/share-transfer.tsx';
import { GivenReason, StatusBadge } from '../shared/status-badge.tsx';
import { For, messageFor, wasRefused } from './paid.tsx';
import classes from './payment.module.css';

/** Comes once something was paid. */
const NotifyOffer = lazy(() => import('../shared/notify-offer.tsx'));

/** Every step of a transfer so far, and what is expected. */
export type TransferSteps = ComponentType<{ transfer: TransferView }>;

interface PaidProps {
  transferId: string;
  onDone: () => void;
  steps: TransferSteps;
  /** The sender wants to be reminded of the same each month. */
  onSchedule?: ((transfer: TransferView) => void) | undefined;
}

/** 'Pago Recibido con Éxito': stays open as long as the sender likes, and shows the transfer arrive. */
export function Paid({ transferId, onDone, steps: Steps, onSchedule }: PaidProps) {
  const transfer = useOptionalQuery(transferQuery(transferId));
  const reference = referenceOf(transferId);
  if (transfer && wasRefused(transfer)) return <Refused transfer={transfer} onDone={onDone} />;
  return (
    <Stack align="center" ta="center" gap="md" py="md" data-testid="pay-success">
      <IconCircleCheckFilled size={64} color="var(--cq-good)" aria-hidden />
      <Title order={3} fz="h2">
        <Trans>Pago Recibido con Éxito</Trans>
      </Title>
      {transfer ? <Arrival transfer={transfer} /> : <LoadingRows rows={2} height={40} />}
      <Text c="dimmed" fz="sm">
        <Trans>
          Referencia{' '}
          <span className="cq-num" data-testid="pay-reference">
            {reference}
          </span>
        </Trans>
      </Text>
      {transfer && isUnderWay(transfer) && (
        <Box ta="left" w="100%">
          <ShareTransfer transfer={transfer} ready />
        </Box>
      )}
      {transfer && isUnderWay(transfer) && (
        <LazyPart missing={null}>
          <NotifyOffer transferId={transferId} />
        </LazyPart>
      )}
      {onSchedule && transfer?.recipientId && isUnderWay(transfer) && (
        <Box ta="left" w="100%">
          <RepeatOffer onClick={() => onSchedule(transfer)} />
        </Box>
      )}
      <div className={classes.choices}>
        {transfer?.paidAt && (
          <Button
            component={Link}
            to={receiptPath(transferId)}
            size="lg"
            variant="default"
            leftSection={<IconReceipt size={18} aria-hidden />}
            data-testid="pay-receipt"
          >
            <Trans>Ver recibo</Trans>
          </Button>
        )}
        <Button size="lg" onClick={onDone} data-testid="pay-done">
          <Trans>Volver al panel</Trans>
        </Button>
      </div>
      {transfer && isUnderWay(transfer) && (
        <Stack component="section" gap="sm" ta="left" w="100%" mt="md" aria-labelledby="paid-next">
          <Title order={4} id="paid-next">
            <Trans>Qué pasa ahora</Trans>
          </Title>
          <Steps transfer={transfer} />
          {transfer.cancellable && (
            <Text c="dimmed" fz="sm">
              <Trans>¿Te equivocaste? Todavía puedes cancelarlo sin costo en sus detalles.</Trans>
            </Text>
          )}
        </Stack>
      )}
    </Stack>
  );
}

/** Paid, and the family gets it or has it. */
const isUnderWay = ({ paidAt, status }: TransferView) =>
  paidAt !== null && (status === 'pending' || status === 'completed');

function Refused({ transfer, onDone }: { transfer: TransferView; onDone: () => void }) {
  return (
    <Stack align="center" ta="center" gap="md" py="md" role="alert" data-testid="pay-not-accepted">
      <IconAlertTriangleFilled size={64} color="var(--cq-bad)" aria-hidden />
      <Title order={3} fz="h2">
        <Trans>Tu envío no se hizo</Trans>
      </Title>
      <Text maw={420}>
        {transfer.reason && <GivenReason reason={transfer.reason} rejection={transfer.rejection} />}
      </Text>
      <Button size="lg" fullWidth onClick={onDone}>
        <Trans>Volver al panel</Trans>
      </Button>
    </Stack>
  );
}

function Arrival({ transfer }: { transfer: TransferView }) {
  // The card is held, but the books may be a moment behind.
  const status: TransferStatus = transfer.status === 'awaiting_payment' ? 'pending' : transfer.status;
  return (
    <>
      <StatusBadge status={status} />
      <div>
        <div className={`${classes.arrives} cq-big`}>
          <Money amount={transfer.bolivianos} currency="BOB" />
        </div>
        <For recipient={transfer.recipient} />
      </div>
      <Text maw={420} aria-live="polite">
        {messageFor(status, transfer)}
      </Text>
    </>
  );
}
