import { adminRoles } from '#core/accounts/admin-roles';
import { identityDeclineReasons, identityLevels } from '#core/accounts/tiers';
import { clockNames, reminderStages } from '#core/complaints/clocks';
import { complaintReasonNames, complaintWants, regimeNames, remedies } from '#core/complaints/complaint';
import type { Company } from '#core/contracts/company';
import { reminderProblems } from '#core/contracts/http/repeats';
import { type StopReach, stopCauseNames, stopScopeNames } from '#core/money-stops/money-stop';
import { caseReasonNames } from '#core/operations/desk-case';
import { guardRails } from '#core/rates/guard-rails';
import { causesOfNoTransfer } from '#core/reconciliation/cause';
import { questionCodes } from '#core/review/questions';
import { rejectionCodes } from '#core/review/rejection';
import { ownReasons } from '#core/transfers/own-reasons';
import { type EmailData, type EmailKind, emailKinds } from '../notifications/email-kinds.ts';

/** Who runs the installation that writes them. */
export const company: Company = {
  ...{ isDemonstration: false, name: 'Chasqui GmbH', address: 'Ring 1, 1010 Wien' },
  ...{ license: 'AT-0000', regulator: 'FMA', registerUrl: null, funds: null },
};

/** The transfer they are about. */
export const transferId = '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01';
const caseId = '0199b2d0-0000-4000-8000-0000000000aa';
export const at = '2026-11-29T14:05:00.000Z';
const transfer = { amount: '1250.00', currency: 'EUR', transferId } as const;
/** What of it went back before. */
const parts = { back: '250.00', left: '1000.00' };
export const unpaid = { ...transfer, bolivianos: '16140.50', correctBy: at };
export const step = {
  ...{ ...transfer, at, bolivianos: '16140.50', returned: '0.00', arrival: '2026-12-01T14:00:00.000Z' },
  ...{ bank: 'XYZ', account: '2211', reference: null, reason: null, rejectionCode: null, better: null },
  cancelRequestedAt: null,
};
const better = { rate: '13.50', accepted: '13.38', gained: '144.75' };
const reasons = [null, 'XYZ', ...Object.values(ownReasons)];

const complaint = { ...transfer, complaintId: caseId, reason: 'late', regime: 'reg_e', reportedAt: at } as const;
const again = { payout: '1291.17', bank: 'BISA', account: '5678' };
/** A correction by which all that was announced went back to the card, and the family has all. */
const wholly = { byBank: '0.00', announced: null, missing: null } as const;
const notAgain = { payout: null, bank: null, account: null };
const result = { ...complaint, explanation: 'XYZ', remedy: null, refund: null, correctBy: null, ...notAgain };

/** A reminder of a repeating transfer. */
const reminder: EmailData<'repeat_reminder'> = {
  ...{ reminderId: caseId, every: 'month', currency: 'EUR', problem: null, availableAt: null, lapsesAt: at },
  figures: { amount: '100.00', fee: '3.50', rate: '13.38', bolivianos: '1291.17', arrival: '2026-12-01T14:00:00.000Z' },
  ...{ bank: 'XYZ', account: '2211', measured: { count: 24, medianMinutes: 95, ninetiethMinutes: 1500 } },
};

const roleChange = { userId: caseId, name: 'Q' };

/** With an undo link, and without. */
const undone = [
  { changeId: caseId, undoUntil: at },
  { changeId: null, undoUntil: null },
] as const;

const bankPayouts: StopReach = { scope: 'payouts', rail: 'bank' };
const stopReaches: StopReach[] = [...stopScopeNames.map((scope) => ({ scope, rail: null })), bankPayouts];

