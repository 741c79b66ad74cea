import type { FailureCode } from '../contracts/failure-codes.ts';
import { minuteMs } from '../time/time.ts';
import type { TransferState } from './states.ts';

/** How long after payment a sender may cancel regardless of our decision (12 CFR 1005.34: 30 minutes), in ms. */
export const cancelWindowMs = 30 * minuteMs;

/** The inputs of the cancellation rule. */
export interface CancelFacts {
  readonly state: TransferState;
  /** When the card was held. */
  readonly paidAt?: Date | null | undefined;
  readonly cancelRequestedAt?: Date | null | undefined;
}

/**
 * The result of a sender's request to cancel. `withdraw`: there is no decision yet, so the transfer ends here.
 * `request`: the request is recorded, and carried out once it is certain that the family was not paid; possible until
 * `until`. `money_back`: the bank did not pay, and the charge is refunded. `done`: it was requested before, and a
 * repeated request changes nothing. `refused`: with the reason.
 */
export type Cancellation =
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'request'; readonly until: Date }
  | { readonly kind: 'money_back' }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly code: CancelRefusal };

export type CancelRefusal = Extract<
  FailureCode,
  'cancel_too_late' | 'already_deposited' | 'already_ended' | 'already_returning' | 'settlement_in_progress'
>;

/**
 * Whether a sender may cancel at a moment. Before the decision always; after it for 30 minutes, until the money is
 * deposited: a payout instruction to the bank does not end the right (12 CFR 1005.34).
 */
export function cancellation({ state, paidAt, cancelRequestedAt }: CancelFacts, at: Date): Cancellation {
  switch (state) {
    case 'awaiting_payment':
    case 'in_review':
      return { kind: 'withdraw' };
    case 'cancelled':
      return { kind: 'done' };
    case 'approved':
    case 'captured': {
      if (cancelRequestedAt) return { kind: 'done' };
      const until = new Date((paidAt?.getTime() ?? 0) + cancelWindowMs);
      return at <= until ? { kind: 'request', until } : { kind: 'refused', code: 'cancel_too_late' };
    }
    case 'payout_failed':
      return { kind: 'money_back' };
    case 'refunding':
    case 'refunded':
      return cancelRequestedAt ? { kind: 'done' } : { kind: 'refused', code: 'already_returning' };
    case 'completed':
      return { kind: 'refused', code: 'already_deposited' };
    case 'rejected':
    case 'failed':
    case 'expired':
      return { kind: 'refused', code: 'already_ended' };
  }
}

/** Whether a requested cancellation waits for an answer of the card processor or the bank. */
export function isCancelPending({ state, cancelRequestedAt }: CancelFacts): boolean {
  return cancelRequestedAt != null && (state === 'approved' || state === 'captured');
}
