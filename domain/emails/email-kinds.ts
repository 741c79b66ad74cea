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

/** Deadline for naming another account; e-mails of a previous version have none. */
const correctBy = timestamp.nullable().default(null);
/** The transfer that the e-mail's link opens; e-mails of a previous version link to the dashboard. */
const transferId = z.uuid().nullable().default(null);
const caseId = z.uuid().nullable().default(null);
/** A transfer for the reader to open. */
const named = { amount: amountText, currency, transferId: z.uuid() };

/** The part of a charge returned earlier by refunds or a lost dispute, and the rest; null: nothing was returned. */
const parts = z.object({ back: amountText, left: amountText }).nullable().default(null);

/** The bolivianos that arrived and the promised amount. */
const received = { transferId: z.uuid(), arrived: amountText, bolivianos: amountText };

/** A transfer as of a step, frozen with the step (step-emails.ts). The account is already masked. */
const step = z.object({
  transferId: z.uuid(),
  /** When the step was made. */
  at: timestamp,
  amount: amountText,
  currency,
  bolivianos: amountText,
  /** Total refunded to the card. */
  returned: amountText,
  bank: z.string().nullable(),
  /** Last digits of the account. */
  account: z.string().nullable(),
  /** The bank's reference for the payout. */
  reference: z.string().nullable(),
  /** The reason for its end, as stored with the transfer. */
  reason: z.string().nullable(),
  /** The admin's rejection code; then the reason is their note. */
  rejectionCode: z.enum(rejectionCodes).nullable().default(null),
  /** The better rate that applies since the approval, the accepted rate, and how many bolivianos more it gives. */
  better: z.object({ rate: rateText, accepted: rateText, gained: amountText }).nullable().default(null),
  arrival: timestamp,
  /** When the sender requested a cancellation, or null. */
  cancelRequestedAt: timestamp.nullable().default(null),
});

/** A step that ends a transfer unpaid. `mayBeCharged`: the card was, or may have been, charged outside our system. */
const ended = step.extend({ mayBeCharged: z.boolean().default(false) });

/** A report as of the e-mail. */
const complaint = z.object({
  complaintId: z.uuid(),
  transferId: z.uuid(),
  /** The amount charged to the card. */
  amount: amountText,
  currency,
  reason: z.enum(complaintReasonNames),
  regime: z.enum(regimeNames),
  reportedAt: timestamp,
});
/** A second payout in bolivianos, and the last digits of its account. E-mails of a previous version have neither. */
const secondPayout = {
  payout: amountText.nullable().default(null),
  bank: z.string().nullable().default(null),
  account: z.string().nullable().default(null),
};
/** The same for admins. */
const complaintToHandle = complaint.omit({ reportedAt: true });

/** The scope of a money stop. */
const stopReach = { scope: z.enum(stopScopeNames), rail: z.enum(payoutRails).nullable() };

/**
 * The change that the e-mail's link can undo, and until when; null: no such link, as in e-mails of a previous version.
 */
const undoable = { changeId: z.uuid().nullable().default(null), undoUntil: timestamp.nullable().default(null) };

