import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { QuoteView } from '#core/contracts/http/rates';
import classes from './payment.module.css';
import type { PaymentMessages } from './payment-messages.ts';

/** The rate moved since the person saw it: both offers side by side, and nothing happens until the new one is accepted. */
export function RateChanged(props: {
  before: QuoteView;
  after: QuoteView;
  messages: PaymentMessages;
  onAccept: () => void;
  onClose: () => void;
}) {
  const { before, after, messages } = props;
  const { money } = messages.breakdown;
  return (
    <Stack gap="lg" role="alert" data-testid="pay-rate-changed">
      <Text>{messages.rateChanged.message}</Text>
      <SimpleGrid cols={2} spacing="sm">
        <Side title={messages.rateChanged.before} quote={before} messages={messages} quiet />
        <Side title={messages.rateChanged.now} quote={after} messages={messages} />
      </SimpleGrid>
      <Text>{messages.rateChanged.same(money(after.amount, after.currency))}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onClose}>
          {messages.cancel}
        </Button>
        <Button onClick={props.onAccept} data-testid="pay-accept-rate">
          {messages.rateChanged.accept}
        </Button>
      </Group>
    </Stack>
  );
}

function Side(props: { title: string; quote: QuoteView; messages: PaymentMessages; quiet?: boolean }) {
  const { title, quote, messages, quiet = false } = props;
  return (
    <div className={classes.side} data-now={quiet ? undefined : true}>
      <Text c="dimmed">{title}</Text>
      <Text component="div" className={`${classes.sideAmount} cq-big cq-num`} c={quiet ? 'dimmed' : undefined}>
        {messages.breakdown.money(quote.bs, 'BOB')}
      </Text>
      <Text fz="sm" className="cq-num" c={quiet ? 'dimmed' : undefined}>
        {messages.breakdown.rateLine(quote.rate, quote.currency)}
      </Text>
    </div>
  );
}
