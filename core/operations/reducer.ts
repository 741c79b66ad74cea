import { endedUnpaidStates, type TransferState } from '../transfers/states.ts';

/** Facts that a provider can report about a transfer's operations. */
export const providerFacts = {
  payment_open: 'Stripe waits for the sender to confirm the card.',
  payment_processing: 'Stripe is at it.',
  payment_held: 'The card holds the whole amount.',
  payment_canceled: 'Nothing is held and nothing can be charged any more.',
  payment_charged: 'The whole amount was received.',
  payment_charged_in_part: 'Another amount than the agreed one was received.',
  refund_pending: 'A refund is under way.',
  refund_in_part: 'A part of the amount was returned, and nothing more is under way.',
  refund_succeeded: 'The whole amount was returned.',
  refund_failed: 'No refund succeeded or is under way, and at least one failed.',
  payout_paid: 'The bank paid.',
  payout_account_rejected: 'The bank refused because of the account or its holder: another account may be paid.',
  payout_person_rejected: 'The bank refuses to pay this person.',
  payout_own_rejected: 'The bank refused because of our own account with it: it may pay later.',
  payout_unexplained: 'The bank refused with a code that we do not know.',
  payout_returned: 'The bank returned a payment it had made.',
  payout_returned_in_part: 'The bank returned a part of a payment it had made.',
} as const;

export type ProviderFact = keyof typeof providerFacts;
export const providerFactNames = Object.keys(providerFacts) as [ProviderFact, ...ProviderFact[]];

/**
 * The consequence of a fact for a transfer. Names of moves: the transfer makes that move. `unchanged`: both agree, or
 * the next step belongs to another part. `void`: an authorization or charge exists for a transfer that ended unpaid.
 * `voided`: none exists. `refund_again`: another refund returns the rest. `payout_not_allowed`, `payout_unexplained`:
 * the money stays, and a person decides in the case of that name. `pay_later`: another payout is made later.
 * `attention`: the states are compatible, but a person must act. `unexpected`: the states contradict each other and a
 * person must investigate.
 */
export type Outcome =
  | 'unchanged'
  | 'hold'
  | 'expire_quote'
  | 'lose_authorization'
  | 'end_uncaptured'
  | 'capture'
  | 'void'
  | 'voided'
  | 'refund'
  | 'refund_again'
  | 'refund_outside'
  | 'bounce_refund'
  | 'pay_out'
  | 'reject_payout'
  | 'payout_not_allowed'
  | 'payout_unexplained'
  | 'pay_later'
  | 'return_payout'
  | 'attention'
  | 'unexpected';

type Row = Readonly<Record<ProviderFact, Outcome>>;

/** Before anything is charged, nothing can be refunded or paid out. */
const uncharged = {
  refund_pending: 'unexpected',
  refund_in_part: 'unexpected',
  refund_succeeded: 'unexpected',
  refund_failed: 'unexpected',
  payout_paid: 'unexpected',
  payout_account_rejected: 'unexpected',
  payout_person_rejected: 'unexpected',
  payout_own_rejected: 'unexpected',
  payout_unexplained: 'unexpected',
  payout_returned: 'unexpected',
  payout_returned_in_part: 'unexpected',
} as const satisfies Partial<Row>;

/** Ended without a charge. Should it have been charged behind our back, the void gives the money back: refunds are its work. */
const ended: Row = {
  ...uncharged,
  payment_open: 'unchanged',
  payment_processing: 'unchanged',
  payment_held: 'void',
  payment_canceled: 'voided',
  payment_charged: 'void',
  payment_charged_in_part: 'void',
  refund_pending: 'unchanged',
  refund_in_part: 'void',
  refund_succeeded: 'voided',
  refund_failed: 'attention',
};

/** Once charged, the payment stays charged, whatever happens to its refunds. */
const charged = {
  payment_open: 'unexpected',
  payment_processing: 'unexpected',
  payment_held: 'unexpected',
  payment_canceled: 'unexpected',
  payment_charged: 'unchanged',
  payment_charged_in_part: 'unexpected',
} as const satisfies Partial<Row>;

