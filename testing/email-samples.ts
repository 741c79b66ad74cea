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
import { type EmailData, type EmailKind, emailKinds } from '#domain/emails/email-kinds';

/** The operator of the installation. */
export const company: Company = {
  ...{ isDemonstration: false, name: 'Chasqui GmbH', address: 'Ring 1, 1010 Wien' },
  ...{ license: 'AT-0000', regulator: 'FMA', registerUrl: null, funds: null },
};

/** The transfer of the samples. */
export const transferId = '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01';
const caseId = '0199b2d0-0000-4000-8000-0000000000aa';
export const at = '2026-11-29T14:05:00.000Z';
const transfer = { amount: '1250.00', currency: 'EUR', transferId } as const;
/** The part returned before. */
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
/** A correction with a full refund to the card, without missing bolivianos. */
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

/** Data for every kind; names and reasons are language-neutral. */
export const emailSamples: { readonly [Kind in EmailKind]: { readonly data: readonly EmailData<Kind>[] } } = {
  password_recovery: {
    data: [{ resetId: caseId }],
  },
  password_changed: {
    data: [false, true].flatMap((keptSession) => undone.map((undo) => ({ ...undo, changedAt: at, keptSession }))),
  },
  second_factor_changed: {
    data: emailKinds.second_factor_changed.shape.change.options.flatMap((change) =>
      undone.map((undo) => ({ ...undo, change, at, recoveryCodesLeft: 7, passkey: 'Pixel 9' })),
    ),
  },
  new_device: {
    data: [
      { ...undone[0], at, browser: 'Safari', system: 'iPhone' },
      { ...undone[1], at, browser: null, system: null },
    ],
  },
  email_proof: {
    data: [{ code: '048213' }],
  },
  identity_checked: {
    data: [null, ...identityDeclineReasons].flatMap((reason) => identityLevels.map((level) => ({ level, reason }))),
  },
  email_change: {
    data: [{ changeId: caseId }],
  },
  email_changed: {
    data: undone.flatMap((undo) => ['xyz@example.com', null].map((newEmail) => ({ ...undo, newEmail, changedAt: at }))),
  },
  email_restored: {
    data: [null, at].map((since) => ({ restoredAt: at, since })),
  },
  email_withdrawn: {
    data: [{ restoredAt: at }],
  },
  account_closed: {
    data: [{ closedAt: at }],
  },
  rate_alert: {
    data: [{ currency: 'EUR', rate: '13.20', firedRate: '13.25' }],
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
  },
  rates_paused: {
    data: [{ currency: 'USD', lastUpdatedAt: at }],
  },
  rates_resumed: {
    data: [{ currency: 'USD', rate: '11.60', pausedAt: at }],
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
  },
  transfer_held: {
    data: [step],
  },
  transfer_without_recipient: {
    data: [{ ...step, bank: null, account: null }],
  },
  transfer_approved: {
    data: [step, { ...step, better }],
  },
  transfer_cancel_requested: {
    data: [{ ...step, cancelRequestedAt: at }],
  },
  transfer_paid: {
    data: [
      { ...step, reference: 'BNB-20261129-7', byHand: false },
      { ...step, account: '', byHand: false },
      { ...step, better, byHand: false },
      { ...step, reference: 'BNB-20261129-7', byHand: true },
    ],
  },
  transfer_received: {
    data: [step],
  },
  transfer_rejected: {
    data: [
      ...reasons.map((reason) => ({ ...step, reason, mayBeCharged: reason === null })),
      ...rejectionCodes.map((rejectionCode) => ({ ...step, rejectionCode, mayBeCharged: false })),
      { ...step, rejectionCode: 'duplicate', reason: 'XYZ', mayBeCharged: true },
    ],
  },
  transfer_cancelled: {
    data: [
      { ...step, mayBeCharged: false },
      { ...step, mayBeCharged: true },
    ],
  },
  transfer_ended: {
    data: reasons.map((reason) => ({ ...step, reason, mayBeCharged: reason === null })),
  },
  transfer_refunded: {
    data: ['1250.00', '250.00'].flatMap((returned) => [
      { ...step, returned, byBank: '0.00', refundReference: null },
      { ...step, returned, byBank: returned, refundReference: 'TRF-77' },
      { ...step, returned, byBank: '100.00', refundReference: null },
    ]),
  },
  refund_failed: {
    data: [{ ...transfer, owed: '250.00' }],
  },
  payout_delayed: {
    data: [step],
  },
  transfers_waiting: {
    data: [
      { arrived: 1, waiting: 4, oldestSince: at },
      { arrived: 3, waiting: 4, oldestSince: at },
    ],
  },
  transfer_question: {
    data: [
      ...questionCodes.map((code) => ({ ...transfer, code, note: null, answerBy: at })),
      { ...transfer, code: null, note: 'XYZ', answerBy: null },
    ],
  },
  question_answered: {
    data: [
      { ...transfer, decideBy: at },
      { ...transfer, decideBy: null },
    ],
  },
  webhook_disabled: {
    data: [{ host: 'partner.example', failingSince: at }],
  },
  approval_waiting: {
    data: [
      { ...transfer, approvedBy: 'Ana', decideBy: at },
      { ...transfer, approvedBy: 'Ana', decideBy: null },
    ],
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
  },
  hold_ending: {
    data: [{ ...transfer, hours: 48, captureBefore: at }],
  },
  payout_failed: {
    data: [
      { ...unpaid, returned: true, parts: null },
      { ...unpaid, returned: false, parts: null },
      { ...unpaid, returned: false, correctBy: null, transferId: null, parts: null },
      { ...unpaid, returned: true, parts },
      { ...unpaid, returned: true, correctBy: null, parts },
    ],
  },
  account_reminder: {
    data: [unpaid, { ...unpaid, correctBy: null }],
  },
  account_not_corrected: {
    data: [true, false].flatMap((mayCorrect) =>
      [null, parts].map((some) => ({ ...transfer, mayCorrect, parts: some })),
    ),
  },
  payout_returned_in_part: {
    data: [
      { transferId, returned: '100.00', arrived: '1191.17', bolivianos: '1291.17' },
      { transferId, returned: '191.17', arrived: '0.00', bolivianos: '1291.17' },
    ],
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
  },
  rest_refunded: {
    data: [
      {
        ...{ transferId, refund: '7.48', currency: 'EUR', instead: '100.00' },
        ...{ arrived: '1191.17', bolivianos: '1291.17' },
      },
    ],
  },
  case_opened: {
    data: caseReasonNames.map((reason) => ({ ...transfer, reason, caseId })),
  },
  case_old: {
    data: caseReasonNames.map((reason) => ({ ...transfer, reason, caseId, transferId: null })),
  },
  complaint_received: {
    data: [
      ...complaintReasonNames.map((reason) => ({ ...complaint, reason, wants: 'other', inTime: true }) as const),
      ...complaintWants.map((wants) => ({ ...complaint, wants, inTime: true })),
      ...regimeNames.map((regime) => ({ ...complaint, regime, wants: 'refund', inTime: false }) as const),
    ].map((data) => ({ ...data, description: 'XYZ', answerBy: at })),
  },
  complaint_delayed: {
    data: [{ ...complaint, regime: 'psd2', delay: 'XYZ', answerBy: at }],
  },
  complaint_result: {
    data: [
      { ...result, finding: 'no_error' },
      ...regimeNames.map((regime) => ({ ...result, finding: 'answered', regime }) as const),
      ...remedies.map((remedy) => ({ ...result, finding: 'error', remedy, refund: '12.50', correctBy: at }) as const),
      { ...result, finding: 'error', remedy: 'pay_again', correctBy: at },
      { ...result, finding: 'error', remedy: 'pay_again', ...again, refund: '12.50', correctBy: at },
    ],
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
  },
  complaint_reopened: {
    data: [
      { ...complaint, ...again, refund: null, answerBy: at },
      { ...complaint, ...notAgain, refund: '12.50', answerBy: at },
    ],
  },
  complaint_withdrawn: {
    data: [complaint],
  },
  complaint_opened: {
    data: [{ ...complaint, dueAt: at }],
  },
  complaint_due: {
    data: clockNames.flatMap((clock) => reminderStages.map((stage) => ({ ...complaint, clock, stage, dueAt: at }))),
  },
  complaint_waiting: {
    data: [
      { ...complaint, foundBy: 'Ana', refund: '12.50', ...notAgain },
      { ...complaint, foundBy: 'Ana', refund: null, ...again },
      { ...complaint, foundBy: 'Ana', refund: '12.50', ...again },
    ],
  },
  desk_request_waiting: {
    data: [
      { ...transfer, requestedBy: 'Ana', reason: 'XYZ', caseId },
      { ...transfer, requestedBy: 'Ana', reason: '', caseId, transferId: null },
    ],
  },
  role_waiting: {
    data: adminRoles.map((role) => ({ userId: caseId, name: 'Q', role, requestedBy: 'X' })),
  },
  role_changed: {
    data: [
      { ...roleChange, from: null, role: 'reviewer', requestedBy: 'X', confirmedBy: 'Y' },
      { ...roleChange, from: null, role: 'owner', requestedBy: null, confirmedBy: null },
      { ...roleChange, from: 'owner', role: null, requestedBy: 'X', confirmedBy: null },
    ],
  },
  money_stopped: {
    data: [
      ...stopReaches.map((reach) => ({ ...reach, setBy: 'Ana', reason: 'XYZ', cause: null })),
      ...stopCauseNames.map((cause) => ({ ...bankPayouts, setBy: null, reason: null, cause })),
    ],
  },
  money_stop_lift_waiting: {
    data: stopReaches.map((reach) => ({ ...reach, requestedBy: 'Ana', reason: 'XYZ' })),
  },
  money_stop_lifted: {
    data: stopReaches.map((reach) => ({
      ...{ ...reach, requestedBy: 'Ana', confirmedBy: 'Luis', reason: 'XYZ', setAt: at },
    })),
  },
};
