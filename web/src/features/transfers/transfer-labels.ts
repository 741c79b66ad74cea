import type { TransferView } from '#core/contracts/http/transfers';
import type { TransferState } from '#core/transfers/states';
import { formatLongDay, formatTime } from '../../lib/dates.ts';

const stepLabels: Readonly<Record<TransferState, string>> = {
  awaiting_payment: 'Envío preparado',
  in_review: 'Pago recibido: el monto está reservado en tu tarjeta',
  approved: 'Envío aprobado',
  captured: 'Tarjeta cobrada, el dinero va a Bolivia',
  payout_failed: 'El banco no pudo pagar: corrige la cuenta o pide tu dinero de vuelta',
  completed: 'Depositado en Bolivia',
  rejected: 'Rechazado: se liberó la reserva, no se cobró nada',
  cancelled: 'Cancelado por ti: no se cobró nada',
  failed: 'No se pudo cobrar la tarjeta; no se cobró nada',
  expired: 'Vencido: no se cobró nada',
  refunding: 'El banco no pudo pagar: tu dinero vuelve a tu tarjeta',
  refunded: 'Devuelto completo a tu tarjeta',
};

/** What a step means to the sender. */
export function stepLabel(state: TransferState, { cancelRequested }: Pick<TransferView, 'cancelRequested'>): string {
  return state === 'refunding' && cancelRequested
    ? 'Cancelado por ti: tu dinero vuelve a tu tarjeta'
    : stepLabels[state];
}

/** A step that has not happened yet, and when it is expected. */
export interface ExpectedStep {
  readonly title: string;
  readonly when: string;
}

/** What comes next, nearest first; nothing once it has ended. */
export function expectedSteps(transfer: TransferView): ExpectedStep[] {
  const deposit = { title: 'Depósito en Bolivia', when: `Hacia el ${formatLongDay(transfer.estimatedDelivery)}` };
  const charge = { title: 'Cobro de tu tarjeta', when: 'Apenas se aprueba' };
  switch (transfer.state) {
    case 'awaiting_payment':
      return [{ title: 'Pago con tu tarjeta', when: `Hasta las ${formatTime(transfer.quoteExpiresAt)}` }, deposit];
    case 'in_review':
      return [{ title: 'Aprobación', when: 'Una persona lo está revisando' }, charge, deposit];
    case 'approved':
      return transfer.cancelRequested ? [undoing] : [{ ...charge, when: 'En unos momentos' }, deposit];
    case 'captured':
      return transfer.cancelRequested ? [undoing] : [deposit];
    case 'refunding':
      return [{ title: 'Devolución completa', when: 'Tu banco puede tardar unos días en mostrarla' }];
    default:
      return [];
  }
}

const undoing: ExpectedStep = { title: 'Cancelación', when: 'Pediste cancelar: lo estamos deshaciendo' };

/** What cancelling does to the money of a transfer that stands like this. */
export function moneyWhenCancelled(state: TransferState, amount: string): string {
  switch (state) {
    case 'awaiting_payment':
      return 'Todavía no pagaste este envío. Se cierra y no se cobra nada.';
    case 'in_review':
      return `Los ${amount} están reservados en tu tarjeta, no cobrados. La reserva se libera y no pagas nada. Tu banco puede tardar unos días en mostrarlo.`;
    default:
      return `Si tu tarjeta todavía no se cobró, la reserva se libera. Si ya se cobró, te devolvemos los ${amount} completos, comisión incluida. Tu banco puede tardar unos días en mostrarlo.`;
  }
}

/** What is left of a time, "12:05"; ms. Seconds are counted up, so that 0:00 means over. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Whether it may be cancelled at a moment (ms): what the server said holds until the hour it said. */
export function canCancel({ cancellable, cancellableUntil }: TransferView, now: number): boolean {
  return cancellable && (cancellableUntil === null || now <= Date.parse(cancellableUntil));
}

/** The recipient's name; a transfer may still be without one. */
export const nameOf = (transfer: TransferView) => transfer.recipient || 'Sin destinatario';
