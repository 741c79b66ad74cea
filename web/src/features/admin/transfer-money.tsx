import type { AdminTransferView } from '#core/contracts/http/admin';
import { formatAmount } from '#core/money/format';
import { Breakdown, BreakdownLine } from '../../ui/breakdown.tsx';
import { marginLabel, marginMoney, marginText } from './transfer-labels.ts';

/** A transfer's money in the column everybody knows, with what only admins see: our margin, and the value in dollars. */
export function TransferMoney({ transfer }: { transfer: AdminTransferView }) {
  const { currency, amount, fee, rate } = transfer;
  return (
    <Breakdown
      figures={{ currency, amount, fee, rate, netAmount: transfer.net_amount, bs: transfer.amount_bs }}
      paidLabel="Paga con su tarjeta"
      {...arrival(transfer)}
    >
      <BreakdownLine label={marginLabel}>{marginText(transfer)}</BreakdownLine>
      {transfer.margin !== null && <BreakdownLine label="Ganancia del cambio">{marginMoney(transfer)}</BreakdownLine>}
      {currency !== 'USD' && (
        <BreakdownLine label="Equivale a">{formatAmount(transfer.amount_usd, 'USD')}</BreakdownLine>
      )}
    </Breakdown>
  );
}

/** Whether the money arrives, has arrived, or does not arrive any more. */
function arrival({ status, state }: AdminTransferView) {
  if (status === 'completed') return { arrivesLabel: 'Llegó a Bolivia' };
  if (state === 'payout_failed') return { arrivesLabel: 'Falta que llegue a Bolivia', off: true };
  const isOnItsWay = status === 'pending' || status === 'awaiting_payment';
  return isOnItsWay ? {} : { arrivesLabel: 'Iba a llegar a Bolivia', off: true };
}
