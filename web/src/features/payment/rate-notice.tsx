import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconTrendingUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { QuoteView } from '#core/contracts/http/rates';
import { parseRate, type Rate } from '#core/rates/rate';
import type { PreparedPayment } from '../../data/payments.ts';
import { quoteQuery } from '../../data/quotes.ts';
import { ratesQuery } from '../../data/rates.ts';
import type { PaymentMessages } from './payment-messages.ts';

/**
 * How the accepted rate stands to today's. It is kept until the quote expires, whatever happens; when a better one comes up
 * the person may go over to it, or just carry on.
 */
export function RateNotice({
  payment: { quote: accepted },
  messages,
  locked,
  onChange,
}: {
  payment: PreparedPayment;
  messages: PaymentMessages;
  /** The card is being asked: nothing may change now. */
  locked: boolean;
  /** Opens a payment with the quote. @returns why that was not possible, or null. */
  onChange: (quote: QuoteView) => Promise<string | null>;
}) {
  const rate = useQuery(ratesQuery).data?.rates[accepted.currency];
  const current = rate && !rate.paused ? rate.rate : accepted.rate;
  const better = exact(current) > exact(accepted.rate);
  const worse = exact(current) < exact(accepted.rate);
  const { amount, currency } = accepted;
  const offered = useQuery({ ...quoteQuery({ amount, currency }), enabled: better }).data;
  return (
    <div role="status" data-testid="pay-rate-notice" data-moved={better ? 'better' : worse ? 'worse' : undefined}>
      {better && offered?.rate === current ? (
        <Better {...{ accepted, offered, messages, locked, onChange }} />
      ) : (
        <Text c="dimmed" fz="sm">
          {worse ? messages.rateNotice.worse(accepted.expiresAt) : messages.keptUntil(accepted.expiresAt)}
        </Text>
      )}
    </div>
  );
}

function Better(props: {
  accepted: PreparedPayment['quote'];
  offered: QuoteView;
  messages: PaymentMessages;
  locked: boolean;
  onChange: (quote: QuoteView) => Promise<string | null>;
}) {
  const { accepted, offered, messages } = props;
  const { money, rateLine } = messages.breakdown;
  const [changing, setChanging] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const change = async () => {
    setChanging(true);
    setProblem(null);
    setProblem(await props.onChange(offered));
    setChanging(false);
  };
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
        <Button size="sm" loading={changing} disabled={props.locked} onClick={change} data-testid="pay-use-better">
          {messages.rateNotice.use}
        </Button>
        {problem && (
          <Text c="var(--cq-bad)" fw={600} data-testid="pay-better-problem">
            {problem}
          </Text>
        )}
        <Text fz="sm">{messages.rateNotice.carryOn(accepted.expiresAt)}</Text>
      </Stack>
    </Alert>
  );
}

const exact = (rate: string) => parseRate(rate) as Rate;
