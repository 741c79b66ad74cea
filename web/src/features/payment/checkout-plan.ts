import type { ComponentType, ReactNode } from 'react';
import type { SendCurrency } from '#core/money/money';
import type { Offer, PreparedPayment } from '../../data/payments.ts';
import type { BreakdownLabels } from '../shared/breakdown.tsx';
import type { CardMethod } from './card-method.tsx';
import type { PaymentWords } from './payment-words.ts';

/** What a sender typed into a payment page. */
export interface EnteredAmount {
  readonly amount: string;
  readonly currency: SendCurrency;
}

/** What makes a payment page this page and no other: everything else is the same for all of them. */
export interface CheckoutPlan {
  /** In the language of the document. */
  readonly words: () => PaymentWords;
  /** How the figures under the amount are called, where not as everywhere. */
  readonly labels?: BreakdownLabels;
  /** One card after the other, or the card form beside the amount. */
  readonly arrangement: 'steps' | 'beside';
  readonly currencies: 'both' | 'USD';
  /** Lines of text that stand where the card form will be. */
  readonly explanation?: () => { readonly title: string; readonly points: readonly string[] };
  /** How the card is asked; Stripe's Payment Element unless given. */
  readonly method?: CardMethod;
  /** The payment after the amount. */
  readonly Payment: ComponentType<CheckoutPaymentProps>;
  /** What the success card names the payment by, instead of the transfer's reference. */
  readonly named?: (payment: PreparedPayment) => { readonly label: string; readonly name: string };
  /** Shown under the amount. */
  readonly example?: (entered: EnteredAmount) => ReactNode;
}

export interface CheckoutPaymentProps {
  plan: CheckoutPlan;
  offer: Offer;
  /** Back to the amount. */
  onEdit: () => void;
  /** To another payment, after this one. */
  onAgain: () => void;
}
