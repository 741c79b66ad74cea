import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconTrendingUp } from '@tabler/icons-react';
import type { QuoteView } from '#core/contracts/http/rates';
import { parseRate, type Rate } from '#core/rates/rate';
import { useOptionalQuery } from '../../data/optional-query.ts';
import type { PreparedPayment } from '../../data/payments.ts';
import { quoteQuery, ratesQuery } from '../../data/rates.ts';
import { failureMessages } from '../../lib/failure-messages.ts';
import { formatTime } from '../../lib/format/dates.ts';
import { formatAmount, formatBolivianos, formatRateLine } from '../../lib/format/money.ts';
import { failureText } from './checkout-plan.ts';
import classes from './payment.module.css';
import type { RateChange } from './payment-reducer.ts';

interface Props {
  accepted: PreparedPayment['quote'];
  /** How going over to a better quote stands; null while the card is asked, when nothing may change. */
  change: RateChange | null;
  /** Opens a payment with the quote. */
  onChange: (quote: QuoteView) => void;
}

/**
 * How the accepted rate stands to today's. It is kept until the quote expires, whatever happens; when a better one comes up
 * the sender may go over to it, or just carry on.
 */
export function RateNotice({ accepted, change, onChange }: Props) {
  const rate = useOptionalQuery(ratesQuery)?.rates[accepted.currency];
  const current = rate && !rate.paused ? rate.rate : accepted.rate;
  const better = exact(current) > exact(accepted.rate);
  const worse = exact(current) < exact(accepted.rate);
  const { amount, currency } = accepted;
  const until = formatTime(accepted.expiresAt);
  const offered = useOptionalQuery({ ...quoteQuery({ amount, currency }), enabled: better });
  return (
    <div role="status" data-testid="pay-rate-notice" data-moved={better ? 'better' : worse ? 'worse' : undefined}>
      {better && offered?.rate === current ? (
        <Better {...{ accepted, offered, change, onChange }} />
      ) : (
        <Text c="dimmed" fz="sm">
          {worse ? (
            <Trans>La tasa bajó. Tu tasa aceptada se mantiene hasta las {until}.</Trans>
          ) : (
            <Trans>Te guardamos esta tasa hasta las {until}.</Trans>
          )}
          {accepted.betterRate && (
            <>
              {' '}
              <Trans>Si mejora antes de que aprobemos el cobro, recibes la mejor.</Trans>
            </>
          )}
        </Text>
      )}
    </div>
  );
}

function Better({ accepted, offered, change, onChange }: Props & { offered: QuoteView }) {
  const problem = change?.is === 'failed' && problemOf(change.failure);
  const rate = formatRateLine(offered.rate, offered.currency);
  const arrives = formatBolivianos(offered.bs);
  const until = formatTime(accepted.expiresAt);
  return (
    <Alert color="green" bg="var(--cq-good-soft)" icon={<IconTrendingUp aria-hidden />} title={t`Hay una tasa mejor`}>
      <Stack gap="sm" align="flex-start">
        <Text data-testid="pay-better-rate" data-rate={offered.rate} data-bs={offered.bs}>
          <Trans>
            Ahora {rate}: por lo mismo que pagas llegarían {arrives}.
          </Trans>
        </Text>
        <Button
          size="sm"
          loading={change?.is === 'asking'}
          disabled={change === null}
          onClick={() => onChange(offered)}
          data-testid="pay-use-better"
        >
          <Trans>Usar la nueva tasa</Trans>
        </Button>
        {problem && (
          <Text c="var(--cq-bad)" fw={600} data-testid="pay-better-problem">
            {problem} <Trans>Puedes pagar con la tasa que ya aceptaste.</Trans>
          </Text>
        )}
        <Text fz="sm">
          <Trans>Si prefieres seguir, tu tasa aceptada se mantiene hasta las {until}.</Trans>
        </Text>
      </Stack>
    </Alert>
  );
}

function problemOf(failure: Extract<RateChange, { is: 'failed' }>['failure']): string {
  if (failure === 'moved_again') return t`La tasa volvió a moverse.`;
  return failureText(failure);
}

const exact = (rate: string) => parseRate(rate) as Rate;

/** The rate moved since the person saw it: both offers side by side, and nothing happens until the new one is accepted. */
export function RateChanged(props: { before: QuoteView; after: QuoteView; onAccept: () => void; onClose: () => void }) {
  const { before, after } = props;
  const paid = formatAmount(after.amount, after.currency);
  return (
    <Stack gap="lg" role="alert" data-testid="pay-rate-changed">
      <Text>{failureMessages.rate_changed}</Text>
      <SimpleGrid cols={2} spacing="sm">
        <Side title={t`Antes`} quote={before} quiet />
        <Side title={t`Ahora`} quote={after} />
      </SimpleGrid>
      <Text>
        <Trans>Pagas lo mismo: {paid}, comisión incluida.</Trans>
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onClose}>
          <Trans>Cancelar</Trans>
        </Button>
        <Button onClick={props.onAccept} data-testid="pay-accept-rate">
          <Trans>Aceptar y continuar</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

function Side({ title, quote, quiet = false }: { title: string; quote: QuoteView; quiet?: boolean }) {
  return (
    <div className={classes.side} data-now={quiet ? undefined : true}>
      <Text c="dimmed">{title}</Text>
      <Text component="div" className={`${classes.sideAmount} cq-big cq-num`} c={quiet ? 'dimmed' : undefined}>
        {formatBolivianos(quote.bs)}
      </Text>
      <Text fz="sm" className="cq-num" c={quiet ? 'dimmed' : undefined}>
        {formatRateLine(quote.rate, quote.currency)}
      </Text>
    </div>
  );
}
