import { Trans } from '@lingui/react/macro';
import { Table, Text } from '@mantine/core';
import type { ComparisonRow, ComparisonView } from '#core/contracts/http/comparison';
import type { SendCurrency } from '#core/money/money';
import { roundRate } from '#core/rates/rate';
import { ExchangeRate, Money, Percent } from '../../ui/figures.tsx';
import { useIsDesktop, useNow } from '../../ui/hooks.ts';
import { decimalsBeside, Freshness, PriceCards, PriceName, priceLook, priceMarks } from '../shared/price-cards.tsx';
import { rankedRows } from './comparison-messages.tsx';

interface RowsProps {
  rows: ComparisonRow[];
  currency: SendCurrency;
  now: number;
}

/** Every service, best first: a table where there is room, cards elsewhere. `compact` is for a panel among others. */
export function ComparisonRows({ view, compact = false }: { view: ComparisonView; compact?: boolean }) {
  const now = useNow();
  const wide = useIsDesktop();
  const { currency } = view;
  const rows = rankedRows(view);
  if (wide && !compact) return <WideRows rows={rows} currency={currency} now={now} />;
  return (
    <PriceCards
      prices={compact ? rows.map(({ method, ...row }) => row) : rows}
      currency={currency}
      now={now}
      layout={compact ? 'grid' : 'column'}
      brief={compact && !wide}
      more={compact ? undefined : ({ id }) => <DifferenceLine row={rows.find((row) => row.id === id)} />}
    />
  );
}

/** On a card. */
function DifferenceLine({ row }: { row: ComparisonRow | undefined }) {
  if (!row || differenceOf(row) === null) return null;
  return (
    <Text component="span" fz="sm">
      <Trans>
        Nuestra tasa frente a la suya: <Difference row={row} />
      </Trans>
    </Text>
  );
}

/** Against a fixed reference value a difference would be a claim without proof. */
const differenceOf = ({ differencePercent, freshness }: ComparisonRow) =>
  freshness === 'reference' ? null : differencePercent;

/** Our rate against theirs; positive means that ours gives more bolivianos per unit. */
function Difference({ row }: { row: ComparisonRow }) {
  const percent = differenceOf(row);
  if (percent === null) return <Text component="span">—</Text>;
  const better = /[1-9]/.test(percent) && !percent.startsWith('-');
  return (
    <Text component="span" fw={500} {...(better && { c: 'var(--cq-good)' })}>
      <Percent value={percent} signed />
    </Text>
  );
}

function WideRows({ rows, currency, now }: RowsProps) {
  const decimals = decimalsBeside(rows);
  return (
    <Table.ScrollContainer minWidth={860} type="native">
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
            <Table.Th ta="right">
              <Trans>Llega a Bolivia</Trans>
            </Table.Th>
            <Table.Th ta="right">
              <Trans>Nuestra tasa frente a la suya</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Dato</Trans>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id} className={priceLook(row)} {...priceMarks(row)}>
              <Table.Th scope="row">
                <PriceName price={row} />
              </Table.Th>
              <Table.Td ta="right">
                <ExchangeRate rate={roundRate(row.rate, decimals)} currency={currency} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={row.fee} currency={currency} />
              </Table.Td>
              <Table.Td ta="right" fz="xl" className="cq-big">
                <Money amount={row.received} currency="BOB" />
              </Table.Td>
              <Table.Td ta="right">
                <Difference row={row} />
              </Table.Td>
              <Table.Td>
                <Freshness price={row} method={row.method} now={now} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
