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
    >
      <BreakdownLine label={marginLabel}>{marginText(transfer)}</BreakdownLine>
      {transfer.margin !== null && <BreakdownLine label="Ganancia del cambio">{marginMoney(transfer)}</BreakdownLine>}
      {currency !== 'USD' && (
        <BreakdownLine label="Equivale a">{formatAmount(transfer.amount_usd, 'USD')}</BreakdownLine>
      )}
    </Breakdown>
  );
}
