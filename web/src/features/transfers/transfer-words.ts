import type { TransferState } from '#core/transfer-states';

/** What each step means to the sender. */
export const stepWords: Readonly<Record<TransferState, string>> = {
  awaiting_payment: 'Envío preparado',
  in_review: 'Pago recibido: el monto está reservado en tu tarjeta',
  approved: 'Envío aprobado',
  captured: 'Tarjeta cobrada, el dinero va a Bolivia',
  completed: 'Depositado en Bolivia',
  rejected: 'Rechazado: se liberó la reserva, no se cobró nada',
  cancelled: 'Cancelado: no se cobró nada',
  failed: 'No se pudo cobrar la tarjeta; no se cobró nada',
  expired: 'Vencido: no se cobró nada',
  refunding: 'El banco no pudo pagar: tu dinero vuelve a tu tarjeta',
  refunded: 'Devuelto completo a tu tarjeta',
};
