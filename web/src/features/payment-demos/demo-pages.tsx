import { paths } from '../../lib/paths.ts';
import { englishCheckout, spanishCheckout } from '../payment/checkout-messages.ts';
import type { CheckoutPlan } from '../payment/checkout-plan.ts';
import { heldNotCharged, twoStepPlan, usualPlan } from '../payment/plans.ts';
import { DeferredCheckoutPayment } from './deferred-payment.tsx';
import { alwaysRedirected, cardElement, confirmedByWebhook, smallestCall, withoutRate } from './demo-methods.tsx';
import { type FixedRate, fixed15, fixed696, fixed696WithFee } from './fixed-rate.ts';
import { FixedRateExample } from './fixed-rate-example.tsx';

const shows = (at: FixedRate, messages = spanishCheckout): Pick<CheckoutPlan, 'example'> => ({
  example: (entered) => <FixedRateExample at={at} messages={messages} entered={entered} />,
});

/** /stripe and /new-stripe: the two-step page, whose payment is not told the rate. */
export const twoStepPlanWithoutRate: CheckoutPlan = { ...twoStepPlan, method: withoutRate };

/** /fixed-stripe */
export const fixedPlan: CheckoutPlan = {
  ...usualPlan,
  ...shows(fixed15, englishCheckout),
  messages: englishCheckout,
  currencies: 'USD',
  named: ({ paymentIntentId }) => ({ label: englishCheckout.paid.paymentId, name: paymentIntentId }),
  explanation: {
    title: 'How it works',
    points: [
      'Enter the amount and see what arrives in Bolivia today.',
      'Pay by card in the secure form of Stripe.',
      'Choose who receives the money in your panel.',
      'Your card is only held: it is charged once the transfer is approved.',
    ],
  },
};

/** A page that shows one way of building a card payment into a site. */
export interface DemoPage {
  readonly path: string;
  readonly title: string;
  /** The style it demonstrates, in one line. */
  readonly style: string;
  readonly plan: CheckoutPlan;
  /** Whether the recipient may be chosen before paying. */
  readonly choosesRecipient?: boolean;
}

function explain(...points: string[]) {
  return { title: 'Qué hace esta página', points: [...points, heldNotCharged] };
}

/** The integration styles, all on the one payment path. */
export const demoPages: readonly DemoPage[] = [
  {
    path: paths.paymentDemo,
    title: 'Pago con la llamada mínima',
    style: 'El servidor recibe solo monto, moneda y destinatario, y devuelve el clientSecret que abre el formulario.',
    choosesRecipient: true,
    plan: {
      ...usualPlan,
      method: smallestCall,
      ...shows(fixed696WithFee),
      explanation: explain(
        'POST /api/create-payment-intent abre el envío y su pago.',
        'Payment Element muestra el formulario con ese clientSecret.',
        'Si la tasa se movió mientras tanto, aceptas la nueva antes de pagar.',
      ),
    },
  },
  {
    path: paths.stripeBasic,
    title: 'Payment Element básico',
    style: 'El pago se prepara primero y el formulario se confirma sin salir de la página, salvo que el banco lo pida.',
    plan: {
      ...usualPlan,
      explanation: explain(
        'POST /api/new-account/create-payment-intent congela la cotización.',
        'confirmPayment con redirect: "if_required" pregunta al banco en la misma página.',
        'El éxito se muestra cuando el servidor lo comprueba en Stripe, no por lo que diga el navegador.',
      ),
    },
  },
  {
    path: paths.stripeSimple,
    title: 'Formulario antes que el pago',
    style: 'El formulario aparece sin que exista un pago; el pago se crea recién cuando pulsas pagar.',
    plan: {
      ...usualPlan,
      ...shows(fixed696),
      Payment: DeferredCheckoutPayment,
      explanation: explain(
        'Elements se abre con mode: "payment", monto y moneda.',
        'Al pagar, elements.submit() revisa la tarjeta y solo entonces el servidor abre el envío.',
        'Una tarjeta rechazada se reintenta sobre el mismo pago.',
      ),
    },
  },
  {
    path: paths.stripeDirect,
    title: 'Confirmado por el webhook',
    style:
      'El navegador no avisa a nuestro servidor: la página espera el aviso que Stripe le manda y lo muestra en vivo.',
    plan: {
      ...usualPlan,
      method: confirmedByWebhook,
      explanation: explain(
        'El navegador confirma la tarjeta y no llama a confirm-transaction.',
        'Stripe llama a POST /api/stripe/webhook y el trabajo registra el pago.',
        'La novedad llega por Socket.IO; por si se pierde, se pregunta cada 2 segundos.',
      ),
    },
  },
  {
    path: paths.stripeRedirect,
    title: 'Pago con redirección',
    style:
      'Después de confirmar, Stripe siempre lleva a /payment-success, que pregunta al servidor cómo quedó el pago.',
    plan: {
      ...usualPlan,
      method: alwaysRedirected,
      explanation: explain(
        'confirmPayment con redirect: "always" y la dirección de regreso.',
        'La página de regreso no cree en su dirección: el servidor lee el estado en Stripe.',
        'Si cierras la ventana en el camino, el pago se registra igual.',
      ),
    },
  },
  {
    path: paths.simpleStripe,
    title: 'Card Element',
    style: 'Usa el formulario anterior de Stripe, un Card Element confirmado con confirmCardPayment.',
    plan: {
      ...usualPlan,
      method: cardElement,
      ...shows(fixed696),
      explanation: explain(
        'elements.create("card") en lugar del Payment Element.',
        'confirmCardPayment(clientSecret) confirma y resuelve 3-D Secure.',
        'Lo demás, cotización y registro, es lo mismo que en las otras páginas.',
      ),
    },
  },
];
