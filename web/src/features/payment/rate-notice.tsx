import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconTrendingUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { QuoteView } from '#core/contracts/http/rates';
import { parseRate, type Rate } from '#core/rates/rate';
import type { PreparedPayment } from '../../data/payments.ts';
import { quoteQuery } from '../../data/quotes.ts';
import { ratesQuery } from '../../data/rates.ts';
import classes from './payment.module.css';
import type { PaymentMessages } from './payment-messages.ts';
import type { RateChange } from './payment-reducer.ts';

interface Props {
  accepted: PreparedPayment['quote'];
  messages: PaymentMessages;
  /** How going over to a better quote stands; null while the card is asked, when nothing may change. */
  change: RateChange | null;
  /** Opens a payment with the quote. */
  onChange: (quote: QuoteView) => void;
}

/**
 * How the accepted rate stands to today's. It is kept until the quote expires, whatever happens; when a better one comes up
 * the sender may go over to it, or just carry on.
 */
export function RateNotice({ accepted, messages, change, onChange }: Props) {
  const rate = useQuery(ratesQuery).data?.rates[accepted.currency];
  const current = rate && !rate.paused ? rate.rate : accepted.rate;
  const better = exact(current) > exact(accepted.rate);
  const worse = exact(current) < exact(accepted.rate);
  const { amount, currency } = accepted;
  const offered = useQuery({ ...quoteQuery({ amount, currency }), enabled: better }).data;
  return (
    <div role="status" data-testid="pay-rate-notice" data-moved={better ? 'better' : worse ? 'worse' : undefined}>
      {better && offered?.rate === current ? (
        <Better {...{ accepted, offered, messages, change, onChange }} />
      ) : (
        <Text c="dimmed" fz="sm">
          {worse ? messages.rateNotice.worse(accepted.expiresAt) : messages.keptUntil(accepted.expiresAt)}
        </Text>
      )}
    </div>
  );
}

function Better({ accepted, offered, messages, change, onChange }: Props & { offered: QuoteView }) {
  const { money, rateLine } = messages.breakdown;
  const problem = change?.is === 'failed' && problemOf(change.failure, messages);
  return (
    <Alert
      color="green"
      bg="var(--cq-good-soft)"
      icon={<IconTrendingUp aria-hidden />}
      title={messages.rateNotice.title}
    >
      <Stack gap="sm" align="flex-start">
        <Text data-testid="pay-better-rate" data-rate={offered.rate} data-bs={offered.bs}>
          {messages.rateNotice.better(rateLine(offered.rate, offered.currency), money(offered.bs, 'BOB'))}
        </Text>
        <Button
          size="sm"
          loading={change?.is === 'asking'}
          disabled={change === null}
          onClick={() => onChange(offered)}
          data-testid="pay-use-better"
        >
          {messages.rateNotice.use}
        </Button>
        {problem && (
          <Text c="var(--cq-bad)" fw={600} data-testid="pay-better-problem">
            {problem} {messages.rateNotice.stillYours}
          </Text>
        )}
        <Text fz="sm">{messages.rateNotice.carryOn(accepted.expiresAt)}</Text>
      </Stack>
    </Alert>
  );
}

function problemOf(failure: Extract<RateChange, { is: 'failed' }>['failure'], messages: PaymentMessages): string {
  if (failure === 'moved_again') return messages.rateNotice.movedAgain;
  return 'message' in failure ? messages.failure(failure.code, failure.message) : messages.formNotLoaded;
}

const exact = (rate: string) => parseRate(rate) as Rate;

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
