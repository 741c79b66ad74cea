import type { TransferView } from '#core/contracts/http/transfers';
import { formatAmount, formatBolivianos } from '#core/money/format';
import { formatMinor, parseMinor } from '#core/money/money';

const minor = (amount: string) => parseMinor(amount) ?? 0n;

/** Whether some of what the sender paid has gone back. */
export const hasReturned = ({ returned }: Pick<TransferView, 'returned'>) => minor(returned) > 0n;

/** Whether the bank gave some of its payment back. */
export const hasPayoutReturned = ({ payoutReturned }: Pick<TransferView, 'payoutReturned'>) =>
  minor(payoutReturned) > 0n;

/** What the sender paid and has not got back, "75,00 EUR". */
export function notReturned({
  amount,
  returned,
  currency,
}: Pick<TransferView, 'amount' | 'returned' | 'currency'>): string {
  return formatAmount(formatMinor(minor(amount) - minor(returned)), currency);
}

/** What the family gets or has got, decimal text in bolivianos. */
export function arriving({ bolivianos, payoutReturned }: Pick<TransferView, 'bolivianos' | 'payoutReturned'>): string {
  return formatMinor(minor(bolivianos) - minor(payoutReturned));
}

/** What has gone back to the sender and what becomes of the rest; null where nothing went back, or all of it. */
export function returnedMessage(transfer: TransferView): string | null {
  if (!hasReturned(transfer)) return null;
  const back = formatAmount(transfer.returned, transfer.currency);
  const family = formatBolivianos(arriving(transfer));
  switch (transfer.state) {
    case 'captured':
      return `Te devolvimos ${back} a tu tarjeta. Tu envío sigue: a tu familia le llegan ${family}.`;
    case 'payout_failed':
      return `Te devolvimos ${back} a tu tarjeta. Si pides tu dinero de vuelta, te devolvemos los ${notReturned(transfer)} que faltan.`;
    case 'completed':
      return `Te devolvimos ${back} a tu tarjeta. A tu familia le llegaron ${family}.`;
    case 'refunding':
      return `Ya volvieron ${back} a tu tarjeta. Faltan ${notReturned(transfer)}.`;
    default:
      return null;
  }
}

/** What the bank gave back of its payment, and what the family has; null where it gave nothing back. */
export function payoutReturnedMessage(transfer: TransferView): string | null {
  if (transfer.state !== 'completed' || !hasPayoutReturned(transfer)) return null;
  const family = formatBolivianos(arriving(transfer));
  const back = formatBolivianos(transfer.payoutReturned);
  return `El banco devolvió ${back}: a tu familia le llegaron ${family}. Te escribiremos para acordar qué hacer con lo que falta.`;
}
