import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconUserQuestion } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { TransferView } from '#core/contracts/http/transfers';
import { isPastEstimate } from '#core/transfers/delivery';
import { referenceOf } from '#core/transfers/reference';
import type { TransferStatus } from '#core/transfers/states';
import { useOptionalQuery } from '../../data/optional-query.ts';
import type { PreparedPayment } from '../../data/payments.ts';
import { transferQuery } from '../../data/transfers.ts';
import { formatLongDay } from '../../lib/format/dates.ts';
import { formatBolivianos } from '../../lib/format/money.ts';
import { paths } from '../../lib/paths.ts';
import { LoadingRows } from '../../ui/states.tsx';
import { arriving } from '../shared/arriving.ts';
import { GivenReason, StatusBadge } from '../shared/status-badge.tsx';
import type { CheckoutPlan } from './checkout-plan.ts';
import classes from './payment.module.css';

/** The card held the money, but the transfer went no further, beyond a limit for example: nothing was received. */
export const wasRefused = ({ status, paidAt }: TransferView) => status === 'failed' && paidAt === null;

/** Where the money of a transfer in this status is, and when it arrives. */
export function messageFor(status: TransferStatus, transfer: TransferView): ReactNode {
  const { payoutReference, reason } = transfer;
  if (transfer.state === 'payout_failed')
    return transfer.correctAccountBy
      ? t`El banco no pudo pagar a esta cuenta. Corrígela o pide tu dinero de vuelta en tu panel.`
      : t`El banco no pudo pagar a esta cuenta. Tu dinero está con nosotros.`;
  if (status === 'pending') {
    const day = formatLongDay(transfer.estimatedDelivery);
    return isLate(transfer)
      ? t`Tu envío se retrasa: lo esperábamos para el ${day}. Te avisamos cuando llegue.`
      : t`El destinatario recibirá los fondos en Bolivia hacia el ${day}.`;
  }
  if (status === 'completed' && arriving(transfer) !== transfer.bolivianos) {
    const [arrived, all] = [formatBolivianos(arriving(transfer)), formatBolivianos(transfer.bolivianos)];
    return t`El banco devolvió dinero del depósito: tu familia tiene ${arrived} de los ${all}.`;
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

/** A page may be looked at again days after the payment. */
const isLate = ({ estimatedDelivery }: Pick<TransferView, 'estimatedDelivery'>) =>
  isPastEstimate(new Date(estimatedDelivery), new Date());

const sentences = (...texts: readonly (string | false | null)[]) => texts.filter(Boolean).join(' ');

/** Who receives it, where that is known. */
export function For({ recipient }: Pick<TransferView, 'recipient'>) {
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
  const transfer = useOptionalQuery(transferQuery(payment.transferId));
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
          {formatBolivianos(arriving(transfer))}
        </div>
        <For recipient={transfer.recipient} />
      </div>
      <Text aria-live="polite">
        {status !== 'pending' || transfer.state === 'payout_failed'
          ? messageFor(status, transfer)
          : transfer.recipientId &&
            (isLate(transfer) ? messageFor(status, transfer) : t`Llega a Bolivia hacia el ${day}.`)}
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
