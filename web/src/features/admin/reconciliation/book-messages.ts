import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { BookExceptionView } from '#core/contracts/http/reconciliation';
import type { Cause, Side } from '#core/reconciliation/cause';
import type { ClosingRefusal } from '#core/reconciliation/closing';
import type { Tone } from '../../../ui/tone-badge.tsx';

export const sideNames: Readonly<Record<Side, MessageDescriptor>> = { stripe: msg`Stripe`, bank: msg`Banco` };

/** What is wrong, as a title (core/reconciliation/cause.ts says it at length). */
export const causeMessages: Readonly<Record<Cause, MessageDescriptor>> = {
  charge_missing: msg`Stripe no tiene este cobro`,
  charge_unbooked: msg`Stripe cobró y los libros no`,
  charge_doubled: msg`Stripe cobró dos veces`,
  charge_amount_differs: msg`Stripe cobró otro monto`,
  charge_day_differs: msg`El cobro está en otro día`,
  refund_missing: msg`Stripe no tiene esta devolución`,
  refund_unbooked: msg`Stripe devolvió y los libros no`,
  refund_doubled: msg`Stripe devolvió dos veces`,
  refund_amount_differs: msg`Stripe devolvió otro monto`,
  refund_day_differs: msg`La devolución está en otro día`,
  refund_overdue: msg`La devolución tarda demasiado`,
  dispute_missing: msg`Stripe no tiene esta disputa`,
  dispute_unbooked: msg`Una disputa no está en los libros`,
  dispute_doubled: msg`Stripe anotó la disputa dos veces`,
  dispute_amount_differs: msg`La disputa tiene otro monto`,
  dispute_day_differs: msg`La disputa está en otro día`,
  stripe_currency_differs: msg`Stripe lo tiene en otra moneda`,
  stripe_rounding: msg`Un centavo de redondeo en Stripe`,
  fee_changed: msg`Stripe cobró otra comisión`,
  stripe_unknown: msg`Movimiento de Stripe sin envío`,
  payout_missing: msg`El banco no tiene este pago`,
  payout_unbooked: msg`El banco pagó y los libros no`,
  payout_doubled: msg`El banco pagó dos veces`,
  payout_amount_differs: msg`El banco pagó otro monto`,
  payout_rounding: msg`Un centavo de redondeo en el banco`,
  payout_day_differs: msg`El pago está en otro día`,
  payout_reference_differs: msg`El banco tiene otro número del pago`,
  return_missing: msg`El banco no tiene este pago devuelto`,
  return_unbooked: msg`El banco devolvió un pago y los libros no`,
  return_doubled: msg`El banco devolvió un pago dos veces`,
  return_amount_differs: msg`El banco devolvió otro monto`,
  return_day_differs: msg`El pago devuelto está en otro día`,
  bank_currency_differs: msg`El banco lo tiene en otra moneda`,
  bank_fee: msg`Comisión del banco`,
  bank_debit_unknown: msg`Salida del banco sin envío`,
  bank_credit_unknown: msg`Entrada al banco sin envío`,
  return_unknown: msg`Devolución del banco sin envío, o que no se pudo leer`,
  bank_balance_gap: msg`El extracto empieza con otro saldo`,
};

export const exceptionStatuses: Readonly<
  Record<BookExceptionView['status'], { label: MessageDescriptor; tone: Tone }>
> = {
  open: { label: msg`Abierta`, tone: 'bad' },
  explained: { label: msg`Explicada`, tone: 'good' },
  accepted: { label: msg`Aceptada`, tone: 'good' },
  settled: { label: msg`Se resolvió sola`, tone: 'quiet' },
};

/** Why a day cannot be closed. */
export const refusalMessages: Readonly<Record<ClosingRefusal, MessageDescriptor>> = {
  not_ended: msg`El día no terminó.`,
  not_next: msg`Antes hay que cerrar otro día.`,
  closed: msg`Ya está cerrado.`,
  stripe_missing: msg`Faltan movimientos de Stripe.`,
  bank_missing: msg`Falta el extracto del banco.`,
  not_compared: msg`Hay que comparar otra vez.`,
  exceptions_open: msg`Hay diferencias abiertas.`,
  not_even: msg`No cuadra, y nadie sabe por qué.`,
};
