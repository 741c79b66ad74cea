/**
 * Stripe Radar's assessment of the charge behind a payment, with Stripe's own values (`outcome` of a charge, and its
 * review); null where Stripe gave none. Values may be unknown to us.
 */
export interface CardRisk {
  /** `normal`, `elevated`, `highest`; `not_assessed` or `unknown` where it has no opinion. */
  readonly level: string | null;
  /** From 0 to 100. */
  readonly score: number | null;
  /**
   * The card network's answer: `approved_by_network`, `declined_by_network`, `not_sent_to_network`,
   * `reversed_after_approval`.
   */
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
