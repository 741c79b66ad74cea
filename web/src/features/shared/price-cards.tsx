import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Text } from '@mantine/core';
import { IconBroadcast, IconClockHour4, IconInfoCircle, IconShieldCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ComparisonRow } from '#core/contracts/http/comparison';
import type { SendCurrency } from '#core/money/money';
import { roundRate } from '#core/rates/rate';
import { ageText } from '../../lib/format/dates.ts';
import { ExchangeRate, Money } from '../../ui/figures.tsx';
import classes from './price-cards.module.css';

/** What a service brings for a total paid, ours or another's. */
export type Price = Pick<ComparisonRow, 'id' | 'name' | 'rate' | 'fee' | 'freshness' | 'collectedAt'> &
  Partial<Pick<ComparisonRow, 'received' | 'rank' | 'method'>>;

/** What marks a price for tests and styles. */
export const priceMarks = ({ id, freshness }: Price, testid = 'comparison-row') => ({
  'data-testid': testid,
  'data-competitor': id,
  'data-freshness': freshness,
});

/** Ours is marked, a reference value stands back. */
export const priceLook = ({ id, freshness }: Price): string =>
  id === 'chasqui' ? 'cq-marked' : freshness === 'reference' ? (classes.reference ?? '') : '';

/** What arrives with each service for the same total paid, the same cards wherever services are compared. */
export function PriceCards(props: {
  prices: readonly Price[];
  currency: SendCurrency;
  now: number;
  /** `grid`: several beside one another where there is room. */
  layout: 'column' | 'grid';
  /** Without rate and fee, in a panel among others. */
  brief?: boolean;
  /** More about a price, below its figures. */
  more?: (price: Price) => ReactNode;
  testid?: string;
}) {
  const decimals = decimalsBeside(props.prices);
  return (
    <ol className={`cq-list ${props.layout === 'grid' ? classes.grid : ''}`}>
      {props.prices.map((price) => (
        <li
          key={price.id}
          className={`${classes.card} ${priceLook(price)}`}
          data-brief={props.brief || undefined}
          {...priceMarks(price, props.testid)}
        >
          <span className={classes.line}>
            <PriceName price={price} />
            {price.received && (
              <Money amount={price.received} currency="BOB" className={`${classes.received} cq-big`} />
            )}
          </span>
          {!props.brief && (
            <Text component="span" fz="sm" className={`${classes.line} cq-num`}>
              <ExchangeRate rate={roundRate(price.rate, decimals)} currency={props.currency} />
              <Text span inherit>
                <Trans>
                  Comisión <Money amount={price.fee} currency={props.currency} />
                </Trans>
              </Text>
            </Text>
          )}
          {props.more?.(price)}
          <Freshness price={price} now={props.now} {...(price.method && { method: price.method })} />
        </li>
      ))}
    </ol>
  );
}

/** How many decimals rates are shown with beside ours: as many as ours has. */
export function decimalsBeside(prices: readonly Pick<Price, 'id' | 'rate'>[]): number {
  const ours = prices.find(({ id }) => id === 'chasqui');
  return ours?.rate.split('.')[1]?.length ?? 2;
}

/** A service and its place; ours with a badge. */
export function PriceName({ price: { id, name, rank } }: { price: Price }) {
  return (
    <Text component="span" fw={600} className={classes.name}>
      {rank !== undefined && `${rank}. `}
      {name}
      {id === 'chasqui' && (
        <Badge component="span" ml={6} size="md" radius="sm" fw={600} variant="filled" color="green.7">
          <Trans>Nosotros</Trans>
        </Badge>
      )}
    </Text>
  );
}

const looks = {
  live: { Icon: IconBroadcast, color: 'var(--cq-good)' },
  older: { Icon: IconClockHour4, color: 'var(--cq-wait)' },
  reference: { Icon: IconInfoCircle, color: 'var(--mantine-color-dimmed)' },
} as const;

/** How a price was collected; the other methods are said by the label beside it. */
const methods: Readonly<Partial<Record<ComparisonRow['method'], MessageDescriptor>>> = {
  direct: msg`precio directo`,
  wise_comparison: msg`comparador de Wise`,
};

type Dated = Pick<Price, 'freshness' | 'collectedAt'> & { readonly id?: Price['id'] };

/** How far a figure can be trusted: icon, label and age, and below how it was collected. */
export function Freshness({ price, method, now }: { price: Dated; method?: ComparisonRow['method']; now: number }) {
  const { label, age } = freshnessLabel(price, now);
  const look = looks[price.freshness];
  const Icon = price.id === 'chasqui' && price.freshness === 'live' ? IconShieldCheck : look.Icon;
  const how = method && methods[method];
  return (
    <span className={classes.freshness}>
      <Icon size={16} stroke={1.8} color={look.color} aria-hidden />
      <span>
        <Text component="span" fz="sm" display="block" c={look.color} fw={price.freshness === 'reference' ? 400 : 600}>
          {label}
          {age && ` · ${age.replace(/ (?=h$|min$|d$)/, '\u00a0')}`}
        </Text>
        {how && (
          <Text component="span" fz="sm" display="block" c="dimmed">
            {i18n._(how)}
          </Text>
        )}
      </span>
    </span>
  );
}

/** How far a figure can be trusted: a label, and when it was collected. */
export function freshnessLabel(price: Dated, now: number): { label: string; age: string | null } {
  const age = price.collectedAt && ageText(price.collectedAt, now);
  if (price.id === 'chasqui' && price.freshness === 'live')
    return { label: t`Tasa vigente`, age: age && t`fijada ${age}` };
  if (price.freshness === 'live') return { label: t`En vivo`, age };
  // A reference value is fixed: a time beside it would make it look collected.
  return price.freshness === 'older'
    ? { label: t`Dato anterior`, age }
    : { label: t`Valor de referencia, sin datos en vivo`, age: null };
}
