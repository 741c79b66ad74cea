import type { AdminTransferView } from '#core/contracts/http/admin';
import { formatAmount, formatBolivianos } from '#core/money/format';
import { formatMinor, parseMinor } from '#core/money/money';
import { Breakdown, BreakdownLine } from '../../../ui/breakdown.tsx';
import { marginLabel, marginMoney, marginText } from './transfer-labels.ts';

/** A transfer's money in the column everybody knows, with what only admins see: our margin, and the value in dollars. */
export function TransferMoney({ transfer }: { transfer: AdminTransferView }) {
  const { currency, amount, fee, rate } = transfer;
  return (
    <Breakdown
      figures={{ currency, amount, fee, rate, netAmount: transfer.net_amount, bs: arriving(transfer) }}
      paidLabel="Paga con su tarjeta"
      {...arrival(transfer)}
    >
      <BreakdownLine label={marginLabel}>{marginText(transfer)}</BreakdownLine>
      {transfer.margin !== null && <BreakdownLine label="Ganancia del cambio">{marginMoney(transfer)}</BreakdownLine>}
      {isSome(transfer.returned) && (
        <BreakdownLine label="Devuelto a quien envía">{formatAmount(transfer.returned, currency)}</BreakdownLine>
      )}
      {isSome(transfer.payout_returned) && (
        <BreakdownLine label="Devuelto por el banco">{formatBolivianos(transfer.payout_returned)}</BreakdownLine>
      )}
      {currency !== 'USD' && (
        <BreakdownLine label="Equivale a">{formatAmount(transfer.amount_usd, 'USD')}</BreakdownLine>
      )}
    </Breakdown>
  );
}

const minor = (amount: string) => parseMinor(amount) ?? 0n;
const isSome = (amount: string) => minor(amount) > 0n;
/** What the bank gave back never reached the family. */
const arriving = ({ amount_bs: paid, payout_returned: back }: AdminTransferView) =>
  formatMinor(minor(paid) - minor(back));

/** Whether the money arrives, has arrived, or does not arrive any more. */
function arrival({ status, state }: AdminTransferView) {
  if (status === 'completed') return { arrivesLabel: 'Llegó a Bolivia' };
  if (state === 'payout_failed') return { arrivesLabel: 'Falta que llegue a Bolivia', off: true };
  const isOnItsWay = status === 'pending' || status === 'awaiting_payment';
  return isOnItsWay ? {} : { arrivesLabel: 'Iba a llegar a Bolivia', off: true };
}
