import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, Stack, Text, Title } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { language } from '../../lib/language.ts';
import { paths } from '../../lib/paths.ts';
import { type CheckoutPaymentProps, type CheckoutPlan, pageWords } from './checkout-plan.ts';
import { Disclosure } from './disclosure.tsx';
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
      words={plan.words()}
      {...(plan.method && { method: plan.method })}
      onCancel={props.onEdit}
      onDone={toPanel}
      onRetry={() => window.location.reload()}
      cancelInForm
      figuresBeside={plan.arrangement === 'beside'}
      success={(prepared) => <PagePaid plan={plan} payment={prepared} onAgain={props.onAgain} onPanel={toPanel} />}
    />
  );
}

/** The cards around a page's payment: what is paid, with the way back to the amount, and the payment itself. */
export function CheckoutPaymentFrame(props: CheckoutPaymentProps & { payment: Payment; children: ReactNode }) {
  const { plan, offer, payment } = props;
  const { arrangement, explanation } = plan;
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
            <Trans>Cuánto envías</Trans>
          </Title>
          <Disclosure
            figures={'payment' in state ? state.payment.quote : state.accepted.quote}
            in={language()}
            recipient={offer.recipient}
          />
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
            <Trans>Editar monto</Trans>
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
          <Trans>Pago seguro con tarjeta</Trans>
        </Title>
        {props.children}
        {(state.name === 'form' || state.name === 'confirming') && explanation && (
          <Stack mt="lg" gap={0}>
            <Text c="dimmed" fz="sm">
              {explanation().points.at(-1)}
            </Text>
          </Stack>
        )}
      </Card>
    </div>
  );
}

export const heldNotCharged = () => t`Tu tarjeta solo se reserva: se cobra cuando el envío se aprueba.`;

/** A page for both currencies, with the card form beside the amount. */
export const usualPlan: CheckoutPlan = {
  words: pageWords,
  arrangement: 'beside',
  currencies: 'both',
  Payment: CardCheckoutPayment,
};

/** /stripe-pago */
export const remittancePlan: CheckoutPlan = {
  ...usualPlan,
  explanation: () => ({
    title: t`Cómo funciona`,
    points: [
      t`Escribes el monto y ves cuánto llega, con la comisión a la vista.`,
      t`Pagas con tu tarjeta en el formulario seguro de Stripe. Tus datos no pasan por Chasqui.`,
      t`Eliges quién recibe en tu panel y sigues tu envío en vivo.`,
      heldNotCharged(),
    ],
  }),
};

/** /stripe-integration */
export const twoStepPlan: CheckoutPlan = { ...usualPlan, arrangement: 'steps' };
