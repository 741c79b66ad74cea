import { Anchor, Badge, Card, SimpleGrid, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { type CheckoutMessages, englishCheckout, spanishCheckout } from '../payment/checkout-messages.ts';
import { heldNotCharged, twoStepPlan, usualPlan } from '../payment/checkout-payment.tsx';
import type { CheckoutPlan, EnteredAmount } from '../payment/checkout-plan.ts';
import classes from '../payment/payment.module.css';
import { DeferredCheckoutPayment } from './deferred-payment.tsx';
import { alwaysRedirected, cardElement, confirmedByWebhook, smallestCall, withoutRate } from './demo-methods.tsx';
import { exampleAt, type FixedRate, fixed15, fixed696, fixed696WithFee } from './fixed-rate.ts';

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
interface DemoPage {
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

/** The way from one demonstration to the others. */
export function DemoLinks({ here }: { here: string }) {
  return (
    <Card component="nav" aria-labelledby="demo-links">
      <Title order={2} fz="h3" id="demo-links" mb="md">
        Otras formas de integrar el pago
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
        {demoPages
          .filter(({ path }) => path !== here)
          .map(({ path, title, style }) => (
            <div key={path}>
              <Anchor component={Link} to={path} fw={600}>
                {title}
              </Anchor>
              <Text c="dimmed" fz="sm">
                {style}
              </Text>
            </div>
          ))}
      </SimpleGrid>
    </Card>
  );
}

/** What would arrive at the fixed rate that a page is about, marked as a demonstration. */
function FixedRateExample(props: { at: FixedRate; messages: CheckoutMessages; entered: EnteredAmount }) {
  const { demonstration, payment } = props.messages;
  const { amount, currency } = props.entered;
  const { money, rateLine } = payment.breakdown;
  const arrives = exampleAt(props.at, amount, currency);
  return (
    <div className={classes.demonstration} data-testid="pay-demonstration">
      <Badge variant="outline" color="gray" tt="none" size="lg" radius="sm" className={classes.badge}>
        {demonstration.badge}
      </Badge>
      <Text component="div" c="dimmed" className={classes.pair}>
        <span>{demonstration.rate}</span>
        <span className="cq-num">{rateLine(props.at.rate, currency)}</span>
      </Text>
      <Text component="div" c="dimmed" className={classes.pair}>
        <span>{demonstration.wouldGet}</span>
        <span className="cq-num">{arrives === null ? '—' : money(arrives, 'BOB')}</span>
      </Text>
      <Text fz="sm">{demonstration.real}</Text>
    </div>
  );
}
