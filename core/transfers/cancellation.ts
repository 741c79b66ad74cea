import type { FailureCode } from '../contracts/failure-codes.ts';
import { minuteMs } from '../time/time.ts';
import type { TransferState } from './states.ts';

/** How long after paying a sender may cancel whatever we decided meanwhile (12 CFR 1005.34: 30 minutes), in ms. */
export const cancelWindowMs = 30 * minuteMs;

/** What the rule looks at. */
export interface CancelFacts {
  readonly state: TransferState;
  /** When the card was held. */
  readonly paidAt?: Date | null | undefined;
  readonly cancelRequestedAt?: Date | null | undefined;
  /** When the payout job took the transfer, before its first word to the bank. */
  readonly payoutStartedAt?: Date | null | undefined;
}

/**
 * What a sender's request to cancel leads to. `withdraw`: nothing was decided yet, it ends here. `request`: it is undone; possible until then. `money_back`: the bank
 * did not pay, and the charge is returned. `done`: it was cancelled before, asking again changes nothing. `refused`: with the reason.
 */
export type Cancellation =
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'request'; readonly until: Date }
  | { readonly kind: 'money_back' }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly code: CancelRefusal };

export type CancelRefusal = Extract<
  FailureCode,
  'cancel_too_late' | 'payout_started' | 'already_deposited' | 'already_ended' | 'already_returning'
>;

/** Whether a sender may cancel at a moment. Before the decision always; after it for 30 minutes, unless the payout began. */
export function cancellation(transfer: CancelFacts, at: Date): Cancellation {
  const { state, paidAt, cancelRequestedAt, payoutStartedAt } = transfer;
  switch (state) {
    case 'awaiting_payment':
    case 'in_review':
      return { kind: 'withdraw' };
    case 'cancelled':
      return { kind: 'done' };
    case 'approved':
    case 'captured': {
      if (cancelRequestedAt) return { kind: 'done' };
      if (payoutStartedAt) return { kind: 'refused', code: 'payout_started' };
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
