import { Button, Card, Stack, Text, Title } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Offer } from '../../data/payments.ts';
import { paths } from '../../lib/paths.ts';
import { Breakdown, BreakdownLine } from '../../ui/breakdown.tsx';
import classes from './checkout.module.css';
import type { CheckoutPlan } from './checkout-plan.ts';
import { PagePaid } from './page-paid.tsx';
import { PaymentSteps } from './payment-steps.tsx';
import { usePayment } from './use-payment.ts';

/** A page's payment from the accepted quote to its success card. */
export function Paying(props: { plan: CheckoutPlan; offer: Offer; onEdit: () => void; onAgain: () => void }) {
  const { plan, offer, onEdit } = props;
  const { messages, style, arrangement } = plan;
  const payment = usePayment(offer, style, messages.payment);
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const { step } = payment;
  const paid = step.name === 'paid';
  const toPanel = () => void navigate(paths.dashboard);
  // biome-ignore lint/correctness/useExhaustiveDependencies: success is one more change
  useEffect(() => {
    // The step changed under the person's hands: keyboard and eyes go on from its title.
    title.current?.focus({ preventScroll: true });
    title.current?.scrollIntoView({ block: 'nearest' });
  }, [paid]);
  const beside = arrangement === 'beside' && !paid;
  const frozen = step.name === 'form' ? step.payment?.quote : undefined;
  // While the card is asked, and afterwards, the amount is not to be changed any more.
  const editable = !busy && (step.name === 'form' || step.name === 'preparing');
  return (
    <div
      className={classes.frame}
      data-arrangement={beside ? 'beside' : 'steps'}
      data-testid="checkout"
      data-step={step.name}
    >
      {beside && (
        <Card component="section" aria-labelledby="checkout-summary">
          <Title order={2} id="checkout-summary" mb="md">
            {messages.amountStep}
          </Title>
          <Breakdown figures={frozen ?? payment.accepted} labels={messages.payment.breakdown}>
            {offer.recipient && (
              <BreakdownLine label={messages.payment.recipient}>{offer.recipient.name}</BreakdownLine>
            )}
          </Breakdown>
          <Button
            mt="lg"
            variant="default"
            fullWidth
            leftSection={<IconPencil size={18} aria-hidden />}
            onClick={onEdit}
            disabled={!editable}
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
        <PaymentSteps
          payment={payment}
          offer={offer}
          style={style}
          messages={messages.payment}
          onBusy={setBusy}
          onCancel={onEdit}
          onDone={toPanel}
          onRetry={() => window.location.reload()}
          cancelInForm
          withoutFigures={beside}
          success={(prepared) => <PagePaid plan={plan} payment={prepared} onAgain={props.onAgain} onPanel={toPanel} />}
        />
        {step.name === 'form' && plan.explanation && (
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
