import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Alert, Anchor, Button, Card, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconInfoCircle, IconPlayerPause, IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId } from 'react';
import { formatMinor, type SendCurrency } from '#core/money/money';
import { formatRate, rateDigits } from '#core/rates/rate';
import { claimQuery, claimText, usePricesFor } from '../../data/comparison.ts';
import { useOptionalQuery } from '../../data/optional-query.ts';
import type { QuoteQuestion } from '../../data/rates.ts';
import { failureMessages } from '../../lib/failure-messages.ts';
import { formatLongDay, formatMoment } from '../../lib/format/dates.ts';
import { bolivianosSign, formatRateLine } from '../../lib/format/money.ts';
import { percentText } from '../../lib/format/numbers.ts';
import { DecimalInput } from '../../ui/decimal-input.tsx';
import { ExchangeRate } from '../../ui/figures.tsx';
import { ToneBadge } from '../../ui/tone-badge.tsx';
import { Breakdown, BreakdownLine } from '../shared/breakdown.tsx';
import { SendingAmount } from '../shared/sending-amount.tsx';
import classes from './calculator.module.css';
import { competitorPrices } from './estimate.ts';
import { PriceList } from './price-list.tsx';
import { type Answer, type CalculatedSending, useCalculator } from './use-calculator.ts';

/** The claim may come a little after the figures. */
const claimMs = 500;

/**
 * The sending calculator: amount and currency in, what arrives out, beside two other services. Shows no validation messages
 * (specification, section 5). `onSubmit` gets the server's figures, never an estimate.
 */
export function Calculator({ onSubmit }: { onSubmit: (sending: CalculatedSending) => void }) {
  const calculator = useCalculator();
  const { question, answer } = calculator;
  const submit = useMutation({ mutationFn: calculator.settle, onSuccess: onSubmit });
  const payable = answer.kind !== 'blank' && answer.kind !== 'no-rate' && !calculator.paused;
  return (
    <Card
      component="form"
      className={classes.card}
      shadow="md"
      padding="lg"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (payable) submit.mutate();
      }}
      data-testid="calculator"
    >
      <div className={`${classes.band} cq-band`} aria-hidden />
      <div className={classes.columns}>
        <Stack>
          <SendingAmount
            question={question}
            onChange={calculator.setQuestion}
            quote={calculator.quote}
            payLabel={t`Envías`}
            problem={null}
            min={1}
            layout="beside"
            testid="calculator"
          />
          <RateField
            currency={question.currency}
            value={calculator.rateText}
            onChange={calculator.setRateText}
            inForce={calculator.inForce}
            onRefresh={calculator.refresh}
            refreshing={calculator.refreshing}
          />
          <Result answer={answer} asked={question.side} />
          <Note
            answer={answer}
            paused={calculator.paused}
            currency={question.currency}
            inForce={calculator.inForce}
            back={calculator.forgetOwnRate}
            retry={calculator.refresh}
          />
          <Button
            type="submit"
            size="lg"
            fullWidth
            disabled={!payable}
            loading={submit.isPending}
            data-testid="calculator-submit"
          >
            <Trans>Enviar dinero</Trans>
          </Button>
        </Stack>
        <Prices {...calculator} />
      </div>
    </Card>
  );
}

/** What arrives, biggest of all, and how it comes about. */
function Result({ answer, asked }: { answer: Answer; asked: 'pay' | 'receive' }) {
  const figures = 'figures' in answer ? answer.figures : null;
  const blank = answer.kind === 'blank' || answer.kind === 'no-rate';
  const own = answer.kind === 'own-rate' || (answer.kind === 'offline' && answer.ownRate);
  return (
    <div aria-live="polite" data-answer={answer.kind}>
      <Breakdown
        figures={figures}
        blank={blank}
        asked={asked}
        off={own}
        arrivesLabel={own ? t`Con tu tasa llegarían` : t`Tu familia recibe`}
        testid="calculator"
      >
        <BreakdownLine label={t`Llega hacia el`}>
          {answer.kind === 'quote' ? formatLongDay(answer.estimatedDelivery) : '—'}
        </BreakdownLine>
      </Breakdown>
    </div>
  );
}

