import type { MoveName, TransferState } from '../transfers/states.ts';

/** Kinds of news about a sender's own transfers, and that the day of one that they repeat has come. */
export const senderNews = [
  'question',
  'approved',
  'deposited',
  'received',
  'rejected',
  'cancelled',
  'not_charged',
  'account_needed',
  'deposit_returned',
  'deposit_partly_returned',
  'returning',
  'partly_refunded',
  'refunded',
  'refund_bounced',
  'repeat_due',
] as const;
export type SenderNews = (typeof senderNews)[number];
/** Those of them that a step of a transfer is. */
export type StepNews = Exclude<SenderNews, 'repeat_due'>;

/** What waits for an admin. */
export const adminNews = ['to_decide', 'answered', 'case', 'second_person'] as const;
export type AdminNews = (typeof adminNews)[number];

/** Unread news are counted up to here; a browser then writes "99+". */
export const maxUnread = 100;

/** What can await a second person's approval: a transfer, a case, a rate, or the books. */
export const secondPersonSubjects = ['approval', 'case', 'rate', 'books'] as const;

/** Steps that are news although they do not change the state. */
type StepWithinState = 'ask_sender' | 'confirm_received' | 'count_refunds' | 'fail_refund' | 'count_bank_returns';

interface NewsOfStep {
  readonly kind: StepNews;
  /** Only of a transfer in one of these states; in any unless given. */
  readonly states?: readonly TransferState[];
}

const stillGoing: readonly TransferState[] = ['captured', 'payout_failed', 'completed'];

/**
 * Steps of a transfer's history that are news to its sender. Omits the sender's own actions (paying, cancelling,
 * correcting), which their page confirms, and events of payments that were never made.
 */
export const newsOfSteps: Partial<Record<MoveName | StepWithinState, NewsOfStep>> = {
  ask_sender: { kind: 'question' },
  approve: { kind: 'approved' },
  pay_out: { kind: 'deposited' },
  pay_by_hand: { kind: 'deposited' },
  book_hand_payout: { kind: 'deposited' },
  confirm_received: { kind: 'received' },
  reject: { kind: 'rejected' },
  cancel_authorization: { kind: 'cancelled' },
  refuse_over_limit: { kind: 'not_charged' },
  refuse_repeated: { kind: 'not_charged' },
  expire_authorization: { kind: 'not_charged' },
  lose_authorization: { kind: 'not_charged' },
  fail_capture: { kind: 'not_charged' },
  reject_payout: { kind: 'account_needed' },
  return_payout: { kind: 'deposit_returned' },
  count_bank_returns: { kind: 'deposit_partly_returned', states: ['completed'] },
  cancel_charge: { kind: 'returning' },
  give_up_payout: { kind: 'returning' },
  expire_correction: { kind: 'returning' },
  refund_outside: { kind: 'returning' },
  count_refunds: { kind: 'partly_refunded', states: stillGoing },
  refund: { kind: 'refunded' },
  fail_refund: { kind: 'refund_bounced' },
  bounce_refund: { kind: 'refund_bounced' },
};
