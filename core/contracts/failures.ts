/**
 * The closed list of what can go wrong, as codes for programs. The api gives each an HTTP status and a message
 * (`api/http/failure-responses.ts`); a code without them does not compile.
 */
export const failureCodes = [
  'invalid_input',
  'malformed_body',
  'body_too_large',
  'unsupported_media_type',
  'unauthenticated',
  'invalid_credentials',
  'forbidden',
  'wrong_origin',
  'not_found',
  'method_not_allowed',
  'too_many_requests',
  'email_taken',
  'recovery_link_unknown',
  'recovery_link_expired',
  'recovery_link_used',
  'recovery_link_replaced',
  'mail_unavailable',
  'idempotency_key_reused',
  'rate_unavailable',
  'rate_changed',
  'payments_paused',
  'rate_reason_required',
  'rate_change_open',
  'rate_change_closed',
  'second_person_needed',
  'alert_already_met',
  'too_many_alerts',
  'amount_too_small',
  'amount_too_large',
  'day_limit_reached',
  'month_limit_reached',
  'too_many_unpaid_transfers',
  'transfer_not_payable',
  'too_many_recipients',
  'birth_date_required',
  'under_age',
  'recipient_missing',
  'recipient_not_open',
  'payment_not_completed',
  'payment_not_started',
  'payment_provider_unavailable',
  'crypto_unavailable',
  'crypto_destination_refused',
  'crypto_amount_out_of_range',
  'onramp_not_started',
  'already_decided',
  'not_awaiting_decision',
  'own_transfer',
  'case_resolved',
  'action_not_possible',
  'request_pending',
  'proof_missing',
  'amount_differs',
  'own_request',
  'account_not_correctable',
  'cancel_too_late',
  'payout_started',
  'already_deposited',
  'already_ended',
  'already_returning',
  'invalid_signature',
  'unavailable',
  'internal',
] as const;
export type FailureCode = (typeof failureCodes)[number];

/** A failure of the list, thrown anywhere on the server and answered by the api. Its `message` is the code, for logs. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  /** More for the caller: `fields` of invalid input, the new `quote` of a changed rate. Part of the answer's body. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: FailureCode, details: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** Input that cannot be used, with a message per field, by its dotted path. */
export function invalidInput(fields: Readonly<Record<string, string>>): Failure {
  return new Failure('invalid_input', { fields });
}
