import type { CheckoutMessages } from './checkout-messages.ts';
import type { FixedRate } from './fixed-rate.ts';
import type { PaymentStyle } from './payment-style.ts';

/** What makes a payment page this page and no other: everything else is the same for all of them. */
export interface CheckoutPlan {
  readonly messages: CheckoutMessages;
  readonly style: PaymentStyle;
  /** One card after the other, or the card form beside the amount. */
  readonly arrangement: 'steps' | 'beside';
  readonly currencies: 'both' | 'USD';
  /** A rate the page is about without paying at it. */
  readonly demonstration?: FixedRate;
  /** What the success card names the payment by. */
  readonly named: 'reference' | 'payment_id';
  /** Lines of text that stand where the card form will be. */
  readonly explanation?: { readonly title: string; readonly points: readonly string[] };
}
