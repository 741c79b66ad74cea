/**
 * How a page leads a payment along the one path. Whatever it says here, the server alone freezes the quote, asks Stripe how
 * the payment stands and writes it down.
 */
export interface PaymentStyle {
  /** The call that opens the transfer and its payment. */
  readonly call: 'createPaymentIntent' | 'createDemoPayment';
  /** Whether the shown rate goes along, to be refused by the server if it moved; without it the frozen quote is compared here. */
  readonly sendsRate: boolean;
  /** Before the card form appears, or only when the person presses pay. */
  readonly opens: 'before_form' | 'on_submit';
  /** Stripe's Payment Element, or the older Card Element. */
  readonly element: 'payment' | 'card';
  /** `always` leaves for the return address after every payment, not only where a bank asks for it. */
  readonly redirect: 'if_required' | 'always';
  /** Who confirms the payment to our server: this browser, or only Stripe's webhook. */
  readonly confirmedBy: 'browser' | 'webhook';
}

/** The dashboard's dialog, and every page that does not say otherwise. */
export const usualStyle: PaymentStyle = {
  call: 'createPaymentIntent',
  sendsRate: true,
  opens: 'before_form',
  element: 'payment',
  redirect: 'if_required',
  confirmedBy: 'browser',
};
