import { Button, Card, Stack, Text, Title } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { Breakdown, BreakdownLine } from '../shared/breakdown.tsx';
import { spanishCheckout } from './checkout-messages.ts';
import type { CheckoutPaymentProps, CheckoutPlan } from './checkout-plan.ts';
import { PagePaid } from './paid.tsx';
import classes from './payment.module.css';
import { PaymentScreens } from './payment-screens.tsx';
import { type Payment, usePayment } from './use-payment.ts';

/** A page's payment from the accepted quote to its success card. */
function CardCheckoutPayment(props: CheckoutPaymentProps) {
  const payment = usePayment(props.offer, props.plan.method);
  return (
    <CheckoutPaymentFrame {...props} payment={payment}>
      <CheckoutScreens {...props} payment={payment} />
    </CheckoutPaymentFrame>
  );
}

/** The states of a page's payment. */
export function CheckoutScreens(props: CheckoutPaymentProps & { payment: Payment }) {
  const { plan, offer, payment } = props;
  const navigate = useNavigate();
  const toPanel = () => void navigate(paths.dashboard);
  return (
    <PaymentScreens
      payment={payment}
      offer={offer}
      messages={plan.messages.payment}
      {...(plan.method && { method: plan.method })}
      onCancel={props.onEdit}
      onDone={toPanel}
      onRetry={() => window.location.reload()}
      cancelInForm
      withoutFigures={plan.arrangement === 'beside'}
      success={(prepared) => <PagePaid plan={plan} payment={prepared} onAgain={props.onAgain} onPanel={toPanel} />}
    />
  );
}

/** The cards around a page's payment: what is paid, with the way back to the amount, and the payment itself. */
export function CheckoutPaymentFrame(props: CheckoutPaymentProps & { payment: Payment; children: ReactNode }) {
  const { plan, offer, payment } = props;
  const { messages, arrangement } = plan;
  const { state } = payment;
  const title = useRef<HTMLHeadingElement>(null);
  const paid = state.name === 'paid';
  // biome-ignore lint/correctness/useExhaustiveDependencies: success is one more change
  useEffect(() => {
    // The step changed under the sender's hands: keyboard and eyes go on from its title.
    title.current?.focus({ preventScroll: true });
    title.current?.scrollIntoView({ block: 'nearest' });
  }, [paid]);
  const beside = arrangement === 'beside' && !paid;
  return (
    <div
      className={classes.frame}
      data-arrangement={beside ? 'beside' : 'steps'}
      data-testid="checkout"
      data-step={state.name}
    >
      {beside && (
        <Card component="section" aria-labelledby="checkout-summary">
          <Title order={2} id="checkout-summary" mb="md">
            {messages.amountStep}
          </Title>
          <Breakdown
            figures={'payment' in state ? state.payment.quote : state.accepted.quote}
            labels={messages.payment.breakdown}
          >
            {offer.recipient && (
              <BreakdownLine label={messages.payment.recipient}>{offer.recipient.name}</BreakdownLine>
            )}
          </Breakdown>
          <Button
            mt="lg"
            variant="default"
            fullWidth
            leftSection={<IconPencil size={18} aria-hidden />}
            onClick={props.onEdit}
            // While the card is asked, and afterwards, the amount is not to be changed any more.
            disabled={state.name !== 'form' && state.name !== 'opening'}
            data-testid="pay-edit"
          >
            {messages.editAmount}
          </Button>
        </Card>
      )}
      <Card component="section" aria-labelledby="checkout-payment">
        <Title
          order={2}
          id="checkout-payment"
          mb="md"
          ref={title}
          tabIndex={-1}
          className={`${classes.stepTitle} ${paid ? classes.hidden : ''}`}
        >
          {messages.payStep}
        </Title>
        {props.children}
        {(state.name === 'form' || state.name === 'confirming') && plan.explanation && (
          <Stack mt="lg" gap={0}>
            <Text c="dimmed" fz="sm">
              {plan.explanation.points.at(-1)}
            </Text>
          </Stack>
        )}
      </Card>
    </div>
  );
}

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
