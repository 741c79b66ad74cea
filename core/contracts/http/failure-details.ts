import { z } from 'zod';
import { sessionEndReasons } from '../../accounts/session-end.ts';
import { holdReasonNames } from '../../holds/holds.ts';
import { guardRails } from '../../rates/guard-rails.ts';
import { closingRefusalNames } from '../../reconciliation/closing.ts';
import { screeningStatusNames } from '../../review/screening.ts';
import { type FailureCode, failureCodes } from '../failure-codes.ts';
import { type FieldProblem, type FieldProblemCode, fieldSentences, plainFieldProblems } from '../field-problems.ts';
import { refusedFieldSentences } from '../refused-fields.ts';
import { adminTransferView } from './admin.ts';
import { rateChangeView } from './admin-rates.ts';
import { adminComplaintView } from './complaints.ts';
import { deskCaseView } from './operations.ts';
import { quoteView } from './rates.ts';
import { knownRecipient } from './recipients.ts';
import { transferView } from './transfers.ts';
import { amountText, currency, id, timestamp } from './values.ts';

const none = z.object({});
/** The id of the request, which support finds in the log. */
const ofRequest = z.object({ reference: z.string().optional() });
const seconds = z.int().positive();
const count = z.int().positive();
const fieldProblemCodes = [
  ...(Object.keys({ ...fieldSentences, ...refusedFieldSentences }) as FieldProblemCode[]),
  ...plainFieldProblems,
];
/** The problem of each field, by its dotted path: a Spanish sentence, and the same as a code with the requirement. */
const wrongFields = z.object({
  fields: z.record(z.string(), z.string()),
  problems: z.record(
    z.string(),
    z.object({ code: z.enum(fieldProblemCodes), least: z.number().optional(), most: z.number().optional() }),
  ),
});
/** The step that raises the person's limit, and the new limit; null if there is no further step. */
const nextStep = z
  .object({ tier: z.enum(['identity', 'document']), limitUsd: amountText, limit: amountText })
  .nullable()
  .optional();
/** A limit of a sender over a time, and when this amount fits under every limit if nothing else is paid; null: never. */
const windowLimit = z.object({
  limitUsd: amountText,
  leftUsd: amountText,
  /** The remaining limit in the currency of the transfer. */
  left: amountText,
  currency,
  availableAt: timestamp.nullable(),
  next: nextStep,
});
/** The conflicting or requested change of rate in its current state; only its id if it no longer exists. */
const withRateChange = z.object({ change: rateChangeView.optional(), changeId: z.string().optional() });
/** What kinds of second factor the account has: without an app a code can only be one of recovery. */
const factorKinds = z.object({ app: z.boolean(), passkey: z.boolean() });
/** The transfer as it is now. */
const withTransfer = z.object({ transaction: transferView });
/** The case as it is now, where the failure is about one. */
const withCase = z.object({ case: deskCaseView.optional() });

/**
 * What every failure says besides its code: figures, dates and names as data, so that a client can write its own sentence in any
 * language. A code that is missing does not compile.
 */
