import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Skeleton, Stack, Text } from '@mantine/core';
import { parseMinor, type SendCurrency } from '#core/money/money';
import { competitorNames } from '#core/rates/sources';
import { ExchangeRate, Money } from '../../ui/figures.tsx';
import { useNow } from '../../ui/hooks.ts';
import type { Figures } from '../shared/breakdown.tsx';
import { PriceCards } from '../shared/price-cards.tsx';
import classes from './calculator.module.css';
import { type ArrivingPrice, compared } from './estimate.ts';
import type { Answer } from './use-calculator.ts';

/** What arrives with us and with others for the same total paid, most first. A rate of one's own is none of them. */
export function PriceList(props: {
  answer: Answer;
  /** When our rate was set; null while it is not known. */
  since: string | null;
  /** Null while they are on their way. */
  prices: readonly ArrivingPrice[] | null;
  currency: SendCurrency;
}) {
  const { answer, prices, currency } = props;
  const now = useNow();
  const ours = oursIn(answer, props.since);
  const blank = answer.kind === 'blank' || answer.kind === 'no-rate';
  const known = [...(ours ? [ours] : []), ...(blank ? [] : (prices ?? []))].sort(mostFirst);
  const missing = (ours ? 0 : 1) + (prices ? 0 : compared.length);
  const own = ownIn(answer);
  if (blank) return <NothingToCompare />;
  return (
    <Stack gap="xs" data-testid="calculator-prices">
      <PriceCards prices={known} currency={currency} now={now} layout="column" testid="calculator-price" />
      {Array.from({ length: missing }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={index} height={108} radius="md" />
      ))}
      {own && <OwnRate figures={own} currency={currency} />}
    </Stack>
  );
}

const mostFirst = (one: ArrivingPrice, other: ArrivingPrice) =>
  Number((parseMinor(other.received) ?? 0n) - (parseMinor(one.received) ?? 0n));

/** Our own price, which no typed rate changes. */
function oursIn(answer: Answer, since: string | null): ArrivingPrice | null {
  const price = ({ rate, fee, bs }: Figures) => ({ id: 'chasqui', rate, fee, received: bs }) as const;
  const inForce = { name: 'Chasqui', freshness: 'live', collectedAt: since } as const;
  if (answer.kind === 'quote') return { ...price(answer.figures), ...inForce };
  if (answer.kind === 'own-rate') return { ...price(answer.ours), ...inForce };
  if (answer.kind !== 'offline') return null;
  const { seenAt } = answer.terms;
  const freshness = seenAt ? 'older' : 'reference';
  return { ...price(answer.ours), name: t`Chasqui (estimación)`, freshness, collectedAt: seenAt };
}

const ownIn = (answer: Answer): Figures | null =>
  answer.kind === 'own-rate' || (answer.kind === 'offline' && answer.ownRate) ? answer.figures : null;

/** What would arrive at the rate that somebody typed: beside the list and not in it, because nobody pays it. */
function OwnRate({ figures, currency }: { figures: Figures; currency: SendCurrency }) {
  return (
    <div className={classes.own} data-testid="calculator-own-rate">
      <span className={classes.ownLine}>
        <Badge component="span" variant="outline" color="gray" radius="sm" fw={600}>
          <Trans>Tu tasa</Trans>
        </Badge>
        <Money amount={figures.bs} currency="BOB" />
      </span>
      <Text component="span" fz="sm">
        <Trans>
          <ExchangeRate rate={figures.rate} currency={currency} />. No es una tasa de Chasqui ni entra en la
          comparación.
        </Trans>
      </Text>
    </div>
  );
}

function NothingToCompare() {
  return (
    <ul className="cq-list" data-testid="calculator-prices">
      {['Chasqui', ...compared.map((id) => competitorNames[id])].map((name) => (
        <li key={name} className={classes.ownLine}>
          <Text component="span">{name}</Text>
          <span>—</span>
        </li>
      ))}
    </ul>
  );
}
