import type { EmailData, EmailKind } from './email-kinds.ts';

/** Kinds sent to admins; the others go to the user concerned. */
export type AdminEmailKind = Extract<
  EmailKind,
  | 'rates_paused'
  | 'rates_resumed'
  | 'rate_change_waiting'
  | 'webhook_disabled'
  | 'transfers_waiting'
  | 'question_answered'
  | 'approval_waiting'
  | 'book_exceptions'
  | 'hold_ending'
  | 'case_opened'
  | 'case_old'
  | 'desk_request_waiting'
  | 'role_waiting'
  | 'role_changed'
  | 'money_stopped'
  | 'money_stop_lift_waiting'
  | 'money_stop_lifted'
>;

/** The text of an e-mail. */
export interface EmailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Figures and names for later reference, each with its label. */
  readonly details?: readonly (readonly [label: string, value: string])[];
  /** Label of the button with the link. */
  readonly action: string;
}

/** Every e-mail in one language; a missing one does not compile. */
export interface EmailTexts {
  /** Null: the reader's name is not certain. */
  readonly greeting: (name: string | null) => string;
  readonly foot: string;
  /** Label of the link that turns off an optional e-mail. */
  readonly choose: string;
  readonly kinds: { readonly [Kind in EmailKind]: (data: EmailData<Kind>) => EmailText };
}

/** E-mails about refunds and delays (refund-texts-es.ts, refund-texts-en.ts). */
export type RefundTexts = Pick<EmailTexts['kinds'], 'transfer_refunded' | 'refund_failed' | 'payout_delayed'>;

/** The e-mail about repeating transfers (repeat-texts-es.ts, repeat-texts-en.ts). */
export type RepeatTexts = Pick<EmailTexts['kinds'], 'repeat_reminder'>;

/** E-mails about returned deposits (rest-texts-es.ts, rest-texts-en.ts). */
export type RestTexts = Pick<EmailTexts['kinds'], 'payout_returned_in_part' | 'rest_paid' | 'rest_refunded'>;

/** E-mails about problems that senders report (complaint-texts-es.ts, complaint-texts-en.ts). */
export type ComplaintTexts = Pick<EmailTexts['kinds'], Extract<EmailKind, `complaint_${string}`>>;
