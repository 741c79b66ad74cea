import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Text } from '@mantine/core';
import type { SendCurrency } from '#core/money/money';
import { competitorNames } from '#core/rates/sources';
import { ExchangeRate, Money } from '../../ui/figures.tsx';
import classes from './calculator.module.css';
import { type CompetitorPrice, compared } from './estimate.ts';

/** What arrives with the others for the same total paid. */
export function PriceList(props: {
  /** Bolivianos with us; null while they are on their way. */
  ours: string | null;
  estimated: boolean;
  /** Null while they are on their way. */
  prices: CompetitorPrice[] | null;
  /** There is no amount to compare for. */
  blank: boolean;
  currency: SendCurrency;
}) {
  const { ours, prices, currency, blank } = props;
  return (
    <ul className={classes.prices} data-testid="calculator-prices">
      <li className={classes.price} data-ours>
        <Text component="span" fw={600}>
          {props.estimated ? t`Chasqui (estimación)` : 'Chasqui'}
        </Text>
        <Text component="span" fw={600} className="cq-num">
          {ours ? <Money amount={ours} currency="BOB" /> : blank ? '—' : <PriceLoading />}
        </Text>
      </li>
      {prices?.map((price) => (
        <li
          key={price.id}
          className={classes.price}
          data-reference={price.reference || undefined}
          data-competitor={price.id}
        >
          <Text component="span">{price.name}</Text>
          <Money amount={price.bs} currency="BOB" />
          <Text component="span" fz="sm" c="dimmed" className={classes.detail}>
            <Trans>
              <ExchangeRate rate={price.rate} currency={currency} /> · comisión{' '}
              <Money amount={price.fee} currency={currency} />
            </Trans>
            {price.reference && (
              <>
                {' · '}
                <Trans>valor de referencia, sin datos en vivo</Trans>
              </>
            )}
          </Text>
        </li>
      )) ??
        compared.map((id) => (
          <li key={id} className={classes.price}>
            <Text component="span">{competitorNames[id]}</Text>
            {blank ? <span>—</span> : <PriceLoading />}
            <Text component="span" fz="sm" className={classes.detail}>
              {blank ? '\u00a0' : <Skeleton component="span" display="inline-block" height={12} width="70%" />}
            </Text>
          </li>
        ))}
    </ul>
  );
}

function PriceLoading() {
  return <Skeleton component="span" display="inline-block" height={16} width={96} my={4} />;
}
