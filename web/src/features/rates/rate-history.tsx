import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { RateSeriesView } from '#core/contracts/http/rate-series';
import { parseRate, type Rate } from '#core/rates/rate';
import { formatCalendarDay, formatShortCalendarDay } from '../../lib/format/dates.ts';
import { formatRate, formatRateLine } from '../../lib/format/money.ts';
import { RateSeriesChart, RateSeriesChoices, useRateSeries } from '../shared/rate-series.tsx';

/** How the rate moved, ours and the market's, as one line of text and a chart. */
export function RateHistory() {
  const series = useRateSeries();
  return (
    <Card component="section" aria-labelledby="rate-history-title" data-testid="rate-history">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} id="rate-history-title">
            <Trans>Cómo se movió la tasa</Trans>
          </Title>
          <Group gap="xs">
            <RateSeriesChoices series={series} testid="rate-history" />
          </Group>
        </Group>
        <RateSeriesChart series={series} above={(data) => <Reading text={readingOf(data)} />} />
      </Stack>
    </Card>
  );
}

function Reading({ text }: { text: string | null }) {
  if (!text) return null;
  return (
    <Text aria-live="polite" data-testid="rate-history-reading">
      {text}
    </Text>
  );
}

/**
 * The chart as one line of text: today's rate, and the highest of the days of which we know ours. Null while there is none today.
 */
export function readingOf({ currency, days, points }: RateSeriesView): string | null {
  const known = points.flatMap(({ date, ours }) =>
    ours === null ? [] : [{ date, ours, rate: parseRate(ours) as Rate }],
  );
  const [first, today] = [known[0], known.at(-1)];
  if (!first || !today || today.date !== points.at(-1)?.date) return null;
  const now = formatRateLine(today.ours, currency);
  if (known.length === 1) return t`Hoy: ${now}. Es el primer día que mostramos.`;
  const period = known.length === points.length ? wholePeriod(days) : sinceDay(first.date, days);
  const highest = known.reduce((best, day) => (day.rate >= best.rate ? day : best));
  if (highest.date === today.date) {
    const unmoved = known.every(({ rate }) => rate === today.rate);
    return unmoved ? t`Hoy: ${now}. No cambió ${period}.` : t`Hoy: ${now}, lo más alto ${period}.`;
  }
  const figure = formatRate(highest.ours);
  const day = dayIn(days, highest.date);
  return t`Hoy: ${now}. Lo más alto ${period} fue ${figure}, el ${day}.`;
}

const wholePeriod = (days: RateSeriesView['days']) => (days === 30 ? t`en 30 días` : t`en un año`);

/** In a year's window a day is said with its year: its first day may have the month of today. */
const dayIn = (days: RateSeriesView['days'], date: string) =>
  days === 30 ? formatShortCalendarDay(date) : formatCalendarDay(date);

function sinceDay(date: string, days: RateSeriesView['days']): string {
  const day = dayIn(days, date);
  return t`desde el ${day}`;
}
