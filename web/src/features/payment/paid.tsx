import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Box, Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconReceipt, IconUserQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { Link } from 'react-router';
import type { TransferView } from '#core/contracts/http/transfers';
import { referenceOf } from '#core/transfers/reference';
import type { TransferStatus } from '#core/transfers/states';
import type { PreparedPayment } from '../../data/payments.ts';
import { transferQuery } from '../../data/transfers.ts';
import { formatLongDay } from '../../lib/format/dates.ts';
import { formatBolivianos } from '../../lib/format/money.ts';
import { paths, receiptPath } from '../../lib/paths.ts';
import { Money } from '../../ui/figures.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { RepeatOffer } from '../shared/repeat-offer.tsx';
import { ShareTransfer } from '../shared/share-transfer.tsx';
import { GivenReason, StatusBadge } from '../shared/status-badge.tsx';
import type { CheckoutPlan } from './checkout-plan.ts';
import classes from './payment.module.css';

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
  const { data: transfer } = useQuery(transferQuery(transferId));
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
      {onSchedule && transfer?.recipientId && isUnderWay(transfer) && (
        <RepeatOffer onClick={() => onSchedule(transfer)} />
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
        </Stack>
      )}
    </Stack>
  );
}

/** Paid, and the family gets it or has it. */
const isUnderWay = ({ paidAt, status }: TransferView) =>
  paidAt !== null && (status === 'pending' || status === 'completed');

/** The card held the money, but the transfer went no further, beyond a limit for example: nothing was received. */
const wasRefused = ({ status, paidAt }: TransferView) => status === 'failed' && paidAt === null;

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

function messageFor(status: TransferStatus, transfer: TransferView): ReactNode {
  const { payoutReference, reason } = transfer;
  if (transfer.state === 'payout_failed')
    return t`El banco no pudo pagar a esta cuenta. Corrígela o pide tu dinero de vuelta en tu panel.`;
  if (status === 'pending') {
    const day = formatLongDay(transfer.estimatedDelivery);
    return t`El destinatario recibirá los fondos en Bolivia hacia el ${day}.`;
  }
  if (status === 'completed')
    return sentences(t`El dinero ya está en Bolivia.`, payoutReference && t`Referencia del banco: ${payoutReference}.`);
  if (status === 'refunded')
    return sentences(transfer.cancelRequested && t`Lo cancelaste.`, t`Tu dinero vuelve completo a tu tarjeta.`);
  if (status === 'cancelled') return t`Lo cancelaste y no se cobró nada.`;
  return (
    <>
      <Trans>Este envío no se hizo y no se cobró nada.</Trans> {reason && <GivenReason reason={reason} />}
    </>
  );
}

const sentences = (...texts: readonly (string | false | null)[]) => texts.filter(Boolean).join(' ');

function For({ recipient }: Pick<TransferView, 'recipient'>) {
  if (!recipient) return null;
  return (
    <Text>
      <Trans>para {recipient}</Trans>
    </Text>
  );
}

/** A payment page's success card: only what the server knows, live, under a name that leads back to this very transfer. */
export function PagePaid(props: {
  plan: CheckoutPlan;
  payment: PreparedPayment;
  onAgain: () => void;
  onPanel: () => void;
}) {
  const { plan, payment } = props;
  const { label, name } = plan.named?.(payment) ?? { label: t`Referencia`, name: referenceOf(payment.transferId) };
  const { data: transfer } = useQuery(transferQuery(payment.transferId));
  const refused = transfer !== undefined && wasRefused(transfer);
  return (
    <Stack align="center" ta="center" gap="md" data-testid="pay-success">
      {refused ? (
        <IconAlertTriangleFilled size={64} color="var(--cq-bad)" aria-hidden />
      ) : (
        <IconCircleCheckFilled size={64} color="var(--cq-good)" aria-hidden />
      )}
      <div role="status">
        <Title order={3} fz="h2">
          {refused ? <Trans>Tu envío no se hizo</Trans> : <Trans>¡Pago exitoso!</Trans>}
        </Title>
      </div>
      {transfer ? <PaidTransfer transfer={transfer} /> : <LoadingRows rows={2} height={40} />}
      <div>
        <Text c="dimmed" fz="sm">
          {label}
        </Text>
        <Text className={`${classes.reference} cq-num`} data-testid="pay-reference">
          {name}
        </Text>
      </div>
      <div className={classes.choices}>
        <Button variant="default" onClick={props.onAgain} data-testid="pay-again">
          <Trans>Hacer otra remesa</Trans>
        </Button>
        <Button onClick={props.onPanel} data-testid="pay-panel">
          <Trans>Ir al panel</Trans>
        </Button>
      </div>
    </Stack>
  );
}

/** How a paid transfer stands now, and who is still to be chosen. */
export function PaidTransfer({ transfer }: { transfer: TransferView }) {
  // The card is held, but the books may be a moment behind.
  const status = transfer.status === 'awaiting_payment' ? 'pending' : transfer.status;
  const going = status === 'pending' || status === 'completed';
  const day = formatLongDay(transfer.estimatedDelivery);
  return (
    <>
      <StatusBadge status={status} />
      <div>
        <div className={`${classes.arrives} cq-big cq-num`} data-off={!going || undefined}>
          {formatBolivianos(transfer.bolivianos)}
        </div>
        <For recipient={transfer.recipient} />
      </div>
      <Text aria-live="polite">
        {status !== 'pending' || transfer.state === 'payout_failed'
          ? messageFor(status, transfer)
          : transfer.recipientId && t`Llega a Bolivia hacia el ${day}.`}
      </Text>
      {going && transfer.recipientId === null && (
        <Alert
          color="sun"
          icon={<IconUserQuestion aria-hidden />}
          title={t`Falta elegir quién recibe`}
          ta="left"
          w="100%"
          data-testid="pay-choose-recipient"
        >
          <Stack gap="sm" align="flex-start">
            <Trans>Tu envío espera: no se aprueba ni se deposita hasta que elijas un destinatario.</Trans>
            <Button component={Link} to={paths.dashboard} size="sm" variant="default">
              <Trans>Elegir destinatario</Trans>
            </Button>
          </Stack>
        </Alert>
      )}
    </>
  );
}
