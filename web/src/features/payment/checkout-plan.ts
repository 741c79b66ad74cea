import type { CheckoutWords } from './checkout-words.ts';
import type { FixedRate } from './fixed-rate.ts';
import type { PaymentStyle } from './payment-style.ts';

/** What makes a payment page this page and no other: everything else is the same for all of them. */
export interface CheckoutPlan {
  readonly words: CheckoutWords;
  readonly style: PaymentStyle;
  /** One card after the other, or the card form beside the amount. */
  readonly arrangement: 'steps' | 'beside';
  readonly currencies: 'both' | 'USD';
  /** A rate the page is about without paying at it. */
  readonly demonstration?: FixedRate;
  /** What the success card names the payment by. */
  readonly named: 'reference' | 'payment_id';
  /** Stands where the card form will be, in sentences. */
  readonly explanation?: { readonly title: string; readonly points: readonly string[] };
}
