import type { StopScope } from '#core/money-stops/money-stop';
import type { Fault, Target } from './providers.ts';

/** Admins who decide about transfers and money. The owner, who gives roles too, keeps theirs. */
export const reviewers = ['first', 'second', 'owner'] as const;
export type Reviewer = (typeof reviewers)[number];

export const cards = {
  plain: '4242424242424242',
  refund_fails: '4000000000005126',
  refund_takes_time: '4000000000007726',
  reported_stolen: '4000000000005423',
} as const;

/** How a transfer begins. `large` needs two persons for everything that moves its money. */
export interface Start {
  readonly amount: 'small' | 'large';
  readonly card: keyof typeof cards;
}

/** How long time passes at once. */
export const spans = {
  minute: 60_000,
  completion: 11 * 60_000,
  window: 35 * 60_000,
  hours: 3 * 3_600_000,
  day: 26 * 3_600_000,
  week: 8 * 24 * 3_600_000,
} as const;

/**
 * One step of a person, a provider or the clock. Plain data, so that a list of them can be printed, shrunk and
 * replayed. Impossible steps, such as an action that no case offers, are skipped.
 */
export type Command =
  | { readonly do: 'approve' | 'reject'; readonly by: Reviewer }
  | { readonly do: 'cancel' }
  /** The sender names another account, or the same one again. */
  | { readonly do: 'correct'; readonly to: 'same' | 'other' }
  | { readonly do: 'report'; readonly wants: 'delivery' | 'refund' }
  /** Ends the investigation of the oldest open report with the remedy, for all that can be moved or half of it. */
  | { readonly do: 'conclude'; readonly by: Reviewer; readonly remedy: string; readonly all: boolean }
  /** The second person's decision about a result, or about a desk request. */
  | { readonly do: 'agree' | 'decide'; readonly by: Reviewer; readonly yes: boolean }
  | { readonly do: 'act'; readonly by: Reviewer; readonly action: string }
  /** An admin who reserved the transfer for it pays by hand, outside of the product, and then reports it, or says that nothing was sent. */
  | { readonly do: 'payByHand' | 'reportPayment' | 'dropReservation'; readonly by: Reviewer }
  /** Stops captures, payouts or both; lifting takes one admin who asks for it and one who confirms. */
  | { readonly do: 'stop'; readonly by: Reviewer; readonly scope: StopScope }
  | { readonly do: 'lift'; readonly by: Reviewer }
  | { readonly do: 'role'; readonly of: 'first' | 'second'; readonly role: 'reviewer' | 'support' | null }
  | { readonly do: 'block'; readonly who: 'sender' | 'first' | 'second'; readonly blocked: boolean }
  | { readonly do: 'fail'; readonly call: Target; readonly fault: Fault; readonly times: number }
  | { readonly do: 'heal' }
  | { readonly do: 'bankReturns'; readonly all: boolean }
  /** Of half of the charge, or all that is left. */
  | { readonly do: 'dispute'; readonly all: boolean; readonly inquiry: boolean; readonly prevented?: boolean }
  | { readonly do: 'decideDispute'; readonly decision: 'won' | 'lost' | 'escalated' }
  | { readonly do: 'dashboardRefund'; readonly all: boolean; readonly pending: boolean }
  /** Refunds that are pending succeed, and later ones are not kept pending. */
  | { readonly do: 'refundsSucceed' }
  | { readonly do: 'webhooks'; readonly mode: 'deliver' | 'hold' | 'drop' | 'duplicate' }
  | { readonly do: 'pass'; readonly time: keyof typeof spans }
  | { readonly do: 'restartWorker' };

/** A command as a line of a scenario. */
export const lineOf = (command: Command): string => JSON.stringify(command);
