import type { ReceiptView } from '#core/contracts/http/receipts';
import { formatAmount, formatBolivianos } from '#core/format';
import { formatFullMoment, formatLongDay } from '../../lib/dates.ts';

/** One line of a document: what it is, and its value. */
export type ReceiptLine = readonly [label: string, value: string];

/** What became of the transfer, in a sentence of its own. */
export function standing(receipt: ReceiptView): string {
  const { state, cancelRequested, completedAt, returnedAt } = receipt;
  switch (state) {
    case 'completed':
      return `Depositado en Bolivia${completedAt ? ` el ${formatFullMoment(completedAt)}` : ''}.`;
    case 'cancelled':
      return `Cancelado por ti${onDay(returnedAt)}. No se cobró nada.`;
    case 'refunding':
      return `${cancelRequested ? 'Cancelado por ti' : 'El banco no pudo pagar'}. La devolución completa está en camino a tu tarjeta.`;
    case 'refunded':
      return `Devuelto completo a tu tarjeta${onDay(returnedAt)}, comisión incluida.`;
    case 'rejected':
    case 'failed':
    case 'expired':
      return `No se hizo${onDay(returnedAt)}. No se cobró nada.`;
    default:
      return `En proceso. Disponible hacia el ${formatLongDay(receipt.estimatedDelivery)}.`;
  }
}

const onDay = (iso: string | null) => (iso ? ` el ${formatFullMoment(iso)}` : '');

/** The money, in the order the law names it; every figure is the stored one. */
export function moneyLines(receipt: ReceiptView): ReceiptLine[] {
  const { currency, netAmount, fee, taxes } = receipt;
  return [
    ['Monto que se transfiere', formatAmount(netAmount, currency)],
    ['Comisión de Chasqui', formatAmount(fee, currency)],
    ['Impuestos (exento por pago con tarjeta)', formatAmount(taxes, currency)],
  ];
}

/** What the recipient's side may still take: nothing of ours. */
export function arrivalLines(receipt: ReceiptView): ReceiptLine[] {
  return [
    ['Monto transferido', formatBolivianos(receipt.bolivianos)],
    ['Otras comisiones y tributos', formatBolivianos('0.00')],
  ];
}

/** By how much our rate was below the market's reference; below zero it was above. */
export function markupLine({ markupPercent }: ReceiptView): string {
  if (markupPercent === null) return 'Sin referencia de mercado en ese momento';
  const percent = `${markupPercent.replace('-', '').replace('.', ',')} %`;
  return markupPercent.startsWith('-') ? `${percent} a tu favor` : percent;
}
