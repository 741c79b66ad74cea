import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconUserQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { TransferView } from '#core/contracts/http/transfers';
import { referenceOf } from '#core/transfers/reference';
import type { TransferStatus } from '#core/transfers/states';
import type { PreparedPayment } from '../../data/payments.ts';
import { transferQuery } from '../../data/transfers.ts';
import { formatLongDay } from '../../lib/format/dates.ts';
import { paths } from '../../lib/paths.ts';
import { Money } from '../../ui/figures.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { StatusBadge } from '../shared/status-badge.tsx';
import type { CheckoutMessages } from './checkout-messages.ts';
import type { CheckoutPlan } from './checkout-plan.ts';
import classes from './payment.module.css';

/** 'Pago Recibido con Éxito': stays open as long as the sender likes, and shows the transfer arrive. */
export function Paid({ transferId, onDone }: { transferId: string; onDone: () => void }) {
  const { data: transfer } = useQuery(transferQuery(transferId));
  if (transfer && wasRefused(transfer)) return <Refused transfer={transfer} onDone={onDone} />;
  return (
    <Stack align="center" ta="center" gap="md" py="md" data-testid="pay-success">
      <IconCircleCheckFilled size={64} color="var(--cq-good)" aria-hidden />
      <Title order={3} fz="h2">
        Pago Recibido con Éxito
      </Title>
      {transfer ? <Arrival transfer={transfer} /> : <LoadingRows rows={2} height={40} />}
      <Text c="dimmed" fz="sm">
        {'Referencia '}
        <span className="cq-num" data-testid="pay-reference">
          {referenceOf(transferId)}
        </span>
      </Text>
      <Button size="lg" fullWidth onClick={onDone} data-testid="pay-done">
        Volver al panel
      </Button>
    </Stack>
  );
}

/** The card held the money, but the transfer went no further, beyond a limit for example: nothing was received. */
const wasRefused = ({ status, paidAt }: TransferView) => status === 'failed' && paidAt === null;

function Refused({ transfer, onDone }: { transfer: TransferView; onDone: () => void }) {
  return (
    <Stack align="center" ta="center" gap="md" py="md" role="alert" data-testid="pay-not-accepted">
      <IconAlertTriangleFilled size={64} color="var(--cq-bad)" aria-hidden />
      <Title order={3} fz="h2">
        Tu envío no se hizo
      </Title>
      <Text maw={420}>{transfer.reason}</Text>
      <Button size="lg" fullWidth onClick={onDone}>
        Volver al panel
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
        {transfer.recipient && <Text>para {transfer.recipient}</Text>}
      </div>
      <Text maw={420} aria-live="polite">
        {messageFor(status, transfer)}
      </Text>
    </>
  );
}

function messageFor(status: TransferStatus, transfer: TransferView): string {
  const { payoutReference, reason } = transfer;
  if (transfer.state === 'payout_failed')
    return 'El banco no pudo pagar a esta cuenta. Corrígela o pide tu dinero de vuelta en tu panel.';
  if (status === 'pending')
    return `El destinatario recibirá los fondos en Bolivia hacia el ${formatLongDay(transfer.estimatedDelivery)}.`;
  if (status === 'completed')
    return `El dinero ya está en Bolivia.${payoutReference ? ` Referencia del banco: ${payoutReference}.` : ''}`;
  if (status === 'refunded')
    return `${transfer.cancelRequested ? 'Lo cancelaste. ' : ''}Tu dinero vuelve completo a tu tarjeta.`;
  if (status === 'cancelled') return 'Lo cancelaste y no se cobró nada.';
  return `Este envío no se hizo y no se cobró nada.${reason ? ` ${reason}` : ''}`;
}

/** A payment page's success card: only what the server knows, live, under a name that leads back to this very transfer. */
export function PagePaid(props: {
  plan: CheckoutPlan;
  payment: PreparedPayment;
  onAgain: () => void;
  onPanel: () => void;
}) {
  const { plan, payment } = props;
  const { paid } = plan.messages;
  const { label, name } = plan.named?.(payment) ?? { label: paid.reference, name: referenceOf(payment.transferId) };
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
          {refused ? paid.refused : paid.title}
        </Title>
      </div>
      {transfer ? <PaidTransfer messages={plan.messages} transfer={transfer} /> : <LoadingRows rows={2} height={40} />}
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
          {paid.again}
        </Button>
        <Button onClick={props.onPanel} data-testid="pay-panel">
          {paid.panel}
        </Button>
      </div>
    </Stack>
  );
}

/** How a paid transfer stands now, and who is still to be chosen. */
export function PaidTransfer({ messages, transfer }: { messages: CheckoutMessages; transfer: TransferView }) {
  const { paid, payment } = messages;
  // The card is held, but the books may be a moment behind.
  const status = transfer.status === 'awaiting_payment' ? 'pending' : transfer.status;
  const going = status === 'pending' || status === 'completed';
  return (
    <>
      <StatusBadge status={status} label={paid.status(status)} />
      <div>
        <div className={`${classes.arrives} cq-big cq-num`} data-off={!going || undefined}>
          {payment.breakdown.money(transfer.bolivianos, 'BOB')}
        </div>
        {transfer.recipient && (
          <Text>
            {payment.recipient.toLowerCase()} {transfer.recipient}
          </Text>
        )}
      </div>
      <Text aria-live="polite">
        {status === 'completed'
          ? paid.done
          : !going
            ? paid.off
            : transfer.recipientId && paid.arrives(transfer.estimatedDelivery)}
      </Text>
      {going && transfer.recipientId === null && (
        <Alert
          color="sun"
          icon={<IconUserQuestion aria-hidden />}
          title={paid.chooseTitle}
          ta="left"
          w="100%"
          data-testid="pay-choose-recipient"
        >
          <Stack gap="sm" align="flex-start">
            {paid.choose}
            <Button component={Link} to={paths.dashboard} size="sm" variant="default">
              {paid.chooseLink}
            </Button>
          </Stack>
        </Alert>
      )}
    </>
  );
}
