import { Trans } from '@lingui/react/macro';
import { Badge, Table, Text } from '@mantine/core';
import { IconBroadcast, IconClockHour4, IconInfoCircle, IconShieldCheck } from '@tabler/icons-react';
import type { ComparisonRow, ComparisonView } from '#core/contracts/http/comparison';
import type { SendCurrency } from '#core/money/money';
import { ExchangeRate, Money, Percent } from '../../ui/figures.tsx';
import { useIsDesktop, useNow } from '../../ui/hooks.ts';
import classes from './comparison.module.css';
import { freshnessLabel, rankedRows } from './comparison-messages.tsx';

interface RowsProps {
  rows: ComparisonRow[];
  currency: SendCurrency;
  now: number;
}

/** Every service, best first: a table where there is room, cards elsewhere. `compact` is for a panel among others. */
export function ComparisonRows({ view, compact = false }: { view: ComparisonView; compact?: boolean }) {
  const now = useNow();
  const wide = useIsDesktop();
  const props = { rows: rankedRows(view), currency: view.currency, now };
  if (compact) return <CompactRows {...props} />;
  return wide ? <WideRows {...props} /> : <NarrowRows {...props} />;
}

const marks = ({ id, freshness }: ComparisonRow) => ({
  'data-testid': 'comparison-row',
  'data-competitor': id,
  'data-freshness': freshness,
});

const lookOf = ({ id, freshness }: ComparisonRow) =>
  id === 'chasqui' ? 'cq-marked' : freshness === 'reference' ? classes.reference : '';

function Name({ row }: { row: ComparisonRow }) {
  return (
    <Text component="span" fw={600} className={classes.name}>
      {row.rank}. {row.name}
      {row.id === 'chasqui' && (
        <Badge component="span" ml={6} size="md" radius="sm" tt="none" fw={600} variant="filled" color="green.7">
          <Trans>Nosotros</Trans>
        </Badge>
      )}
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
            <Table.Tr key={row.id} className={lookOf(row)} {...marks(row)}>
              <Table.Th scope="row">
                <Name row={row} />
              </Table.Th>
              <Table.Td ta="right">
                <ExchangeRate rate={row.rate} currency={currency} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={row.fee} currency={currency} />
              </Table.Td>
              <Table.Td ta="right" className={`${classes.received} cq-big`}>
                <Money amount={row.received} currency="BOB" />
              </Table.Td>
              <Table.Td ta="right">
                <Difference row={row} />
              </Table.Td>
              <Table.Td>
                <Freshness row={row} method={row.method} now={now} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function NarrowRows({ rows, currency, now }: RowsProps) {
  return (
    <ol className="cq-list">
      {rows.map((row) => (
        <li key={row.id} className={`${classes.card} ${lookOf(row)}`} {...marks(row)}>
          <span className={classes.line}>
            <Name row={row} />
            <Money amount={row.received} currency="BOB" className={`${classes.received} cq-big`} />
          </span>
          <span className={classes.line}>
            <ExchangeRate rate={row.rate} currency={currency} fz="sm" />
            <Text component="span" fz="sm" className="cq-num">
              <Trans>
                Comisión <Money amount={row.fee} currency={currency} />
              </Trans>
            </Text>
          </span>
          {differenceOf(row) !== null && (
            <Text component="span" fz="sm">
              <Trans>
                Nuestra tasa frente a la suya: <Difference row={row} />
              </Trans>
            </Text>
          )}
          <Freshness row={row} method={row.method} now={now} />
        </li>
      ))}
    </ol>
  );
}

function CompactRows({ rows, now }: RowsProps) {
  return (
    <ol className={`cq-list ${classes.compact}`}>
      {rows.map((row) => (
        <li key={row.id} className={`${classes.card} ${lookOf(row)}`} {...marks(row)}>
          <span className={classes.line}>
            <Name row={row} />
            <Money amount={row.received} currency="BOB" fw={600} />
          </span>
          <Freshness row={row} now={now} />
        </li>
      ))}
    </ol>
  );
}

const variants = {
  live: { Icon: IconBroadcast, color: 'var(--cq-good)' },
  older: { Icon: IconClockHour4, color: 'var(--cq-wait)' },
  reference: { Icon: IconInfoCircle, color: 'var(--mantine-color-dimmed)' },
} as const;

/** How far a figure can be trusted: icon, label and age, and below how it was collected. */
export function Freshness(props: {
  row: Pick<ComparisonRow, 'freshness' | 'collectedAt'> & { readonly id?: ComparisonRow['id'] };
  method?: string;
  now: number;
}) {
  const { row, method, now } = props;
  const { label, age } = freshnessLabel(row, now);
  const look = variants[row.freshness];
  const Icon = row.id === 'chasqui' ? IconShieldCheck : look.Icon;
  return (
    <span className={classes.freshness}>
      <Icon size={16} stroke={1.8} color={look.color} aria-hidden />
      <span>
        <Text component="span" fz="sm" display="block" c={look.color} fw={row.freshness === 'reference' ? 400 : 600}>
          {label}
          {age && ` · ${age.replace(/ (?=h$|min$|d$)/, '\u00a0')}`}
        </Text>
        {method && row.id !== 'chasqui' && row.freshness !== 'reference' && (
          <Text component="span" fz="sm" display="block" c="dimmed">
            {method}
          </Text>
        )}
      </span>
    </span>
  );
}
