import { spanishCheckout } from './checkout-messages.ts';
import { CardCheckoutPayment } from './checkout-payment.tsx';
import type { CheckoutPlan } from './checkout-plan.ts';

export const heldNotCharged = 'Tu tarjeta solo se reserva: se cobra cuando el envío se aprueba.';

/** A page in Spanish, for both currencies, with the card form beside the amount. */
export const usualPlan: CheckoutPlan = {
  messages: spanishCheckout,
  arrangement: 'beside',
  currencies: 'both',
  Payment: CardCheckoutPayment,
};

/** /stripe-pago */
export const remittancePlan: CheckoutPlan = {
  ...usualPlan,
  explanation: {
    title: 'Cómo funciona',
    points: [
      'Escribes el monto y ves cuánto llega, con la comisión a la vista.',
      'Pagas con tu tarjeta en el formulario seguro de Stripe. Tus datos no pasan por Chasqui.',
      'Eliges quién recibe en tu panel y sigues tu envío en vivo.',
      heldNotCharged,
    ],
  },
};

/** /stripe-integration */
export const twoStepPlan: CheckoutPlan = { ...usualPlan, arrangement: 'steps' };
