import { Badge, Text } from '@mantine/core';
import classes from '../payment/checkout.module.css';
import type { CheckoutMessages } from '../payment/checkout-messages.ts';
import type { EnteredAmount } from '../payment/checkout-plan.ts';
import { exampleAt, type FixedRate } from './fixed-rate.ts';

/** What would arrive at the fixed rate that a page is about, marked as a demonstration. */
export function FixedRateExample(props: { at: FixedRate; messages: CheckoutMessages; entered: EnteredAmount }) {
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
