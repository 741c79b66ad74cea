/** The kinds of things that an audit entry's `subject` can name. */
type AuditSubject =
  | 'account'
  | 'transfer'
  | 'rate_change'
  | 'case'
  | 'complaint'
  | 'money_stop'
  | 'books'
  | 'webhook'
  | 'file'
  | 'queue'
  | 'system';

/** All kinds of audit entries with their subjects. Never rename a kind: old entries keep theirs. */
export const auditSubjects = {
  signed_in: 'account',
  sign_in_failed: 'account',
  password_reset: 'account',
  password_changed: 'account',
  email_proven: 'account',
  email_changed: 'account',
  account_change_undone: 'account',
  account_closed: 'account',
  second_factor_changed: 'account',
  passkey_copied: 'account',
  own_data_exported: 'account',
  role_requested: 'account',
  role_declined: 'account',
  role_changed: 'account',
  account_block_changed: 'account',
  legal_hold_changed: 'account',
  account_noted: 'account',
  identity_submitted: 'account',
  identity_decided: 'account',
  transfer_approved: 'transfer',
  transfer_rejected: 'transfer',
  review_claimed: 'transfer',
  screening_decided: 'transfer',
  sender_asked: 'transfer',
  payments_refreshed: 'system',
  rate_proposed: 'rate_change',
  rate_confirmed: 'rate_change',
  rate_declined: 'rate_change',
  case_assigned: 'case',
  case_noted: 'case',
  case_acted: 'case',
  desk_request_decided: 'case',
  money_stop_set: 'money_stop',
  money_stop_lift_requested: 'money_stop',
  money_stop_lift_declined: 'money_stop',
  money_stop_lifted: 'money_stop',
  queue_paused: 'queue',
  queue_resumed: 'queue',
  settlement_reported: 'case',
  settlement_dropped: 'case',
  settlement_refuted: 'case',
  complaint_assigned: 'complaint',
  complaint_noted: 'complaint',
  complaint_held: 'complaint',
  complaint_concluded: 'complaint',
  complaint_result_decided: 'complaint',
  complaint_corrected: 'complaint',
  dispute_answered: 'transfer',
  reconciliation_asked: 'books',
  exception_explained: 'books',
  write_off_asked: 'books',
  source_asked: 'books',
  book_request_decided: 'books',
  day_closing_asked: 'books',
  statement_imported: 'books',
  webhook_created: 'webhook',
  webhook_changed: 'webhook',
  webhook_secret_rotated: 'webhook',
  webhook_resent: 'webhook',
  file_read: 'file',
  list_exported: 'system',
  audit_verified: 'system',
  personal_data_revealed: 'transfer',
  account_phone_revealed: 'account',
  document_number_revealed: 'account',
  personal_data_rotated: 'system',
  queue_board_used: 'system',
  process_started: 'system',
} as const satisfies Record<string, AuditSubject>;

export type AuditKind = keyof typeof auditSubjects;
export const auditKinds = Object.keys(auditSubjects) as [AuditKind, ...AuditKind[]];
