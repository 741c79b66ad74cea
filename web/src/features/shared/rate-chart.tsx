import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/charts/styles.layer.css';
import { LineChart } from '@mantine/charts';
import { Anchor, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import type { RateSeriesView } from '#core/contracts/http/rate-series';
import { type Competitor, competitorNames } from '#core/rates/sources';
import { formatCalendarDay, formatCalendarMonth, formatShortCalendarDay } from '../../lib/format/dates.ts';
import { formatRate } from '../../lib/format/money.ts';
import { formatDecimal } from '../../lib/format/numbers.ts';
import { EmptyState } from '../../ui/states.tsx';
import classes from './rate-chart.module.css';

type Point = RateSeriesView['points'][number];

interface Line {
  readonly name: 'ours' | 'reference' | Competitor;
  readonly label: string;
  /** Where there is little room. */
  readonly short: string;
  readonly color: string;
  /** Lines differ in their pattern too: colour alone says nothing to many people. */
  readonly dashes: string;
  readonly width: number;
  readonly of: (point: Point) => string | null;
}

const competitorLooks: Record<Competitor, { color: string; dashes: string }> = {
  westernUnion: { color: 'var(--cq-series-1)', dashes: '2 5' },
  moneyGram: { color: 'var(--cq-series-2)', dashes: '14 4' },
  ria: { color: 'var(--cq-series-3)', dashes: '10 4 2 4' },
  remitly: { color: 'var(--cq-series-4)', dashes: '5 3' },
  wise: { color: 'var(--cq-series-5)', dashes: '10 3 2 3 2 3' },
};

const ourLine: Line = {
  name: 'ours',
  label: 'Chasqui',
  short: 'Chasqui',
  color: 'var(--cq-good)',
  dashes: '',
  width: 3,
  of: ({ ours }) => ours,
};
const referenceLine = (): Line => ({
  name: 'reference',
  label: t`Referencia del mercado`,
  short: t`Mercado`,
  color: 'var(--cq-wait)',
  dashes: '7 5',
  width: 2,
  of: ({ reference }) => reference,
});
const competitorLine = (name: Competitor): Line => ({
  name,
  label: competitorNames[name],
  short: competitorNames[name],
  ...competitorLooks[name],
  width: 1.75,
  of: ({ competitors }) => competitors[name] ?? null,
});

/**
 * Our rate over time beside the market's reference and, where asked for, the competitors'. A day of which nothing is known
 * stays a gap. Loads the charts' package: shown by `RateSeriesChart`, which loads it lazily.
 */
export function RateChart({
  series,
  height,
  competitors = [],
}: {
  series: RateSeriesView;
  /** Of the drawing in px, without its legend. */
  height: number;
  competitors?: readonly Competitor[];
}) {
  const all = [ourLine, referenceLine(), ...competitors.map(competitorLine)];
  const lines = all.filter(({ of }) => series.points.some((point) => of(point) !== null));
  if (lines.length === 0)
    return (
      <EmptyState icon={<IconChartLine size={32} stroke={1.5} aria-hidden />}>
        <span data-testid="rate-chart-empty">
          <Trans>Todavía no hay historia de esta tasa</Trans>
        </span>
      </EmptyState>
    );
  return (
    <Stack gap="sm" data-testid="rate-chart" data-currency={series.currency} data-days={series.days}>
      <ul className={classes.legend} aria-hidden>
        {lines.map((line) => (
          <li key={line.name} className={classes.entry}>
            <Sample line={line} />
            <Text component="span" fz="sm">
              {line.label}
            </Text>
          </li>
        ))}
      </ul>
      <Drawing series={series} lines={lines} height={height} />
      <VisuallyHidden>
        <AsTable series={series} lines={lines} />
      </VisuallyHidden>
      {series.history && (
        <Text fz="sm" c="dimmed" data-testid="rate-history-credit">
          <Trans>
            La referencia hasta el 22 de agosto de 2026 viene de{' '}
            <Anchor href="https://github.com/mauforonda/dolares" target="_blank" rel="noreferrer" fz="sm">
              mauforonda/dolares
            </Anchor>
            , con datos del Banco Central de Bolivia y de Binance P2P.
          </Trans>
        </Text>
      )}
    </Stack>
  );
}

function Drawing({ series, lines, height }: { series: RateSeriesView; lines: readonly Line[]; height: number }) {
  const { points, days, currency } = series;
  // For the eye only: no money is computed from these numbers.
  const data = points.map((point) => ({
    date: point.date,
    ...Object.fromEntries(lines.map(({ name, of }) => [name, toNumber(of(point))])),
  }));
  const values = points.flatMap((point) => lines.flatMap(({ of }) => toNumber(of(point)) ?? []));
  const ticks = ticksAround(values);
  const yearly = days === 365;
  return (
    <LineChart
      h={height}
      data={data}
      dataKey="date"
      series={lines.map(({ name, label, color, dashes }) => ({ name, label, color, strokeDasharray: dashes }))}
      lineProps={({ name }) => ({
        strokeWidth: lines.find((line) => line.name === name)?.width ?? 2,
        dot: ({ key, cx, cy, index, stroke }) =>
          isAlone(data, name, index) ? <circle key={key} cx={cx} cy={cy} r={4} fill={stroke ?? ''} /> : <g key={key} />,
      })}
      curveType="linear"
      connectNulls={false}
      withDots={false}
      valueFormatter={formatAxis}
      yAxisProps={{ ticks, domain: [ticks[0] ?? 0, ticks.at(-1) ?? 0], interval: 0, width: 52 }}
      xAxisProps={{
        tickFormatter: yearly ? formatCalendarMonth : formatShortCalendarDay,
        minTickGap: 40,
        // Otherwise the gaps between the labels differ: December, March, June, November.
        interval: 'equidistantPreserveStart',
        ...(yearly && { ticks: points.map(({ date }) => date).filter((date) => date.endsWith('-01')) }),
      }}
      tooltipProps={{
        content: ({ active, label }) => {
          const point = active && points.find(({ date }) => date === label);
          return point ? <DayTooltip point={point} lines={lines} /> : null;
        },
      }}
      role="group"
      aria-label={t`Gráfico: bolivianos por 1 ${currency}, día por día`}
    />
  );
}

function DayTooltip({ point, lines }: { point: Point; lines: readonly Line[] }) {
  return (
    <div className={classes.tooltip} data-testid="rate-chart-tooltip">
      <Text fw={600}>{formatCalendarDay(point.date)}</Text>
      <dl>
        {lines.map((line) => (
          <div key={line.name} style={{ display: 'contents' }}>
            <Text component="dt" fz="sm" className={classes.entry}>
              <Sample line={line} />
              {line.short}
            </Text>
            <Text component="dd" fz="sm" className="cq-num">
              {rateText(line.of(point))}
            </Text>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** One segment of a line. */
function Sample({ line }: { line: Line }) {
  return (
    <svg width="32" height="8" aria-hidden="true">
      <line
        x1="2"
        y1="4"
        x2="30"
        y2="4"
        stroke={line.color}
        strokeWidth={line.width}
        strokeDasharray={line.dashes}
        strokeLinecap="round"
      />
    </svg>
  );
}

/** What the drawing shows, for who does not see it: every day of a month, one day a week of a year. */
function AsTable({ series, lines }: { series: RateSeriesView; lines: readonly Line[] }) {
  const { points, currency, days } = series;
  const step = days === 365 ? 7 : 1;
  const rows = points.filter((_, index) => (points.length - 1 - index) % step === 0);
  return (
    <table>
      <caption>
        {step === 1 ? t`Bolivianos por 1 ${currency}, día por día` : t`Bolivianos por 1 ${currency}, un día por semana`}
      </caption>
      <thead>
        <tr>
          <th scope="col">
            <Trans>Día</Trans>
          </th>
          {lines.map(({ name, label }) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((point) => (
          <tr key={point.date}>
            <th scope="row">{formatCalendarDay(point.date)}</th>
            {lines.map(({ name, of }) => (
              <td key={name}>{rateText(of(point))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const toNumber = (rate: string | null) => (rate === null ? null : Number(rate));

/** A day between two gaps is no line: it is shown as a dot. */
function isAlone(data: readonly Record<string, unknown>[], name: string, index: number): boolean {
  const at = (day: number) => data[day]?.[name] ?? null;
  return at(index) !== null && at(index - 1) === null && at(index + 1) === null;
}

const toFourDecimals = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
  useGrouping: false,
});
const formatAxis = (value: number) => formatDecimal(value.toFixed(2));
const rateText = (rate: string | null) =>
  rate === null ? t`Sin dato` : formatRate(toFourDecimals.format(Number(rate)));

const steps = [0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200];
const stepsMax = 5;

/** Round figures at equal distances around all values, never closer together than five centavos. */
function ticksAround(values: readonly number[]): number[] {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  // No line runs along the edge.
  const air = (highest - lowest) / 20;
  const [low, high] = [lowest - air, highest + air];
  const step = steps.find((size) => Math.ceil(high / size) - Math.floor(low / size) <= stepsMax) ?? 500;
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  // A line that never moved runs through the middle.
  const [from, to] = first === last ? [first - 1, last + 1] : [first, last];
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
}
