import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconUserQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { TransferView } from '#core/contracts/http/transfers';
import { referenceOf } from '#core/transfers/reference';
import type { PreparedPayment } from '../../data/payments.ts';
import { transferQuery } from '../../data/transfers.ts';
import { paths } from '../../lib/paths.ts';
import { LoadingRows } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { CheckoutMessages } from './checkout-messages.ts';
import type { CheckoutPlan } from './checkout-plan.ts';
import { wasRefused } from './paid.tsx';
import classes from './payment.module.css';

/** A payment page's success card: only what the server knows, live, under a name that leads back to this very transfer. */
export function PagePaid(props: {
  plan: CheckoutPlan;
  payment: PreparedPayment;
  onAgain: () => void;
  onPanel: () => void;
}) {
  const { plan, payment } = props;
  const { paid } = plan.messages;
  const { label, name } = plan.named?.(payment) ?? { label: paid.reference, name: referenceOf(payment.transferId) };
  const { data: transfer } = useQuery(transferQuery(payment.transferId));
  const refused = transfer !== undefined && wasRefused(transfer);
  return (
    <Stack align="center" ta="center" gap="md" data-testid="pay-success">
      {refused ? (
        <IconAlertTriangleFilled size={64} color="var(--cq-bad)" aria-hidden />
      ) : (
        <IconCircleCheckFilled size={64} color="var(--cq-good)" aria-hidden />
      )}
      <div role="status">
        <Title order={3} fz="h2">
          {refused ? paid.refused : paid.title}
        </Title>
      </div>
      {transfer ? <PaidTransfer messages={plan.messages} transfer={transfer} /> : <LoadingRows rows={2} height={40} />}
      <div>
        <Text c="dimmed" fz="sm">
          {label}
        </Text>
        <Text className={`${classes.reference} cq-num`} data-testid="pay-reference">
          {name}
        </Text>
      </div>
      <div className={classes.choices}>
        <Button variant="default" onClick={props.onAgain} data-testid="pay-again">
          {paid.again}
        </Button>
        <Button onClick={props.onPanel} data-testid="pay-panel">
          {paid.panel}
        </Button>
      </div>
    </Stack>
  );
}

/** How a paid transfer stands now, and who is still to be chosen. */
export function PaidTransfer({ messages, transfer }: { messages: CheckoutMessages; transfer: TransferView }) {
  const { paid, payment } = messages;
  // The card is held, but the books may be a moment behind.
  const status = transfer.status === 'awaiting_payment' ? 'pending' : transfer.status;
  const going = status === 'pending' || status === 'completed';
  return (
    <>
      <StatusBadge status={status} label={paid.status(status)} />
      <div>
        <div className={`${classes.arrives} cq-big cq-num`} data-off={!going || undefined}>
          {payment.breakdown.money(transfer.bolivianos, 'BOB')}
        </div>
        {transfer.recipient && (
          <Text>
            {payment.recipient.toLowerCase()} {transfer.recipient}
          </Text>
        )}
      </div>
      <Text aria-live="polite">
        {status === 'completed'
          ? paid.done
          : !going
            ? paid.off
            : transfer.recipientId && paid.arrives(transfer.estimatedDelivery)}
      </Text>
      {going && transfer.recipientId === null && (
        <Alert
          color="sun"
          icon={<IconUserQuestion aria-hidden />}
          title={paid.chooseTitle}
          ta="left"
          w="100%"
          data-testid="pay-choose-recipient"
        >
          <Stack gap="sm" align="flex-start">
            {paid.choose}
            <Button component={Link} to={paths.dashboard} size="sm" variant="default">
              {paid.chooseLink}
            </Button>
          </Stack>
        </Alert>
      )}
    </>
  );
}
