/** Outside sources that our books are compared with. */
export const sides = ['stripe', 'bank'] as const;
export type Side = (typeof sides)[number];

/**
 * Why our books and an outside source differ. "Missing": in our books but not in the source. "Unbooked": the other way
 * round. "Doubled": the source has it once more than our books. "Refund" includes failed refunds that came back,
 * "dispute" includes reversals, and "return" is a payout that came back.
 */
export const causes = {
  charge_missing: 'Our books charged the card, and Stripe has no such charge.',
  charge_unbooked: 'Stripe charged the card of a transfer that our books did not charge.',
  charge_doubled: 'Stripe charged the card of a transfer once more than our books.',
  charge_amount_differs: 'Stripe charged another amount than our books.',
  charge_day_differs: 'Stripe and our books charged the card on days too far apart.',
  refund_missing: 'Our books returned money to the card, and Stripe has no such refund.',
  refund_unbooked: 'Stripe returned money to the card that our books did not return.',
  refund_doubled: 'Stripe returned the same money to the card once more than our books.',
  refund_amount_differs: 'Stripe returned another amount to the card than our books.',
  refund_day_differs: 'Stripe made the refund on a day too far from that of our books.',
  refund_overdue: 'A refund left Stripe and has neither succeeded nor failed for longer than the limit.',
  dispute_missing: 'Our books have money with the card’s bank, and Stripe has no such dispute.',
  dispute_unbooked: 'Stripe took or gave back the amount of a dispute, and our books did not.',
  dispute_doubled: 'Stripe took or gave back the amount of a dispute once more than our books.',
  dispute_amount_differs: 'Stripe took or gave back another amount of a dispute than our books.',
  dispute_day_differs: 'Stripe booked a dispute on a day too far from that of our books.',
  stripe_currency_differs: 'Stripe has it in another currency than our books.',
  stripe_rounding: 'Stripe has one minor unit more or less than our books, as after a conversion.',
  fee_changed: 'Stripe took another fee than its price list says.',
  stripe_unknown: 'Stripe has a movement that belongs to none of our transfers.',
  payout_missing: 'Our books paid the family, and the bank’s statements have no such payment.',
  payout_unbooked: 'The bank paid a transfer that our books did not pay.',
  payout_doubled: 'The bank paid a transfer once more than our books.',
  payout_amount_differs: 'The bank paid another amount than our books.',
  payout_rounding: 'The bank paid one centavo more or less than our books, as after a conversion.',
  payout_day_differs: 'The bank paid on a day too far from that of our books.',
  payout_reference_differs: 'The bank’s statement has another number for the payment than our books.',
  return_missing: 'Our books took a payment back, and the bank’s statements have no such return.',
  return_unbooked: 'The bank gave a payment back that our books did not take back.',
  return_doubled: 'The bank gave a payment back once more than our books.',
  return_amount_differs: 'The bank gave another amount back than our books.',
  return_day_differs: 'The bank gave a payment back on a day too far from that of our books.',
  bank_currency_differs: 'The bank recorded a payout or return with an instruction in another currency than our books.',
  bank_fee: 'The bank charged a fee.',
  bank_debit_unknown: 'Money left our account at the bank for none of our transfers.',
  bank_credit_unknown: 'Money reached our account at the bank from none of our transfers.',
  return_unknown:
    'The bank reports that it returned a payment which belongs to none of our payouts, or which cannot be booked.',
  bank_balance_gap: 'A statement of the bank begins with another balance than the one before ended with.',
} as const;

export type Cause = keyof typeof causes;
export const causeNames = Object.keys(causes) as [Cause, ...Cause[]];

/** Causes of movements that belong to none of our transfers. */
export const causesOfNoTransfer = [
  'stripe_unknown',
  'bank_fee',
  'bank_debit_unknown',
  'bank_credit_unknown',
  'return_unknown',
  'bank_balance_gap',
] as const satisfies readonly Cause[];
export type CauseOfNoTransfer = (typeof causesOfNoTransfer)[number];

/** Causes about a day, a number, a price or a balance: they are explained, and there is no money to write off. */
const withoutMoney: ReadonlySet<Cause> = new Set<Cause>([
  'charge_day_differs',
  'refund_day_differs',
  'dispute_day_differs',
  'payout_day_differs',
  'return_day_differs',
  'payout_reference_differs',
  'fee_changed',
  // The money itself is in the bank's statement.
  'return_unknown',
  'bank_balance_gap',
]);

/** Whether the difference is money that can be written off, as a loss or a gain. */
export function isAboutMoney(cause: Cause): boolean {
  return !withoutMoney.has(cause);
}

/** Reasons for which a difference between the two sides is not yet an exception. */
export const explanations = {
  over_midnight: 'Both sides have it, on different days that are near enough.',
  undone: 'One side had it and undid it by itself: a refund that came back, or a dispute that became a refund.',
  not_imported: 'Our books have it, and what the source says of that time is not imported yet.',
  not_booked: 'The source has it, and our books may still learn of it.',
  refund_under_way: 'A refund left Stripe and has neither succeeded nor failed yet.',
} as const;

export type Explanation = keyof typeof explanations;
