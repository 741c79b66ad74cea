import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ClockName } from '#core/complaints/clocks';
import type { ComplaintState, Finding, Regime, Remedy } from '#core/complaints/complaint';

const clocks = {
  investigate: msg`Averiguar qué pasó`,
  tell: msg`Escribir el resultado`,
  answer: msg`Responder`,
  correct: msg`Corregir el error`,
} as const satisfies Record<ClockName, MessageDescriptor>;

const regimes = {
  reg_e: msg`Error según la Regulación E (Estados Unidos)`,
  psd2: msg`Queja según PSD2 (Unión Europea)`,
  own: msg`Queja sin plazo legal`,
} as const satisfies Record<Regime, MessageDescriptor>;

const states = {
  investigating: msg`Por investigar`,
  awaiting_approval: msg`Espera a una segunda persona`,
  correcting: msg`Por corregir`,
  closed: msg`Cerrado`,
  withdrawn: msg`Retirado por quien envía`,
} as const satisfies Record<ComplaintState, MessageDescriptor>;

const findings = {
  error: msg`Hubo un error`,
  no_error: msg`No hubo un error`,
  answered: msg`Respondido`,
} as const satisfies Record<Finding, MessageDescriptor>;

const remedies = {
  refund: msg`Devolver a la tarjeta`,
  fee_refund: msg`Devolver solo la comisión`,
  pay_again: msg`Pagar a la familia`,
  none: msg`Nada: ya está bien`,
} as const satisfies Record<Remedy, MessageDescriptor>;

export const clockLabel = (clock: ClockName): string => i18n._(clocks[clock]);
export const regimeLabel = (regime: Regime): string => i18n._(regimes[regime]);
export const complaintStateLabel = (state: ComplaintState): string => i18n._(states[state]);
export const findingLabel = (finding: Finding): string => i18n._(findings[finding]);
export const remedyLabel = (remedy: Remedy): string => i18n._(remedies[remedy]);
