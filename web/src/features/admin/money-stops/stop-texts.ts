import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { MoneyStopView } from '#core/contracts/http/money-stops';
import type { StopReach, StopScope } from '#core/money-stops/money-stop';

const titles = {
  captures: msg`Cobros de tarjetas parados`,
  payouts: msg`Pagos parados`,
  bank: msg`Pagos por banco parados`,
  everything: msg`Cobros y pagos parados`,
} as const;

/** What is stopped, as a heading. */
export const stopTitle = ({ scope, rail }: StopReach): string =>
  i18n._(scope === 'payouts' && rail ? titles[rail] : titles[scope]);

const halted = {
  captures: msg`Ninguna tarjeta se cobra. Los envíos aprobados esperan; la reserva en cada tarjeta sigue corriendo y puede vencer.`,
  payouts: msg`El banco no recibe ningún pago nuevo. Los envíos cobrados esperan.`,
  everything: msg`Ninguna tarjeta se cobra y el banco no recibe ningún pago nuevo. Los envíos aprobados y los cobrados esperan; la reserva en cada tarjeta sigue corriendo y puede vencer.`,
} as const satisfies Record<StopScope, unknown>;

const continuing = {
  captures: msg`Pagar lo ya cobrado, liberar tarjetas, devolver dinero, y recibir y revisar envíos.`,
  payouts: msg`Cobrar lo aprobado, liberar tarjetas, devolver dinero, y recibir y revisar envíos.`,
  everything: msg`Liberar tarjetas, devolver dinero, y recibir y revisar envíos.`,
} as const satisfies Record<StopScope, unknown>;

/** What waits under a stop. */
export const haltedText = (scope: StopScope): string => i18n._(halted[scope]);
/** What goes on under a stop. */
export const continuingText = (scope: StopScope): string => i18n._(continuing[scope]);

/** Why it was set: a person's own words, or the system's cause. */
export function reasonText({ reason, cause }: Pick<MoneyStopView, 'reason' | 'cause'>): string {
  if (cause === 'insufficient_funds') return t`en el banco no hay saldo para los pagos`;
  if (cause === 'daily_limit') return t`los pagos llegaron al límite diario del banco`;
  return reason ?? '';
}

/** Who set it. */
export const setByText = ({ set_by }: Pick<MoneyStopView, 'set_by'>): string => set_by ?? t`El sistema`;