/** Data for every kind, and its subject in Spanish and English; names and reasons are of neither language. */
export const emailSamples: {
  readonly [Kind in EmailKind]: { readonly data: readonly EmailData<Kind>[]; readonly subjects: readonly string[] };
} = {
  password_recovery: {
    data: [{ resetId: caseId }],
    subjects: ['Cambia tu contraseña de Chasqui', 'Change your Chasqui password'],
  },
  password_changed: {
    data: [false, true].flatMap((keptSession) => undone.map((undo) => ({ ...undo, changedAt: at, keptSession }))),
    subjects: ['Tu contraseña cambió', 'Your password changed'],
  },
  second_factor_changed: {
    data: emailKinds.second_factor_changed.shape.change.options.flatMap((change) =>
      undone.map((undo) => ({ ...undo, change, at, recoveryCodesLeft: 7, passkey: 'Pixel 9' })),
    ),
    subjects: ['Verificación en dos pasos', 'Two-step verification'],
  },
  new_device: {
    data: [
      { ...undone[0], at, browser: 'Safari', system: 'iPhone' },
      { ...undone[1], at, browser: null, system: null },
    ],
    subjects: ['Entraste en tu cuenta desde un equipo nuevo', 'You logged in to your account on a new device'],
  },
  email_proof: {
    data: [{ code: '048213' }],
    subjects: ['048213 es tu código para confirmar tu correo', '048213 is your code to confirm your email'],
  },
  identity_checked: {
    data: [null, ...identityDeclineReasons].flatMap((reason) => identityLevels.map((level) => ({ level, reason }))),
    subjects: ['Tu verificación de identidad', 'Your identity check'],
  },
  email_change: {
    data: [{ changeId: caseId }],
    subjects: ['Confirma tu correo nuevo en Chasqui', 'Confirm your new email address at Chasqui'],
  },
  email_changed: {
    data: undone.flatMap((undo) => ['xyz@example.com', null].map((newEmail) => ({ ...undo, newEmail, changedAt: at }))),
    subjects: ['El correo de tu cuenta cambió', 'The email address of your account changed'],
  },
  email_restored: {
    data: [null, at].map((since) => ({ restoredAt: at, since })),
    subjects: ['Recuperaste tu cuenta de Chasqui', 'You recovered your Chasqui account'],
  },
  email_withdrawn: {
    data: [{ restoredAt: at }],
    subjects: [
      'Tu dirección ya no es la de una cuenta de Chasqui',
      'Your address is no longer that of a Chasqui account',
    ],
  },
  account_closed: {
    data: [{ closedAt: at }],
    subjects: ['Cerramos tu cuenta de Chasqui', 'We closed your Chasqui account'],
  },
  rate_alert: {
    data: [{ currency: 'EUR', rate: '13.20', firedRate: '13.25' }],
    subjects: ['La tasa llegó a tu valor: 1 EUR = 13,25 Bs', 'The rate reached your value: 1 EUR = 13.25 BOB'],
  },
  repeat_reminder: {
    data: [
      reminder,
      { ...reminder, every: 'two_weeks', measured: null },
      { ...reminder, bank: null, account: null, measured: null },
      ...reminderProblems.map((problem) => ({ ...reminder, problem })),
      { ...reminder, problem: 'day_limit_reached', availableAt: at },
      { ...reminder, problem: 'payments_paused', figures: null },
    ],
    subjects: [' envío', ' transfer'],
  },
  rates_paused: {
    data: [{ currency: 'USD', lastUpdatedAt: at }],
    subjects: [
      'Envíos en USD en pausa: falta una tasa reciente',
      'Transfers in USD are paused: there is no recent rate',
    ],
  },
  rates_resumed: {
    data: [{ currency: 'USD', rate: '11.60', pausedAt: at }],
    subjects: ['Envíos en USD otra vez en marcha', 'Transfers in USD have resumed'],
  },
  rate_change_waiting: {
    data: [
      {
        currency: 'EUR',
        rate: '14.00',
        previousRate: '13.38',
        setBy: 'Ana',
        reason: 'XYZ',
        guardRails: [...guardRails],
      },
      { currency: 'EUR', rate: '14.00', previousRate: null, setBy: 'Ana', reason: null, guardRails: [] },
    ],
    subjects: [
      'Un cambio de tasa espera tu confirmación: 1 EUR = 14,00 Bs',
      'A rate change awaits your confirmation: 1 EUR = 14.00 BOB',
    ],
  },
  transfer_held: {
    data: [step],
    subjects: ['Recibimos tu envío de 1.250,00 EUR', 'We received your transfer of EUR 1,250.00'],
  },
  transfer_without_recipient: {
    data: [{ ...step, bank: null, account: null }],
    subjects: [
      'Elige quién recibe los Bs 16.140,50 de tu envío',
      'Choose who receives the BOB 16,140.50 of your transfer',
    ],
  },
  transfer_approved: {
    data: [step, { ...step, better }],
    subjects: ['Aprobamos tu envío de 1.250,00 EUR', 'We approved your transfer of EUR 1,250.00'],
  },
  transfer_cancel_requested: {
    data: [{ ...step, cancelRequestedAt: at }],
    subjects: [
      'Recibimos tu pedido de cancelar el envío de 1.250,00 EUR',
      'We received your request to cancel the transfer of EUR 1,250.00',
    ],
  },
  transfer_paid: {
    data: [
      { ...step, reference: 'BNB-20261129-7', byHand: false },
      { ...step, account: '', byHand: false },
      { ...step, better, byHand: false },
      { ...step, reference: 'BNB-20261129-7', byHand: true },
    ],
    subjects: ['Bs 16.140,50 a tu familia', 'BOB 16,140.50 to your family'],
  },
  transfer_received: {
    data: [step],
    subjects: ['Tu familia ya recibió los Bs 16.140,50', 'Your family has the BOB 16,140.50'],
  },
  transfer_rejected: {
    data: [
      ...reasons.map((reason) => ({ ...step, reason, mayBeCharged: reason === null })),
      ...rejectionCodes.map((rejectionCode) => ({ ...step, rejectionCode, mayBeCharged: false })),
      { ...step, rejectionCode: 'duplicate', reason: 'XYZ', mayBeCharged: true },
    ],
    subjects: ['No aprobamos tu envío de 1.250,00 EUR', 'We did not approve your transfer of EUR 1,250.00'],
  },
  transfer_cancelled: {
    data: [
      { ...step, mayBeCharged: false },
      { ...step, mayBeCharged: true },
    ],
    subjects: ['Cancelaste tu envío de 1.250,00 EUR', 'You cancelled your transfer of EUR 1,250.00'],
  },
  transfer_ended: {
    data: reasons.map((reason) => ({ ...step, reason, mayBeCharged: reason === null })),
    subjects: ['Tu envío de 1.250,00 EUR terminó', 'Your transfer of EUR 1,250.00 ended'],
  },
  transfer_refunded: {
    data: ['1250.00', '250.00'].flatMap((returned) => [
      { ...step, returned, byBank: '0.00', refundReference: null },
      { ...step, returned, byBank: returned, refundReference: 'TRF-77' },
      { ...step, returned, byBank: '100.00', refundReference: null },
    ]),
    subjects: ['Te devolvimos ', 'We refunded EUR '],
  },
  refund_failed: {
    data: [{ ...transfer, owed: '250.00' }],
    subjects: [
      'La devolución de 250,00 EUR no quedó en tu tarjeta',
      'The refund of EUR 250.00 did not stay on your card',
    ],
  },
  payout_delayed: {
    data: [step],
    subjects: [
      'El depósito de Bs 16.140,50 a tu familia se atrasa',
      'The deposit of BOB 16,140.50 to your family is delayed',
    ],
  },
  transfers_waiting: {
    data: [
      { arrived: 1, waiting: 4, oldestSince: at },
      { arrived: 3, waiting: 4, oldestSince: at },
    ],
    subjects: [' una decisión', ' a decision'],
  },
  transfer_question: {
    data: [
      ...questionCodes.map((code) => ({ ...transfer, code, note: null, answerBy: at })),
      { ...transfer, code: null, note: 'XYZ', answerBy: null },
    ],
    subjects: [
      'Necesitamos una respuesta sobre tu envío de 1.250,00 EUR',
      'We need an answer about your transfer of EUR 1,250.00',
    ],
  },
  question_answered: {
    data: [
      { ...transfer, decideBy: at },
      { ...transfer, decideBy: null },
    ],
    subjects: ['Quien envía 1.250,00 EUR respondió tu pregunta', 'The sender of EUR 1,250.00 answered your question'],
  },
  webhook_disabled: {
    data: [{ host: 'partner.example', failingSince: at }],
    subjects: ['Ya no enviamos avisos a partner.example', 'We no longer send events to partner.example'],
  },
  approval_waiting: {
    data: [
      { ...transfer, approvedBy: 'Ana', decideBy: at },
      { ...transfer, approvedBy: 'Ana', decideBy: null },
    ],
    subjects: ['Un envío de 1.250,00 EUR espera tu aprobación', 'A transfer of EUR 1,250.00 awaits your approval'],
  },
  book_exceptions: {
    data: [
      {
        found: causesOfNoTransfer.length,
        first: causesOfNoTransfer.map((cause) => {
          return { cause, amount: '-12.50', currency: 'BOB', day: '2026-11-29', reference: 'XYZ' };
        }),
      },
      { found: 1, first: [{ cause: 'bank_fee', amount: null, currency: 'BOB', day: '2026-11-29', reference: null }] },
      {
        found: 1,
        first: [
          { cause: 'return_unknown', amount: '10.00', currency: 'BOB', day: '2026-11-29', reference: 'foreign-1' },
        ],
      },
    ],
    subjects: [' de ningún envío', ' to no transfer'],
  },
  hold_ending: {
    data: [{ ...transfer, hours: 48, captureBefore: at }],
    subjects: [
      'Quedan menos de 48 horas para decidir sobre 1.250,00 EUR',
      'Less than 48 hours are left to decide on EUR 1,250.00',
    ],
  },
  payout_failed: {
    data: [
      { ...unpaid, returned: true, parts: null },
      { ...unpaid, returned: false, parts: null },
      { ...unpaid, returned: false, correctBy: null, transferId: null, parts: null },
      { ...unpaid, returned: true, parts },
      { ...unpaid, returned: true, correctBy: null, parts },
    ],
    subjects: ['El banco no pudo pagar tu envío', 'The bank could not pay your transfer'],
  },
  account_reminder: {
    data: [unpaid, { ...unpaid, correctBy: null }],
    subjects: ['Tu envío sigue esperando otra cuenta', 'Your transfer is still waiting for another account'],
  },
  account_not_corrected: {
    data: [
      { ...transfer, parts: null },
      { ...transfer, parts },
    ],
    subjects: ['Te devolvemos 1.', 'We are refunding EUR 1,'],
  },
  payout_returned_in_part: {
    data: [
      { transferId, returned: '100.00', arrived: '1191.17', bolivianos: '1291.17' },
      { transferId, returned: '191.17', arrived: '0.00', bolivianos: '1291.17' },
    ],
    subjects: ['El banco devolvió Bs', 'The bank returned BOB'],
  },
  rest_paid: {
    data: [
      {
        ...{ transferId, paid: '100.00', arrived: '1291.17', bolivianos: '1291.17' },
        ...{ bank: 'Banco FIE', account: '9999', reference: 'BO42' },
      },
      {
        ...{ transferId, paid: '100.00', arrived: '1191.17', bolivianos: '1291.17' },
        ...{ bank: 'Banco FIE', account: '', reference: null },
      },
    ],
    subjects: ['Depositamos los Bs 100,00 que faltaban', 'We deposited the missing BOB 100.00'],
  },
  rest_refunded: {
    data: [
      {
        ...{ transferId, refund: '7.48', currency: 'EUR', instead: '100.00' },
        ...{ arrived: '1191.17', bolivianos: '1291.17' },
      },
    ],
    subjects: ['Te devolvimos 7,48 EUR por lo que no llegó', 'We refunded EUR 7.48 for what did not arrive'],
  },
  case_opened: {
    data: caseReasonNames.map((reason) => ({ ...transfer, reason, caseId })),
    subjects: ['Un envío necesita a una persona: ', 'A transfer needs a person: '],
  },
  case_old: {
    data: caseReasonNames.map((reason) => ({ ...transfer, reason, caseId, transferId: null })),
    subjects: ['Sigue abierto después de un día: ', 'Still open after a day: '],
  },
  complaint_received: {
    data: [
      ...complaintReasonNames.map((reason) => ({ ...complaint, reason, wants: 'other', inTime: true }) as const),
      ...complaintWants.map((wants) => ({ ...complaint, wants, inTime: true })),
      ...regimeNames.map((regime) => ({ ...complaint, regime, wants: 'refund', inTime: false }) as const),
    ].map((data) => ({ ...data, description: 'XYZ', answerBy: at })),
    subjects: ['Recibimos tu reporte: ', 'We received your report: '],
  },
  complaint_delayed: {
    data: [{ ...complaint, regime: 'psd2', delay: 'XYZ', answerBy: at }],
    subjects: [
      'Tu reporte tarda más: te respondemos hasta el domingo, 29 de noviembre',
      'Your report takes longer: we answer by Sunday, November 29',
    ],
  },
  complaint_result: {
    data: [
      { ...result, finding: 'no_error' },
      ...regimeNames.map((regime) => ({ ...result, finding: 'answered', regime }) as const),
      ...remedies.map((remedy) => ({ ...result, finding: 'error', remedy, refund: '12.50', correctBy: at }) as const),
      { ...result, finding: 'error', remedy: 'pay_again', correctBy: at },
      { ...result, finding: 'error', remedy: 'pay_again', ...again, refund: '12.50', correctBy: at },
    ],
    subjects: ['tu reporte', 'your report'],
  },
  complaint_corrected: {
    data: [
      { ...complaint, ...wholly, remedy: 'refund', refund: '12.50', ...notAgain, reference: null },
      { ...complaint, ...wholly, remedy: 'pay_again', refund: '12.50', ...notAgain, reference: null },
      { ...complaint, ...wholly, remedy: 'pay_again', refund: null, ...notAgain, reference: null },
      { ...complaint, ...wholly, remedy: 'pay_again', refund: null, ...notAgain, reference: null, missing: '250.00' },
      { ...complaint, ...wholly, remedy: 'refund', refund: '12.50', byBank: '12.50', ...notAgain, reference: null },
      { ...complaint, ...wholly, remedy: 'refund', refund: '12.50', byBank: '2.50', ...notAgain, reference: null },
      { ...complaint, ...wholly, remedy: 'refund', refund: '12.50', announced: '60.00', ...notAgain, reference: null },
      { ...complaint, ...wholly, remedy: 'pay_again', refund: null, ...again, reference: 'BNB-991' },
    ],
    subjects: ['Corregimos el error que reportaste', 'We corrected the error that you reported'],
  },
  complaint_reopened: {
    data: [
      { ...complaint, ...again, refund: null, answerBy: at },
      { ...complaint, ...notAgain, refund: '12.50', answerBy: at },
    ],
    subjects: ['volvemos a mirar tu reporte', 'we look at your report again'],
  },
  complaint_withdrawn: {
    data: [complaint],
    subjects: ['Retiraste tu reporte: llegó tarde', 'You withdrew your report: it arrived late'],
  },
  complaint_opened: {
    data: [{ ...complaint, dueAt: at }],
    subjects: ['Un remitente reporta un problema: llegó tarde', 'A sender reports a problem: it arrived late'],
  },
  complaint_due: {
    data: clockNames.flatMap((clock) => reminderStages.map((stage) => ({ ...complaint, clock, stage, dueAt: at }))),
    subjects: ['Un reclamo ', 'A complaint is '],
  },
  complaint_waiting: {
    data: [
      { ...complaint, foundBy: 'Ana', refund: '12.50', ...notAgain },
      { ...complaint, foundBy: 'Ana', refund: null, ...again },
      { ...complaint, foundBy: 'Ana', refund: '12.50', ...again },
    ],
    subjects: ['El resultado de un reclamo espera tu aprobación', 'The result of a complaint awaits your approval'],
  },
  desk_request_waiting: {
    data: [
      { ...transfer, requestedBy: 'Ana', reason: 'XYZ', caseId },
      { ...transfer, requestedBy: 'Ana', reason: '', caseId, transferId: null },
    ],
    subjects: ['Un caso espera tu aprobación', 'A case awaits your approval'],
  },
  role_waiting: {
    data: adminRoles.map((role) => ({ userId: caseId, name: 'Q', role, requestedBy: 'X' })),
    subjects: ['Un rol espera tu confirmación: ', 'A role waits for your confirmation: '],
  },
  role_changed: {
    data: [
      { ...roleChange, from: null, role: 'reviewer', requestedBy: 'X', confirmedBy: 'Y' },
      { ...roleChange, from: null, role: 'owner', requestedBy: null, confirmedBy: null },
      { ...roleChange, from: 'owner', role: null, requestedBy: 'X', confirmedBy: null },
    ],
    subjects: ['Q ', 'Q '],
  },
  money_stopped: {
    data: [
      ...stopReaches.map((reach) => ({ ...reach, setBy: 'Ana', reason: 'XYZ', cause: null })),
      ...stopCauseNames.map((cause) => ({ ...bankPayouts, setBy: null, reason: null, cause })),
    ],
    subjects: ['Dinero parado: ', 'Money stopped: '],
  },
  money_stop_lift_waiting: {
    data: stopReaches.map((reach) => ({ ...reach, requestedBy: 'Ana', reason: 'XYZ' })),
    subjects: ['Una parada espera que la levantes: ', 'A stop waits for you to lift it: '],
  },
  money_stop_lifted: {
    data: stopReaches.map((reach) => ({
      ...{ ...reach, requestedBy: 'Ana', confirmedBy: 'Luis', reason: 'XYZ', setAt: at },
    })),
    subjects: ['Parada levantada: ', 'Stop lifted: '],
  },
};
