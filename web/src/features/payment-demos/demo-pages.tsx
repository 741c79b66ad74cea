import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Badge, Card, SimpleGrid, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { formatBolivianos, formatRateLine } from '../../lib/format/money.ts';
import { paths } from '../../lib/paths.ts';
import { heldNotCharged, twoStepPlan, usualPlan } from '../payment/checkout-payment.tsx';
import { type CheckoutPlan, type EnteredAmount, pageWords } from '../payment/checkout-plan.ts';
import classes from '../payment/payment.module.css';
import {
  alwaysRedirected,
  cardElement,
  confirmedByWebhook,
  DeferredCheckoutPayment,
  smallestCall,
  withoutRate,
} from './demo-methods.tsx';
import { exampleAt, type FixedRate, fixed15, fixed696, fixed696WithFee } from './simulation.ts';

const shows = (at: FixedRate): Pick<CheckoutPlan, 'example'> => ({
  example: (entered) => <FixedRateExample at={at} entered={entered} />,
});

/** /stripe and /new-stripe: the two-step page, whose payment is not told the rate. */
export const twoStepPlanWithoutRate: CheckoutPlan = { ...twoStepPlan, method: withoutRate };

const notAboveZero = 'Please enter a valid amount greater than 0';

/** /fixed-stripe, which is English in every language, and has words of its own (specification, sections 4, 5 and 8). */
export const fixedPlan: CheckoutPlan = {
  ...usualPlan,
  ...shows(fixed15),
  words: () => ({
    ...pageWords(),
    notStarted: ['Payment failed', 'Failed to create payment intent'],
    notPrepared: 'Unable to initialize payment. Please try again later.',
    processing: 'Payment is being processed. Please wait a moment.',
    notMade: (status) => `Payment ${status}: Please try again`,
    unrecorded: { status: 'Error checking payment status', confirmation: 'Failed to confirm transaction' },
    amountProblem: { none: notAboveZero, malformed: notAboveZero },
  }),
  labels: { arrivesLabel: 'Recipient gets', paidLabel: 'You send', feeLabel: 'Our fee' },
  currencies: 'USD',
  named: ({ paymentIntentId }) => ({ label: 'Payment ID', name: paymentIntentId }),
  explanation: () => ({
    title: 'How it works',
    points: [
      'Enter the amount and see what arrives in Bolivia today.',
      'Pay by card in the secure form of Stripe.',
      'Choose who receives the money in your dashboard.',
      heldNotCharged(),
    ],
  }),
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

const explain = (points: () => string[]) => () => ({
  title: t`Qué hace esta página`,
  points: [...points(), heldNotCharged()],
});

/** The integration styles, all on the one payment path. */
export const demoPages: readonly DemoPage[] = [
  {
    path: paths.paymentDemo,
    get title() {
      return t`Pago con la llamada mínima`;
    },
    get style() {
      return t`El servidor recibe solo monto, moneda y destinatario, y devuelve el clientSecret que abre el formulario.`;
    },
    choosesRecipient: true,
    plan: {
      ...usualPlan,
      method: smallestCall,
      ...shows(fixed696WithFee),
      explanation: explain(() => [
        t`POST /api/create-payment-intent abre el envío y su pago.`,
        t`Payment Element muestra el formulario con ese clientSecret.`,
        t`Si la tasa se movió mientras tanto, aceptas la nueva antes de pagar.`,
      ]),
    },
  },
  {
    path: paths.stripeBasic,
    get title() {
      return t`Payment Element básico`;
    },
    get style() {
      return t`El pago se prepara primero y el formulario se confirma sin salir de la página, salvo que el banco lo pida.`;
    },
    plan: {
      ...usualPlan,
      explanation: explain(() => [
        t`POST /api/new-account/create-payment-intent congela la cotización.`,
        t`confirmPayment con redirect: "if_required" pregunta al banco en la misma página.`,
        t`El éxito se muestra cuando el servidor lo comprueba en Stripe, no por lo que diga el navegador.`,
      ]),
    },
  },
  {
    path: paths.stripeSimple,
    get title() {
      return t`Formulario antes que el pago`;
    },
    get style() {
      return t`El formulario aparece sin que exista un pago; el pago se crea recién cuando pulsas pagar.`;
    },
    plan: {
      ...usualPlan,
      ...shows(fixed696),
      Payment: DeferredCheckoutPayment,
      explanation: explain(() => [
        t`Elements se abre con mode: "payment", monto y moneda.`,
        t`Al pagar, elements.submit() revisa la tarjeta y solo entonces el servidor abre el envío.`,
        t`Una tarjeta rechazada se reintenta sobre el mismo pago.`,
      ]),
    },
  },
  {
    path: paths.stripeDirect,
    get title() {
      return t`Confirmado por el webhook`;
    },
    get style() {
      return t`El navegador no avisa a nuestro servidor: la página espera el aviso que Stripe le manda y lo muestra en vivo.`;
    },
    plan: {
      ...usualPlan,
      method: confirmedByWebhook,
      explanation: explain(() => [
        t`El navegador confirma la tarjeta y no llama a confirm-transaction.`,
        t`Stripe llama a POST /api/stripe/webhook y el trabajo registra el pago.`,
        t`La novedad llega por Socket.IO; por si se pierde, se pregunta cada 2 segundos.`,
      ]),
    },
  },
  {
    path: paths.stripeRedirect,
    get title() {
      return t`Pago con redirección`;
    },
    get style() {
      return t`Después de confirmar, Stripe siempre lleva a /payment-success, que pregunta al servidor cómo quedó el pago.`;
    },
    plan: {
      ...usualPlan,
      method: alwaysRedirected,
      explanation: explain(() => [
        t`confirmPayment con redirect: "always" y la dirección de regreso.`,
        t`La página de regreso no cree en su dirección: el servidor lee el estado en Stripe.`,
        t`Si cierras la ventana en el camino, el pago se registra igual.`,
      ]),
    },
  },
  {
    path: paths.simpleStripe,
    get title() {
      return t`Card Element`;
    },
    get style() {
      return t`Usa el formulario anterior de Stripe, un Card Element confirmado con confirmCardPayment.`;
    },
    plan: {
      ...usualPlan,
      method: cardElement,
      ...shows(fixed696),
      explanation: explain(() => [
        t`elements.create("card") en lugar del Payment Element.`,
        t`confirmCardPayment(clientSecret) confirma y resuelve 3-D Secure.`,
        t`Lo demás, cotización y registro, es lo mismo que en las otras páginas.`,
      ]),
    },
  },
];

/** The way from one demonstration to the others. */
export function DemoLinks({ here }: { here: string }) {
  return (
    <Card component="nav" aria-labelledby="demo-links">
      <Title order={2} fz="h3" id="demo-links" mb="md">
        <Trans>Otras formas de integrar el pago</Trans>
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
function FixedRateExample({ at, entered }: { at: FixedRate; entered: EnteredAmount }) {
  const { amount, currency } = entered;
  const arrives = exampleAt(at, amount, currency);
  return (
    <div className={classes.demonstration} data-testid="pay-demonstration">
      <Badge variant="outline" color="gray" size="lg" radius="sm" className={classes.badge}>
        <Trans>Demostración</Trans>
      </Badge>
      <Text component="div" c="dimmed" className={classes.pair}>
        <span>
          <Trans>Tasa fija</Trans>
        </span>
        <span className="cq-num">{formatRateLine(at.rate, currency)}</span>
      </Text>
      <Text component="div" c="dimmed" className={classes.pair}>
        <span>
          <Trans>A esa tasa recibiría</Trans>
        </span>
        <span className="cq-num">{arrives === null ? '—' : formatBolivianos(arrives)}</span>
      </Text>
      <Text fz="sm">
        <Trans>Esta tasa es solo un ejemplo. Se paga y se deposita lo que dice la cotización de hoy.</Trans>
      </Text>
    </div>
  );
}
