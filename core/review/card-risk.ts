/**
 * What Stripe Radar says of the charge behind a payment, in Stripe's own words (`outcome` of a charge, and its review there); null where Stripe
 * said nothing. Words that we do not know can come.
 */
export interface CardRisk {
  /** `normal`, `elevated`, `highest`; `not_assessed` or `unknown` where it has no opinion. */
  readonly level: string | null;
  /** From 0 to 100. */
  readonly score: number | null;
  /** What the card's network answered: `approved_by_network`, `declined_by_network`, `not_sent_to_network`, `reversed_after_approval`. */
  readonly network: string | null;
  /** Why, by its code: `elevated_risk_level`, `rule`, and others. */
  readonly reason: string | null;
  /** The same as a sentence for sellers, in English. */
  readonly message: string | null;
  /** The rule of the account at Stripe that matched. */
  readonly rule: string | null;
  /** Whether people at Stripe's dashboard are to look at it: `open`, or why that was closed; null: never was. */
  readonly review: string | null;
}

/** Levels that are a reason to look twice. */
export const riskyLevels = ['elevated', 'highest'] as const;