export const failureDetails = {
  invalid_input: wrongFields,
  malformed_body: none,
  body_too_large: none,
  unsupported_media_type: none,
  /** Why the session ended, if it was not ended by a person. */
  unauthenticated: z.object({ reason: z.enum(sessionEndReasons).optional() }),
  invalid_credentials: none,
  forbidden: none,
  wrong_origin: none,
  not_found: none,
  method_not_allowed: none,
  /** Also in the header `Retry-After`. */
  too_many_requests: z.object({ retryAfterSeconds: seconds.optional() }),
  email_taken: none,
  recovery_link_unknown: none,
  recovery_link_expired: z.object({ validForSeconds: seconds }),
  recovery_link_used: none,
  recovery_link_replaced: none,
  mail_unavailable: none,
  notifications_unavailable: none,
  push_service_unknown: none,
  wrong_password: none,
  second_factor_required: factorKinds,
  second_factor_wrong: none,
  second_factor_changed: none,
  second_factor_missing: none,
  second_factor_stale: factorKinds,
  sign_in_expired: none,
  passkey_refused: none,
  passkey_exists: none,
  too_many_passkeys: z.object({ most: count }),
  name_in_use: none,
  /** How many of each are not at their end. */
  account_busy: z.object({ transfers: z.int().min(0), complaints: z.int().min(0), cases: z.int().min(0) }),
  account_closed: none,
  email_unchanged: none,
  email_link_dead: none,
  account_blocked: none,
  email_unproven: none,
  email_code_wrong: none,
  admin_not_blockable: none,
  idempotency_key_reused: none,
  rate_unavailable: none,
  rate_changed: z.object({ quote: quoteView }),
  payments_paused: z.object({ currency }),
  rate_reason_required: z.object({
    guardRails: z.array(z.enum(guardRails)),
    /** The change is wanted at a later hour. */
    scheduled: z.literal(true).optional(),
  }),
  rate_change_open: withRateChange,
  rate_change_closed: withRateChange,
  second_person_needed: none,
  alert_already_met: none,
  too_many_alerts: z.object({ most: count }),
  too_many_repeats: z.object({ most: count }),
  reminder_closed: none,
  amount_too_small: z.object({ minimum: amountText, currency }),
  /** The same most in US dollars and, rounded down, in the currency of the transfer. */
  amount_too_large: z.object({ maximumUsd: amountText, maximum: amountText, currency, next: nextStep }),
  day_limit_reached: windowLimit,
  month_limit_reached: windowLimit,
  identity_missing: none,
  identity_settled: none,
  document_in_use: none,
  too_many_unpaid_transfers: z.object({ most: count }),
  /** From when cards are taken again. */
  too_many_declines: z.object({ availableAt: timestamp }),
  transfer_not_payable: none,
  too_many_recipients: z.object({ most: count }),
  /** Who it may be among one's own, and by what. */
  recipient_exists: knownRecipient,
  /** The name that was typed, and the initials of the bank's. */
  name_not_confirmed: z.object({ name: z.string(), bankSays: z.string().nullable() }),
  birth_date_required: wrongFields,
  under_age: z.object({ minimumAge: count }),
  recipient_missing: none,
  recipient_not_open: none,
  payment_not_completed: none,
  payment_not_started: none,
  payment_provider_unavailable: none,
  crypto_unavailable: none,
  crypto_destination_refused: none,
  crypto_amount_out_of_range: z.object({ minimum: amountText, maximum: amountText, currency: z.literal('USD') }),
  onramp_not_started: none,
  already_decided: withCase.extend({
    transaction: adminTransferView.optional(),
    /** The admin's name, or "you". */
    decidedBy: z.string().optional(),
    /** The request of the operations desk that was decided. */
    request: id.optional(),
  }),
  not_awaiting_decision: z.object({ transaction: adminTransferView }),
  own_transfer: none,
  /** A colleague is deciding about it. */
  claimed: z.object({ claimedBy: z.string(), until: timestamp }),
  /** Why the money of the transfer has to stay where it is. */
  transfer_held: z.object({ holds: z.array(z.enum(holdReasonNames)) }),
  /** The status of the sanctions screening. */
  screening_needed: z.object({ screening: z.enum(screeningStatusNames) }),
  screening_decided: none,
  too_many_questions: z.object({ most: count }),
  question_closed: withTransfer,
  case_resolved: withCase,
  action_not_possible: withCase,
  request_pending: withCase,
  request_ended: withCase,
  /** The transfer as it is now. */
  approval_changed: z.object({ transaction: adminTransferView }),
  proof_missing: none,
  amount_differs: withCase,
  own_request: none,
  /** From when on they can. */
  role_too_new: z.object({ from: timestamp }),
  second_owner_missing: none,
  money_stop_active: none,
  money_stop_lifted: none,
  lift_already_requested: none,
  lift_not_requested: none,
  exception_decided: none,
  day_not_closable: z.object({ refusals: z.array(z.enum(closingRefusalNames)) }),
  /** Where in the file, from 1, and why, in English as the file's own terms are. */
  statement_unreadable: z.object({ line: z.int().nullable(), reason: z.string() }),
  complaint_open: none,
  /** The report as it is now. */
  complaint_overtaken: z.object({ complaint: adminComplaintView.optional() }),
  complaint_decided: none,
  too_many_files: z.object({ most: count }),
  account_not_correctable: none,
  cancel_too_late: withTransfer.extend({ windowSeconds: seconds }),
  already_deposited: withTransfer,
  already_ended: withTransfer,
  already_returning: withTransfer,
  /** Only a cancellation is refused with the transfer as it is now. */
  settlement_in_progress: z.object({ transaction: transferView.optional() }),
  invalid_signature: none,
  unavailable: ofRequest,
  internal: ofRequest,
} as const satisfies Record<FailureCode, z.ZodObject>;

/** The details of a failure. */
export type FailureDetails<Code extends FailureCode> = z.input<(typeof failureDetails)[Code]>;

/** Failures that may come without details. */
export type BareFailureCode = {
  // biome-ignore lint/complexity/noBannedTypes: the empty object type asks "are all details optional?"
  [Code in FailureCode]: {} extends FailureDetails<Code> ? Code : never;
}[FailureCode];

/** The body of the answer to one failure: its code for programs, a Spanish sentence, and its details. */
export const failureBody = (code: FailureCode) =>
  z.strictObject({ code: z.literal(code), message: z.string(), ...failureDetails[code].shape });

/** The body of every failed call. */
export const failureView = z.discriminatedUnion(
  'code',
  failureCodes.map(failureBody) as [ReturnType<typeof failureBody>, ...ReturnType<typeof failureBody>[]],
);

/** What a client may rely on in the body of any failed call; more by its code: `FailureDetails`. */
export interface FailureView {
  readonly code: FailureCode;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly problems?: Readonly<Record<string, FieldProblem>>;
  readonly [detail: string]: unknown;
}
