import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { QuoteView } from '#core/contracts/http/rates';
import classes from './payment.module.css';
import type { PaymentWords } from './payment-words.ts';

/** The rate moved since the person saw it: both offers side by side, and nothing happens until the new one is accepted. */
export function RateChanged(props: {
  before: QuoteView;
  after: QuoteView;
  words: PaymentWords;
  onAccept: () => void;
  onClose: () => void;
}) {
  const { before, after, words } = props;
  const { money } = words.breakdown;
  return (
    <Stack gap="lg" role="alert" data-testid="pay-rate-changed">
      <Text>{words.rateChanged.sentence}</Text>
      <SimpleGrid cols={2} spacing="sm">
        <Side title={words.rateChanged.before} quote={before} words={words} quiet />
        <Side title={words.rateChanged.now} quote={after} words={words} />
      </SimpleGrid>
      <Text>{words.rateChanged.same(money(after.amount, after.currency))}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onClose}>
          {words.cancel}
        </Button>
        <Button onClick={props.onAccept} data-testid="pay-accept-rate">
          {words.rateChanged.accept}
        </Button>
      </Group>
    </Stack>
  );
}

function Side(props: { title: string; quote: QuoteView; words: PaymentWords; quiet?: boolean }) {
  const { title, quote, words, quiet = false } = props;
  return (
    <div className={classes.side} data-now={quiet ? undefined : true}>
      <Text c="dimmed">{title}</Text>
      <Text component="div" className={`${classes.sideAmount} cq-big cq-num`} c={quiet ? 'dimmed' : undefined}>
        {words.breakdown.money(quote.bs, 'BOB')}
      </Text>
      <Text fz="sm" className="cq-num" c={quiet ? 'dimmed' : undefined}>
        {words.breakdown.rateLine(quote.rate, quote.currency)}
      </Text>
    </div>
  );
}
