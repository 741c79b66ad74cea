import { z } from 'zod';
import { adminRoles } from '#core/accounts/admin-roles';
import { identityDeclineReasons, identityLevels } from '#core/accounts/tiers';
import { clockNames, reminderStages } from '#core/complaints/clocks';
import { complaintReasonNames, complaintWants, findings, regimeNames, remedies } from '#core/complaints/complaint';
import { reminderProblems } from '#core/contracts/http/repeats';
import { amountText, currency, rateText, timestamp } from '#core/contracts/http/values';
import { payoutRails, stopCauseNames, stopScopeNames } from '#core/money-stops/money-stop';
import { caseReasonNames } from '#core/operations/desk-case';
import { guardRails } from '#core/rates/guard-rails';
import { causesOfNoTransfer } from '#core/reconciliation/cause';
import { rhythms } from '#core/repeats/schedule';
import { questionCodes } from '#core/review/questions';
import { rejectionCodes } from '#core/review/rejection';

/** Until when another account may be named; e-mails of an earlier version have no such date. */
const correctBy = timestamp.nullable().default(null);
/** What the e-mail's link opens; e-mails of an earlier version lead to the whole panel. */
const transferId = z.uuid().nullable().default(null);
const caseId = z.uuid().nullable().default(null);
/** A transfer that a person is to open. */
const named = { amount: amountText, currency, transferId: z.uuid() };

/** What of a charge went back before, by refunds or a lost dispute, and what is left of it; null: nothing went back. */
const parts = z.object({ back: amountText, left: amountText }).nullable().default(null);

/** What a family has of what it was promised, in bolivianos. */
const received = { transferId: z.uuid(), arrived: amountText, bolivianos: amountText };

/** A transfer as a step left it, frozen with the step (step-emails.ts). The account is masked already. */
const step = z.object({
  transferId: z.uuid(),
  /** When the step was made. */
  at: timestamp,
  amount: amountText,
  currency,
  bolivianos: amountText,
  /** What has gone back to the card. */
  returned: amountText,
  bank: z.string().nullable(),
  /** Last digits of the account. */
  account: z.string().nullable(),
  /** Reference the bank gave for the payout. */
  reference: z.string().nullable(),
  /** Why it ended, as it is stored with the transfer. */
  reason: z.string().nullable(),
  /** Why an admin rejected it; then the reason is their note. */
  rejectionCode: z.enum(rejectionCodes).nullable().default(null),
  /** The rate that applies because it was better at the approval, the accepted one, and how many bolivianos more it gives. */
  better: z.object({ rate: rateText, accepted: rateText, gained: amountText }).nullable().default(null),
  arrival: timestamp,
  /** When the sender requested a cancellation, or null. */
  cancelRequestedAt: timestamp.nullable().default(null),
});

/** The same for a step that ends a transfer unpaid. `mayBeCharged`: Stripe says, or may say, that the card was charged without our asking. */
const ended = step.extend({ mayBeCharged: z.boolean().default(false) });

/** A problem that a sender reported, as it was when they were written to. */
const complaint = z.object({
  complaintId: z.uuid(),
  transferId: z.uuid(),
  /** What the card pays. */
  amount: amountText,
  currency,
  reason: z.enum(complaintReasonNames),
  regime: z.enum(regimeNames),
  reportedAt: timestamp,
});
/** What a family is paid a second time, in bolivianos, and the end of which account. E-mails of an earlier version know none. */
const secondPayout = {
  payout: amountText.nullable().default(null),
  bank: z.string().nullable().default(null),
  account: z.string().nullable().default(null),
};
/** The same for admins. */
const complaintToHandle = complaint.omit({ reportedAt: true });

/** What a money stop halts. */
const stopReach = { scope: z.enum(stopScopeNames), rail: z.enum(payoutRails).nullable() };

/** The change that the e-mail's link undoes, and until when; null: it carries no such link, as in e-mails of an earlier version. */
const undoable = { changeId: z.uuid().nullable().default(null), undoUntil: timestamp.nullable().default(null) };