/** Says when the figures are not the server's, and how to get those. */
function Note(props: {
  answer: Answer;
  paused: boolean;
  currency: SendCurrency;
  inForce: string | null;
  back: () => void;
  retry: () => unknown;
}) {
  const { answer, currency, inForce } = props;
  return (
    <div aria-live="polite">
      {props.paused && (
        <Alert color="yellow" icon={<IconPlayerPause aria-hidden />} data-testid="calculator-paused">
          {failureMessages.payments_paused}
        </Alert>
      )}
      {answer.kind === 'no-rate' && <Text>{failureMessages.rate_unavailable}</Text>}
      {answer.kind === 'own-rate' && inForce && (
        <Estimate>
          <Trans>
            Con la tasa que escribiste, que no es una tasa de Chasqui. Tu envío usa siempre la nuestra:{' '}
            <ExchangeRate rate={inForce} currency={currency} />.
          </Trans>{' '}
          <Anchor component="button" type="button" onClick={props.back} fz="inherit" data-testid="calculator-real-rate">
            <Trans>Volver a la tasa real</Trans>
          </Anchor>
        </Estimate>
      )}
      {answer.kind === 'offline' && (
        <Estimate>
          <Trans>Sin conexión con Chasqui.</Trans> {offlineSource(answer, currency)}{' '}
          <Anchor
            component="button"
            type="button"
            onClick={() => props.retry()}
            fz="inherit"
            data-testid="calculator-retry"
          >
            <Trans>Reintentar</Trans>
          </Anchor>
        </Estimate>
      )}
    </div>
  );
}

function Estimate({ children }: { children: ReactNode }) {
  return (
    <div className={classes.estimate} data-testid="calculator-estimate">
      <ToneBadge tone="wait" Icon={IconInfoCircle}>
        <Trans>Estimación</Trans>
      </ToneBadge>
      <Text fz="sm">{children}</Text>
    </div>
  );
}

function offlineSource(answer: Extract<Answer, { kind: 'offline' }>, currency: SendCurrency): string {
  const { terms, ownRate } = answer;
  const percent = formatPercent(terms.feeBasisPoints);
  const fee = t`comisión de ${percent}`;
  const rate = ownRate ? t`la tasa que escribiste` : formatRateLine(formatRate(terms.rate), currency);
  if (terms.seenAt === null) return t`Calculado con valores de ejemplo: ${fee} y ${rate}.`;
  const seen = formatMoment(terms.seenAt);
  return t`Calculado con lo último que vimos, el ${seen}: ${fee} y ${rate}.`;
}

/** Two other services for the same total paid, and by how much ours is better where that can be proved. */
function Prices({ paid, answer, since }: ReturnType<typeof useCalculator>) {
  const prices = usePricesFor(paid);
  const view = prices.error && !prices.isPlaceholderData ? null : prices.data;
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <Text fw={600} id={titleId} mb="xs">
        <Trans>Lo que llega con otros si pagas lo mismo</Trans>
      </Text>
      <PriceList answer={answer} since={since} prices={competitorPrices(paid, view)} currency={paid.currency} />
      <Claim question={paid} shown={answer.kind === 'quote'} />
    </section>
  );
}

/** Only beside the server's figures: nothing is claimed with an estimate. */
function Claim({ question, shown }: { question: QuoteQuestion; shown: boolean }) {
  const [amount] = useDebouncedValue(question.amount, claimMs);
  const data = useOptionalQuery(claimQuery({ ...question, amount })) ?? null;
  const claim = shown && amount === question.amount ? claimText({ claimPercent: data }, 'elsewhere') : null;
  return (
    <div className={classes.claim}>
      {claim && (
        <Text fz="sm" fw={600} c="var(--cq-good)" data-testid="calculator-claim">
          {claim}
        </Text>
      )}
    </div>
  );
}

/** "3,5 %" from basis points. */
const formatPercent = (basisPoints: bigint) => percentText(formatMinor(basisPoints).replace(/\.?0+$/, ''));

/** The rate: the server's until somebody types another one to try it out; the arrows bring the server's again. */
function RateField(props: {
  currency: SendCurrency;
  /** Decimal text, empty while no rate is known. */
  value: string;
  onChange: (rate: string) => void;
  /** The server's rate. */
  inForce: string | null;
  onRefresh: () => unknown;
  refreshing: boolean;
}) {
  const mark = { 'data-rate': props.inForce ?? '' };
  return (
    <DecimalInput
      label={t`Tasa de cambio`}
      value={props.value}
      onChange={props.onChange}
      rule={{ kind: 'rate', wholeDigits: 3, decimals: rateDigits }}
      leftSection={<span className={`${classes.rateSide} cq-num`}>1 {props.currency} =</span>}
      leftSectionWidth={84}
      rightSection={
        <>
          <span className="cq-num">{bolivianosSign()}</span>
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={t`Actualizar la tasa`}
            onClick={() => props.onRefresh()}
            loading={props.refreshing}
            data-testid="calculator-refresh"
          >
            <IconRefresh size={20} aria-hidden />
          </ActionIcon>
        </>
      }
      rightSectionWidth={76}
      classNames={{ input: 'cq-num' }}
      wrapperProps={mark}
      {...mark}
      testid="calculator-rate"
    />
  );
}
