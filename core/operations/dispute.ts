/** The dispute statuses of Stripe. Unknown statuses count as open. */
export const disputeStatuses = {
  warning_needs_response: 'The card’s bank asks about the payment; nothing is taken yet, and evidence may end it.',
  warning_under_review: 'The inquiry was answered.',
  warning_closed: 'The inquiry came to nothing.',
  needs_response: 'The amount was taken back, and evidence is due.',
  under_review: 'The evidence is with the card’s bank.',
  won: 'The amount was given back to us.',
  lost: 'The amount stays with the card’s holder.',
  prevented: 'It was settled before it became a dispute.',
  appeal_needs_response: 'A lost dispute may be appealed.',
  appeal_under_review: 'The appeal is with the card’s bank.',
} as const;

export type DisputeStatus = keyof typeof disputeStatuses;

const closed: ReadonlySet<string> = new Set<DisputeStatus>(['warning_closed', 'won', 'lost', 'prevented']);

/** Whether nothing is decided yet. */
export function isOpenDispute(status: string): boolean {
  return !closed.has(status);
}

/** Whether the amount stays with the cardholder unless an appeal wins it back. */
export function isDecidedAgainstUs(status: string): boolean {
  return status === 'lost' || status === 'prevented' || status.startsWith('appeal_');
}

/** Whether the card's bank only asks: no money has moved. */
export function isInquiry(status: string): boolean {
  return status.startsWith('warning_');
}

/** Whether evidence can be handed in. */
export function needsEvidence(status: string): boolean {
  return status === 'needs_response' || status === 'warning_needs_response';
}

/**
 * How a dispute is booked. `withdrawn`: the amount is with the card's bank. `lost`: it is our loss. `refund`: it was
 * lost before the family was paid, so the sender simply has the money back.
 */
export const disputeBookings = ['none', 'withdrawn', 'lost', 'refund'] as const;
export type DisputeBooking = (typeof disputeBookings)[number];