/** Every kind of e-mail with its data; the texts are in `email-texts-es.ts` and `email-texts-en.ts`. */
export const emailKinds = {
  /** To a person who forgot the password. Its link is created when it is sent and never stored. */
  password_recovery: z.object({ resetId: z.uuid() }),
  /** To a person who still has to prove the address of their account. Its code and link are created when it is sent; its row has neither. */
  email_proof: z.object({ code: z.string().default('') }),
  /** To a person whose password was changed: with such a link, or on a page, whose session then goes on. */
  password_changed: z.object({ ...undoable, changedAt: timestamp, keptSession: z.boolean().default(false) }),
  /** To a person: the result of a check of who they are. */
  identity_checked: z.object({ level: z.enum(identityLevels), reason: z.enum(identityDeclineReasons).nullable() }),
  /** To a person about the second step of their sign-in; `reset`: somebody of Chasqui took it away, since they had lost it. */
  second_factor_changed: z.object({
    ...undoable,
    change: z.enum([
      'added',
      'app_added',
      'removed',
      'app_removed',
      'passkey_added',
      'passkey_removed',
      'reset',
      'codes_renewed',
      'recovery_code_used',
    ]),
    at: timestamp,
    recoveryCodesLeft: z.int().min(0),
    /** The name of the passkey it is about. */
    passkey: z.string().optional(),
  }),
  /** To a person: somebody signed in to their account with a browser that had not before. */
  new_device: z.object({ ...undoable, at: timestamp, browser: z.string().nullable(), system: z.string().nullable() }),
  /** To an address that is to become a person's. Its link is created when it is sent and never stored. */
  email_change: z.object({ changeId: z.uuid() }),
  /** To the address that was a person's until now. `newEmail` is null when that one was never proven: its reader may be a stranger. */
  email_changed: z.object({ ...undoable, newEmail: z.string().nullable(), changedAt: timestamp }),
  /**
   * To a person who undid a change of their account: their password does not work any more, and second factors are those of before
   * `since`. E-mails of an earlier version do not know it.
   */
  email_restored: z.object({ restoredAt: timestamp, since: timestamp.nullable().default(null) }),
  /** To the address that an account lost when its owner undid a change. */
  email_withdrawn: z.object({ restoredAt: timestamp }),
  /** To a person who closed their account. */
  account_closed: z.object({ closedAt: timestamp }),
  /** To a sender: the rate they waited for was reached. */
  rate_alert: z.object({ currency, rate: rateText, firedRate: rateText }),
  /** To a sender: the day of a transfer that they repeat has come, with today's figures, or what keeps it from being made. */
  repeat_reminder: z.object({
    reminderId: z.uuid(),
    every: z.enum(rhythms),
    currency,
    problem: z.enum(reminderProblems).nullable(),
    figures: z
      .object({ amount: amountText, fee: amountText, rate: rateText, bolivianos: amountText, arrival: timestamp })
      .nullable(),
    bank: z.string().nullable(),
    /** Last digits of the account. */
    account: z.string().nullable(),
    /** How soon the last payouts to this bank arrived. */
    measured: z.object({ count: z.int(), medianMinutes: z.int(), ninetiethMinutes: z.int() }).nullable(),
    /** From when on it fits under the limits. */
    availableAt: timestamp.nullable(),
    lapsesAt: timestamp,
  }),
  /** To every admin: nothing recent is known of a currency, so nobody can pay in it. */
  rates_paused: z.object({ currency, lastUpdatedAt: timestamp }),
  rates_resumed: z.object({ currency, rate: rateText, pausedAt: timestamp }),
  /** To every admin but the one who asked: a change of rate waits for a second person. */
  rate_change_waiting: z.object({
    currency,
    rate: rateText,
    previousRate: rateText.nullable(),
    setBy: z.string(),
    reason: z.string().nullable(),
    guardRails: z.array(z.enum(guardRails)),
  }),
  /** To a sender: the card is held and the transfer is being reviewed; or the same, and nobody was chosen to receive it. */
  transfer_held: step,
  transfer_without_recipient: step,
  transfer_approved: step,
  /** The sender requested a cancellation, and the bank has not confirmed yet whether it paid. */
  transfer_cancel_requested: step,
  /** To a sender: the family was paid, with the bank's proof. `byHand`: by other means than the payout, and not necessarily to the account. */
  transfer_paid: step.extend({ byHand: z.boolean().default(false) }),
  /** To a sender: the family said that they have the money. */
  transfer_received: step,
  /** To a sender: it ended without a charge, because an admin said no, they cancelled it, or it could not go on. */
  transfer_rejected: ended,
  transfer_cancelled: ended,
  transfer_ended: ended,
  /** To a sender: money went back, all of it or a part; what of it by bank transfer instead of to the card, and the last number of those. */
  transfer_refunded: step.extend({
    byBank: amountText.default('0.00'),
    refundReference: z.string().nullable().default(null),
  }),
  /** To a sender: a refund did not stay on the card, and is owed to them. */
  refund_failed: z.object({ ...named, owed: amountText }),
  /** To a sender: the deposit takes longer than promised. */
  payout_delayed: step,
  /** To a sender: an admin asks something before deciding; until when the card is held. */
  transfer_question: z.object({
    ...named,
    code: z.enum(questionCodes).nullable(),
    note: z.string().nullable(),
    answerBy: timestamp.nullable(),
  }),
  /** To the admin who asked: the sender answered. */
  question_answered: z.object({ ...named, decideBy: timestamp.nullable() }),
  /** To a sender: the bank refused or returned the payout; another account until `correctBy`, or the money back. Null: only the money back. */
  payout_failed: z.object({
    amount: amountText,
    currency,
    bolivianos: amountText,
    returned: z.boolean(),
    correctBy,
    transferId,
    parts,
  }),
  /** The same again, some days later. */
  account_reminder: z.object({ amount: amountText, currency, bolivianos: amountText, correctBy, transferId }),
  /** To a sender: they named no other account in time, or could not (`mayCorrect`), and the money goes back. */
  account_not_corrected: z.object({
    ...{ amount: amountText, currency, mayCorrect: z.boolean().default(true), transferId, parts },
  }),
  /** To a sender: the bank returned a part of a deposit, or more of it. */
  payout_returned_in_part: z.object({ ...received, returned: amountText }),
  /** To a sender: the bank paid what it had returned, with its proof. */
  rest_paid: z.object({
    ...{ ...received, paid: amountText, bank: z.string() },
    /** Last digits of the account. */
    account: z.string(),
    /** The bank's number of that payout. */
    reference: z.string().nullable(),
  }),
  /** To a sender: the share of the charge went back for what the bank had returned. */
  rest_refunded: z.object({
    ...{ ...received, refund: amountText, currency },
    /** The bolivianos whose share it is. */
    instead: amountText,
  }),
  /** To every admin: transfers were paid and wait for a decision; one e-mail for those of some minutes. */
  transfers_waiting: z.object({ arrived: z.int(), waiting: z.int(), oldestSince: timestamp }),
  /** To every admin who may give it: a transfer's first approval waits for a second person's; until when the card is held. */
  approval_waiting: z.object({ ...named, approvedBy: z.string(), decideBy: timestamp.nullable() }),
  /** To every admin: a comparison found differences that belong to no transfer, and so have no case; the first ones by name. */
  book_exceptions: z.object({
    found: z.int(),
    first: z.array(
      z.object({
        cause: z.enum(causesOfNoTransfer),
        /** What the source has more than our books; null where it is not about money. */
        amount: amountText.nullable(),
        currency: z.enum(['EUR', 'USD', 'BOB']),
        day: z.iso.date(),
        /** The source's number. */
        reference: z.string().nullable(),
      }),
    ),
  }),
  /** To every admin: an authorization ends soon and nobody has decided. */
  hold_ending: z.object({
    amount: amountText,
    currency,
    transferId: z.uuid(),
    hours: z.int(),
    captureBefore: timestamp,
  }),
  /** To every admin: a partner's address took no events for long, and nothing is sent there any more. */
  webhook_disabled: z.object({ host: z.string(), failingSince: timestamp }),
  /** To every admin: something needs a person, or still does after a day. */
  case_opened: z.object({ reason: z.enum(caseReasonNames), amount: amountText, currency, transferId, caseId }),
  case_old: z.object({ reason: z.enum(caseReasonNames), amount: amountText, currency, transferId, caseId }),
  /** To a sender: we have their report, and until when we answer. */
  complaint_received: complaint.extend({
    wants: z.enum(complaintWants),
    description: z.string(),
    inTime: z.boolean(),
    answerBy: timestamp,
  }),
  /** To a sender: why the answer takes longer, and until when it comes. */
  complaint_delayed: complaint.extend({ delay: z.string(), answerBy: timestamp }),
  /** To a sender: the result. With a remedy where there was an error. */
  complaint_result: complaint.extend({
    finding: z.enum(findings),
    explanation: z.string(),
    remedy: z.enum(remedies).nullable(),
    /** What goes back to the card. */
    refund: amountText.nullable(),
    correctBy: timestamp.nullable(),
    ...secondPayout,
  }),
  /** To a sender: the error is corrected. */
  complaint_corrected: complaint.extend({
    remedy: z.enum(remedies),
    /** What went back, and what of it by bank transfer and not to the card. */
    refund: amountText.nullable(),
    byBank: amountText.default('0.00'),
    /** What was to go back by the result, where more than `refund`. */
    announced: amountText.nullable().default(null),
    /** Bolivianos of the promise that the family does not have, because the bank returned them. */
    missing: amountText.nullable().default(null),
    ...secondPayout,
    /** The bank's number of that payout. */
    reference: z.string().nullable().default(null),
  }),
  /** To a sender: the second payout or the refund that was announced does not come, and until when another result comes. */
  complaint_reopened: complaint.extend({
    ...secondPayout,
    refund: amountText.nullable().default(null),
    answerBy: timestamp,
  }),
  /** To a sender: they took their report back. */
  complaint_withdrawn: complaint,
  /** To every admin: a sender reported a problem. */
  complaint_opened: complaintToHandle.extend({ dueAt: timestamp }),
  /** To every admin: a deadline ends soon, or has ended. */
  complaint_due: complaintToHandle.extend({
    clock: z.enum(clockNames),
    stage: z.enum(reminderStages),
    dueAt: timestamp,
  }),
  /** To every admin but the one who wrote it: a result waits for a second person. */
  complaint_waiting: complaintToHandle.extend({ foundBy: z.string(), refund: amountText.nullable(), ...secondPayout }),
  /** To every admin but the one who asked: an action about a case waits for a second person. */
  desk_request_waiting: z.object({
    requestedBy: z.string(),
    reason: z.string(),
    amount: amountText,
    currency: z.enum(['EUR', 'USD', 'BOB']),
    transferId,
    caseId,
  }),
  /** To every owner but the one who requested it: a role waits for a second owner. */
  role_waiting: z.object({ userId: z.uuid(), name: z.string(), role: z.enum(adminRoles), requestedBy: z.string() }),
  /** To every owner: a person has another role, or none. `requestedBy` null: on the command line; `confirmedBy` null: it permits less. */
  role_changed: z.object({
    ...{ userId: z.uuid(), name: z.string(), from: z.enum(adminRoles).nullable(), role: z.enum(adminRoles).nullable() },
    ...{ requestedBy: z.string().nullable(), confirmedBy: z.string().nullable() },
  }),
  /** To every admin: an admin, or the system (null), stopped captures, payouts or both. */
  money_stopped: z.object({
    ...stopReach,
    reason: z.string().nullable(),
    cause: z.enum(stopCauseNames).nullable(),
    setBy: z.string().nullable(),
  }),
  /** To every admin but the one who requested it: the lift of a money stop waits for a second person. */
  money_stop_lift_waiting: z.object({ ...stopReach, requestedBy: z.string(), reason: z.string() }),
  /** To every admin: two people lifted a money stop; when it was set. */
  money_stop_lifted: z.object({
    ...stopReach,
    requestedBy: z.string(),
    confirmedBy: z.string(),
    reason: z.string(),
    setAt: timestamp,
  }),
} as const;
export type EmailKind = keyof typeof emailKinds;
export type EmailData<Kind extends EmailKind> = z.infer<(typeof emailKinds)[Kind]>;
