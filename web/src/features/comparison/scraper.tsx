import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, Stack, Table, Text } from '@mantine/core';
import { IconDatabaseOff, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { ScraperView } from '#core/contracts/http/comparison';
import type { SendCurrency } from '#core/money/money';
import { roundRate } from '#core/rates/rate';
import { type Competitor, competitors } from '#core/rates/sources';
import { usePrices } from '../../data/comparison.ts';
import type { QuoteQuestion } from '../../data/rates.ts';
import { ageText } from '../../lib/format/dates.ts';
import { formatAmount } from '../../lib/format/money.ts';
import { ExchangeRate, Money } from '../../ui/figures.tsx';
import { useIsDesktop, useNow } from '../../ui/hooks.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, LoadingRows, Updating } from '../../ui/states.tsx';
import { decimalsBeside, Freshness, PriceCards, priceLook, priceMarks } from '../shared/price-cards.tsx';
import { SendingAmount } from '../shared/sending-amount.tsx';
import classes from './comparison.module.css';
import { comparedAmountProblem } from './comparison-messages.tsx';

const defaultAmount = '100';

/** The competitors' prices for an amount, as they were last collected. */
export function Scraper() {
  const [question, setQuestion] = useState<QuoteQuestion>({ amount: defaultAmount, currency: 'USD' });
  const query = usePrices(question.amount, question.currency);
  const { data, isPlaceholderData, isFetching, isEnabled, refetch } = query;
  const now = useNow();
  return (
    <Card>
      <Stack>
        <SendingAmount
          question={question}
          onChange={setQuestion}
          payLabel={t`Monto`}
          problem={comparedAmountProblem(question.amount)}
          layout="beside"
          testid="scraper"
        />
        <div className={classes.bar}>
          <Text c="dimmed" aria-live="polite">
            {data && askedText(data, now)}
          </Text>
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} aria-hidden />}
            loading={isFetching}
            disabled={!isEnabled}
            onClick={() => refetch()}
            data-testid="scraper-refresh"
          >
            <Trans>Actualizar</Trans>
          </Button>
        </div>
        <QueryView
          query={query}
          loading={isEnabled && <LoadingRows rows={competitors.length} height={52} />}
          failureMessage={() => t`Error desconocido, por favor intenta nuevamente`}
          showsRefetchFailure
        >
          {(view) => (
            <Updating when={isPlaceholderData}>
              <Prices view={view} />
            </Updating>
          )}
        </QueryView>
      </Stack>
    </Card>
  );
}

function askedText({ amount, currency, timestamp }: ScraperView, now: number): string {
  const sent = formatAmount(amount, currency);
  const age = ageText(timestamp, now);
  return t`Para enviar ${sent}. Consultado ${age}.`;
}

type Collected = NonNullable<ScraperView['results'][Competitor]>;
type NamedPrice = Collected & { readonly id: Competitor };

interface PricesProps {
  prices: readonly NamedPrice[];
  currency: SendCurrency;
  now: number;
}

function Prices({ view }: { view: ScraperView }) {
  const now = useNow();
  const wide = useIsDesktop();
  const prices = competitors.flatMap((id) => {
    const price: Collected | undefined = view.results[id];
    return price ? [{ id, ...price }] : [];
  });
  if (prices.length === 0)
    return (
      <EmptyState icon={<IconDatabaseOff size={32} stroke={1.5} aria-hidden />}>
        <Trans>No se encontraron datos. Intenta actualizar nuevamente.</Trans>
      </EmptyState>
    );
  const props = { prices, currency: view.currency, now };
  return wide ? <PriceTable {...props} /> : <PriceCards {...props} layout="column" testid="scraper-row" />;
}

function PriceTable({ prices, currency, now }: PricesProps) {
  const decimals = decimalsBeside(prices);
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>
            <Trans>Servicio</Trans>
          </Table.Th>
          <Table.Th ta="right">
            <Trans>Tasa</Trans>
          </Table.Th>
          <Table.Th ta="right">
            <Trans>Comisión</Trans>
          </Table.Th>
          <Table.Th>
            <Trans>Dato</Trans>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {prices.map((price) => (
          <Table.Tr key={price.id} className={priceLook(price)} {...priceMarks(price, 'scraper-row')}>
            <Table.Th scope="row">{price.name}</Table.Th>
            <Table.Td ta="right">
              <ExchangeRate rate={roundRate(price.rate, decimals)} currency={currency} />
            </Table.Td>
            <Table.Td ta="right">
              <Money amount={price.fee} currency={currency} />
            </Table.Td>
            <Table.Td>
              <Freshness price={price} now={now} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