/** Every kind of e-mail with its data; the texts are in `email-texts-es.ts` and `email-texts-en.ts`. */
export const emailKinds = {
  /** Sent to a user who forgot the password. The link is created on sending and never stored. */
  password_recovery: z.object({ resetId: z.uuid() }),
  /**
   * Sent to a user who still has to prove the account's address. Code and link are created on sending and never stored.
   */
  email_proof: z.object({ code: z.string().default('') }),
  /** Sent after a password change: by such a link, or on a page, whose session then continues. */
  password_changed: z.object({ ...undoable, changedAt: timestamp, keptSession: z.boolean().default(false) }),
  /** Sent with the result of an identity check. */
  identity_checked: z.object({ level: z.enum(identityLevels), reason: z.enum(identityDeclineReasons).nullable() }),
  /** Sent after a change of the second factor; `reset`: Chasqui staff removed it because it was lost. */
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
  /** Sent after a sign-in with a browser that is new to the account. */
  new_device: z.object({ ...undoable, at: timestamp, browser: z.string().nullable(), system: z.string().nullable() }),
  /** Sent to the requested new address of an account. The link is created on sending and never stored. */
  email_change: z.object({ changeId: z.uuid() }),
  /**
   * Sent to the previous address of an account. `newEmail` is null if it was never proven, because then the reader may
   * be a stranger.
   */
  email_changed: z.object({ ...undoable, newEmail: z.string().nullable(), changedAt: timestamp }),
  /**
   * Sent to a user who undid an account change: the password no longer works, and second factors are those of before
   * `since`. E-mails of a previous version lack that date.
   */
  email_restored: z.object({ restoredAt: timestamp, since: timestamp.nullable().default(null) }),
  /** Sent to the address that an account lost when its owner undid a change. */
  email_withdrawn: z.object({ restoredAt: timestamp }),
  /** Sent to a user who closed the account. */
  account_closed: z.object({ closedAt: timestamp }),
  /** Sent to a sender whose rate alert fired. */
  rate_alert: z.object({ currency, rate: rateText, firedRate: rateText }),
  /** Sent to a sender on the day of a repeating transfer, with today's figures or the reason why it cannot be made. */
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
    /** Measured delivery times to this bank. */
    measured: z.object({ count: z.int(), medianMinutes: z.int(), ninetiethMinutes: z.int() }).nullable(),
    /** From when the amount fits the limits. */
    availableAt: timestamp.nullable(),
    lapsesAt: timestamp,
  }),
  /** Sent to every admin: the rate of a currency is too old, so payments in it pause. */
  rates_paused: z.object({ currency, lastUpdatedAt: timestamp }),
  rates_resumed: z.object({ currency, rate: rateText, pausedAt: timestamp }),
  /** Sent to every admin but the requester: a rate change awaits a second person. */
  rate_change_waiting: z.object({
    currency,
    rate: rateText,
    previousRate: rateText.nullable(),
    setBy: z.string(),
    reason: z.string().nullable(),
    guardRails: z.array(z.enum(guardRails)),
  }),
  /** Sent to a sender: the card is authorized and the transfer is being reviewed, or it has no recipient yet. */
  transfer_held: step,
  transfer_without_recipient: step,
  transfer_approved: step,
  /** Sent when a cancellation was requested and the bank has not confirmed yet whether it paid. */
  transfer_cancel_requested: step,
  /**
   * Sent to a sender: the payout arrived, with the bank's proof. `byHand`: paid by other means, and not necessarily to
   * the account.
   */
  transfer_paid: step.extend({ byHand: z.boolean().default(false) }),
  /** Sent to a sender: the recipient confirmed receipt. */
  transfer_received: step,
  /** Sent to a sender: the transfer ended without a charge, because it was rejected, cancelled or impossible. */
  transfer_rejected: ended,
  transfer_cancelled: ended,
  transfer_ended: ended,
  /**
   * Sent to a sender after a full or partial refund; the part refunded by bank transfer instead of to the card, and its
   * last reference.
   */
  transfer_refunded: step.extend({
    byBank: amountText.default('0.00'),
    refundReference: z.string().nullable().default(null),
  }),
  /** Sent to a sender: a refund to the card failed, and the amount is owed. */
  refund_failed: z.object({ ...named, owed: amountText }),
  /** Sent to a sender: the deposit is late. */
  payout_delayed: step,
  /** Sent to a sender: an admin has a question before deciding, and the deadline of the authorization. */
  transfer_question: z.object({
    ...named,
    code: z.enum(questionCodes).nullable(),
    note: z.string().nullable(),
    answerBy: timestamp.nullable(),
  }),
  /** Sent to the author of a question: the sender answered. */
  question_answered: z.object({ ...named, decideBy: timestamp.nullable() }),
  /**
   * Sent to a sender: the bank rejected or returned the payout. They may correct the account until `correctBy`; null:
   * refund only.
   */
  payout_failed: z.object({
    amount: amountText,
    currency,
    bolivianos: amountText,
    returned: z.boolean(),
    correctBy,
    transferId,
    parts,
  }),
  /** A reminder of the same, some days later. */
  account_reminder: z.object({ amount: amountText, currency, bolivianos: amountText, correctBy, transferId }),
  /**
   * Sent to a sender: the account was not corrected in time, or could not be (`mayCorrect`), and the money is refunded.
   */
  account_not_corrected: z.object({
    ...{ amount: amountText, currency, mayCorrect: z.boolean().default(true), transferId, parts },
  }),
  /** Sent to a sender: the bank returned a part of a deposit, or another part. */
  payout_returned_in_part: z.object({ ...received, returned: amountText }),
  /** Sent to a sender: the returned part was paid out, with the bank's proof. */
  rest_paid: z.object({
    ...{ ...received, paid: amountText, bank: z.string() },
    /** Last digits of the account. */
    account: z.string(),
    /** The bank's number of that payout. */
    reference: z.string().nullable(),
  }),
  /** Sent to a sender: the share of the charge for the returned part was refunded. */
  rest_refunded: z.object({
    ...{ ...received, refund: amountText, currency },
    /** The bolivianos that this share covers. */
    instead: amountText,
  }),
  /** Sent to every admin: transfers are waiting for review; one e-mail covers those of some minutes. */
  transfers_waiting: z.object({ arrived: z.int(), waiting: z.int(), oldestSince: timestamp }),
  /**
   * Sent to every admin who may approve: a transfer's first approval awaits a second person, and the deadline of the
   * authorization.
   */
  approval_waiting: z.object({ ...named, approvedBy: z.string(), decideBy: timestamp.nullable() }),
  /**
   * Sent to every admin: a comparison found differences that belong to no transfer, and so have no case; the first ones
   * by name.
   */
  book_exceptions: z.object({
    found: z.int(),
    first: z.array(
      z.object({
        cause: z.enum(causesOfNoTransfer),
        /** The surplus of the source over our books; null where it is not about money. */
        amount: amountText.nullable(),
        currency: z.enum(['EUR', 'USD', 'BOB']),
        day: z.iso.date(),
        /** The source's reference. */
        reference: z.string().nullable(),
      }),
    ),
  }),
  /** Sent to every admin: an authorization ends soon without a decision. */
  hold_ending: z.object({
    amount: amountText,
    currency,
    transferId: z.uuid(),
    hours: z.int(),
    captureBefore: timestamp,
  }),
  /** Sent to every admin: a partner's webhook kept failing and was disabled. */
  webhook_disabled: z.object({ host: z.string(), failingSince: timestamp }),
  /** Sent to every admin: a case was opened, or is still open after a day. */
  case_opened: z.object({ reason: z.enum(caseReasonNames), amount: amountText, currency, transferId, caseId }),
  case_old: z.object({ reason: z.enum(caseReasonNames), amount: amountText, currency, transferId, caseId }),
  /** Sent to a sender: we received the report, and our deadline. */
  complaint_received: complaint.extend({
    wants: z.enum(complaintWants),
    description: z.string(),
    inTime: z.boolean(),
    answerBy: timestamp,
  }),
  /** Sent to a sender: why the answer takes longer, and the new deadline. */
  complaint_delayed: complaint.extend({ delay: z.string(), answerBy: timestamp }),
  /** Sent to a sender: the result, with a remedy if there was an error. */
  complaint_result: complaint.extend({
    finding: z.enum(findings),
    explanation: z.string(),
    remedy: z.enum(remedies).nullable(),
    /** Refund to the card. */
    refund: amountText.nullable(),
    correctBy: timestamp.nullable(),
    ...secondPayout,
  }),
  /** Sent to a sender: the error was corrected. */
  complaint_corrected: complaint.extend({
    remedy: z.enum(remedies),
    /** The refund, and the part of it by bank transfer instead of to the card. */
    refund: amountText.nullable(),
    byBank: amountText.default('0.00'),
    /** The refund announced by the result, if more than `refund`. */
    announced: amountText.nullable().default(null),
    /** Promised bolivianos that did not arrive, because the bank returned them. */
    missing: amountText.nullable().default(null),
    ...secondPayout,
    /** The bank's number of that payout. */
    reference: z.string().nullable().default(null),
  }),
  /** Sent to a sender: the announced second payout or refund failed, and when the next result is due. */
  complaint_reopened: complaint.extend({
    ...secondPayout,
    refund: amountText.nullable().default(null),
    answerBy: timestamp,
  }),
  /** Sent to a sender who withdrew a report. */
  complaint_withdrawn: complaint,
  /** Sent to every admin: a sender reported a problem. */
  complaint_opened: complaintToHandle.extend({ dueAt: timestamp }),
  /** Sent to every admin: a deadline is near or was missed. */
  complaint_due: complaintToHandle.extend({
    clock: z.enum(clockNames),
    stage: z.enum(reminderStages),
    dueAt: timestamp,
  }),
  /** Sent to every admin but the author: a result awaits a second person. */
  complaint_waiting: complaintToHandle.extend({ foundBy: z.string(), refund: amountText.nullable(), ...secondPayout }),
  /** Sent to every admin but the requester: an action on a case awaits a second person. */
  desk_request_waiting: z.object({
    requestedBy: z.string(),
    reason: z.string(),
    amount: amountText,
    currency: z.enum(['EUR', 'USD', 'BOB']),
    transferId,
    caseId,
  }),
  /** Sent to every owner but the requester: a role awaits a second owner. */
  role_waiting: z.object({ userId: z.uuid(), name: z.string(), role: z.enum(adminRoles), requestedBy: z.string() }),
  /**
   * Sent to every owner: a role was changed or removed. `requestedBy` null: on the command line; `confirmedBy` null:
   * the new role has fewer permissions.
   */
  role_changed: z.object({
    ...{ userId: z.uuid(), name: z.string(), from: z.enum(adminRoles).nullable(), role: z.enum(adminRoles).nullable() },
    ...{ requestedBy: z.string().nullable(), confirmedBy: z.string().nullable() },
  }),
  /** Sent to every admin: an admin, or the system (null), stopped captures, payouts or both. */
  money_stopped: z.object({
    ...stopReach,
    reason: z.string().nullable(),
    cause: z.enum(stopCauseNames).nullable(),
    setBy: z.string().nullable(),
  }),
  /** Sent to every admin but the requester: lifting a money stop awaits a second person. */
  money_stop_lift_waiting: z.object({ ...stopReach, requestedBy: z.string(), reason: z.string() }),
  /** Sent to every admin: two people lifted a money stop, and when it was set. */
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