/** Every state with every fact. */
export const outcomes: Readonly<Record<TransferState, Row>> = {
  awaiting_payment: {
    ...uncharged,
    payment_open: 'unchanged',
    payment_processing: 'unchanged',
    payment_held: 'hold',
    payment_canceled: 'expire_quote',
    // Charged without our request, for example in Stripe's dashboard: the reviewer either refunds it or lets it
    // continue.
    payment_charged: 'hold',
    payment_charged_in_part: 'hold',
  },
  in_review: {
    ...uncharged,
    payment_open: 'unexpected',
    payment_processing: 'unexpected',
    payment_held: 'unchanged',
    payment_canceled: 'lose_authorization',
    payment_charged: 'unexpected',
    payment_charged_in_part: 'unexpected',
  },
  approved: {
    ...uncharged,
    payment_open: 'unexpected',
    // A capture under way looks like this.
    payment_processing: 'unchanged',
    payment_held: 'unchanged',
    payment_canceled: 'end_uncaptured',
    payment_charged: 'capture',
    payment_charged_in_part: 'unexpected',
  },
  captured: {
    ...charged,
    refund_pending: 'attention',
    refund_in_part: 'attention',
    // A person gave all of it back in Stripe's dashboard, before the payout began.
    refund_succeeded: 'refund_outside',
    refund_failed: 'unchanged',
    payout_paid: 'pay_out',
    payout_account_rejected: 'reject_payout',
    payout_person_rejected: 'payout_not_allowed',
    payout_own_rejected: 'pay_later',
    payout_unexplained: 'payout_unexplained',
    // The payment itself was not known before; the next read continues from there.
    payout_returned: 'reject_payout',
    payout_returned_in_part: 'pay_out',
  },
  payout_failed: {
    ...charged,
    refund_pending: 'attention',
    refund_in_part: 'attention',
    refund_succeeded: 'refund_outside',
    refund_failed: 'unchanged',
    payout_paid: 'unexpected',
    payout_account_rejected: 'unchanged',
    payout_person_rejected: 'unchanged',
    payout_own_rejected: 'unchanged',
    payout_unexplained: 'unchanged',
    payout_returned: 'unchanged',
    payout_returned_in_part: 'unexpected',
  },
  completed: {
    ...charged,
    // Returned by card although the family was paid: our loss, unless a person gets it back.
    refund_pending: 'attention',
    refund_in_part: 'attention',
    refund_succeeded: 'attention',
    refund_failed: 'unchanged',
    payout_paid: 'unchanged',
    payout_account_rejected: 'unexpected',
    payout_person_rejected: 'unexpected',
    payout_own_rejected: 'unexpected',
    payout_unexplained: 'unexpected',
    payout_returned: 'return_payout',
    payout_returned_in_part: 'attention',
  },
  refunding: {
    ...charged,
    refund_pending: 'unchanged',
    refund_in_part: 'refund_again',
    refund_succeeded: 'refund',
    refund_failed: 'attention',
    payout_paid: 'unexpected',
    payout_account_rejected: 'unchanged',
    payout_person_rejected: 'unchanged',
    payout_own_rejected: 'unchanged',
    payout_unexplained: 'unchanged',
    payout_returned: 'unchanged',
    payout_returned_in_part: 'unexpected',
  },
  refunded: {
    ...charged,
    refund_pending: 'bounce_refund',
    refund_in_part: 'bounce_refund',
    refund_succeeded: 'unchanged',
    refund_failed: 'bounce_refund',
    payout_paid: 'unexpected',
    payout_account_rejected: 'unchanged',
    payout_person_rejected: 'unchanged',
    payout_own_rejected: 'unchanged',
    payout_unexplained: 'unchanged',
    payout_returned: 'unchanged',
    payout_returned_in_part: 'unexpected',
  },
  rejected: ended,
  cancelled: ended,
  failed: ended,
  expired: ended,
};

/** What follows from a fact for a transfer in a state. */
export function outcomeOf(state: TransferState, fact: ProviderFact): Outcome {
  return outcomes[state][fact];
}

/**
 * The fact derived from a payment intent's status and amounts (minor units), or null for a status unknown to this
 * version.
 */
export function paymentFact(intent: { status: string; amount: number; amountReceived: number }): ProviderFact | null {
  switch (intent.status) {
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'requires_action':
      return 'payment_open';
    case 'processing':
      return 'payment_processing';
    case 'requires_capture':
      return 'payment_held';
    case 'canceled':
      return 'payment_canceled';
    case 'succeeded':
      return intent.amountReceived === intent.amount ? 'payment_charged' : 'payment_charged_in_part';
    default:
      return null;
  }
}

/** The fact derived from all refunds of a payment together, or null without refunds. Amounts in minor units. */
export function refundFact(
  refunds: readonly { status: 'pending' | 'succeeded' | 'failed'; amountMinor: bigint }[],
  amountMinor: bigint,
): ProviderFact | null {
  const returned = sumOf(refunds, 'succeeded');
  if (returned >= amountMinor) return 'refund_succeeded';
  if (refunds.some(({ status }) => status === 'pending')) return 'refund_pending';
  if (returned > 0n) return 'refund_in_part';
  return refunds.length > 0 ? 'refund_failed' : null;
}

/** The sum of refunds with a status, in minor units. */
export function sumOf(refunds: readonly { status: string; amountMinor: bigint }[], status: string): bigint {
  return refunds.reduce((sum, refund) => (refund.status === status ? sum + refund.amountMinor : sum), 0n);
}

/** Whether a transfer in this state ended without a charge. */
export function isEndedUnpaid(state: TransferState): boolean {
  return endedUnpaidStates.includes(state);
}
