import type { Stripe } from 'stripe';
import { endedUnpaidStates, type TransferState } from '#core/transfers/states';

/**
 * What follows for a transfer from what Stripe says of its payment. `unchanged`: both agree, or another process makes the
 * next step. `void`: something may still be held or charged for a transfer that ended unpaid. `voided`: nothing is.
 * `unexpected`: both cannot be true, a person has to look.
 */
export type IntentOutcome =
  | 'unchanged'
  | 'hold'
  | 'expire_quote'
  | 'lose_authorization'
  | 'end_uncaptured'
  | 'capture'
  | 'void'
  | 'voided'
  | 'unexpected';

/** States in which a transfer goes on; the ended ones have one outcome each, see `endedOutcomes`. */
type GoingOn = Exclude<TransferState, 'rejected' | 'cancelled' | 'failed' | 'expired'>;

const charged = (outcome: IntentOutcome) =>
  ({ captured: outcome, completed: outcome, refunding: outcome, refunded: outcome }) as const;

const notPaid: Readonly<Record<GoingOn, IntentOutcome>> = {
  awaiting_payment: 'unchanged',
  in_review: 'unexpected',
  approved: 'unexpected',
  ...charged('unexpected'),
};

/** For every status of a payment intent, what follows for a transfer in a state. */
const outcomes: Readonly<Record<IntentStatus, Readonly<Record<GoingOn, IntentOutcome>>>> = {
  requires_payment_method: notPaid,
  requires_confirmation: notPaid,
  requires_action: notPaid,
  // A capture under way looks like this too.
  processing: { ...notPaid, approved: 'unchanged' },
  requires_capture: {
    awaiting_payment: 'hold',
    in_review: 'unchanged',
    approved: 'unchanged',
    ...charged('unexpected'),
  },
  canceled: {
    awaiting_payment: 'expire_quote',
    in_review: 'lose_authorization',
    approved: 'end_uncaptured',
    ...charged('unexpected'),
  },
  // Charged without our asking for it, by a person in Stripe's dashboard for example.
  succeeded: { awaiting_payment: 'unexpected', in_review: 'unexpected', approved: 'capture', ...charged('unchanged') },
};

const endedOutcomes: Readonly<Record<IntentStatus, IntentOutcome>> = {
  // These cannot be paid any more: the void job cancels them.
  requires_payment_method: 'unchanged',
  requires_confirmation: 'unchanged',
  requires_action: 'unchanged',
  processing: 'unchanged',
  requires_capture: 'void',
  canceled: 'voided',
  succeeded: 'void',
};

type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'canceled'
  | 'succeeded';

/**
 * What follows from a payment intent for its transfer. A status that Stripe did not have when this was written is unexpected.
 */
export function outcomeOf(
  state: TransferState,
  intent: Pick<Stripe.PaymentIntent, 'status' | 'amount' | 'amount_received'>,
): IntentOutcome {
  const { status, amount, amount_received: received } = intent;
  if (!isKnown(status)) return 'unexpected';
  if (isEnded(state)) return endedOutcomes[status];
  // A part of the amount is never captured by us.
  if (status === 'succeeded' && received !== amount) return 'unexpected';
  return outcomes[status][state];
}

function isKnown(status: string): status is IntentStatus {
  return Object.hasOwn(outcomes, status);
}

function isEnded(state: TransferState): state is Exclude<TransferState, GoingOn> {
  return endedUnpaidStates.includes(state);
}
