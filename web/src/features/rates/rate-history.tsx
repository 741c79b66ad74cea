import { Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { rateSeriesQuery, type SeriesDays } from '../../data/rates.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RateChartLoading } from '../../ui/rate-chart-loading.tsx';
import { readingOf } from './rate-labels.ts';

const RateChart = lazy(async () => ({ default: (await import('../../ui/rate-chart.tsx')).RateChart }));

/** How the rate moved, ours and the market's, as one line of text and a chart. */
export function RateHistory() {
  const [currency, setCurrency] = useState<SendCurrency>('USD');
  const [days, setDays] = useState<SeriesDays>(30);
  const series = useQuery({
    ...rateSeriesQuery(currency, days),
    placeholderData: keepPreviousData,
  });
  return (
    <Card component="section" aria-labelledby="rate-history-title" data-testid="rate-history">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} id="rate-history-title">
            Cómo se movió la tasa
          </Title>
          <Group gap="xs">
            <SegmentedControl
              aria-label="Moneda"
              data={[...sendCurrencies]}
              value={currency}
              onChange={(value) => setCurrency(value as SendCurrency)}
              data-testid="rate-history-currency"
            />
            <SegmentedControl
              aria-label="Período"
              data={[
                { value: '30', label: '30 días' },
                { value: '365', label: '1 año' },
              ]}
              value={String(days)}
              onChange={(value) => setDays(value === '30' ? 30 : 365)}
              data-testid="rate-history-days"
            />
          </Group>
        </Group>
        <QueryView query={series} loading={<RateChartLoading />}>
          {(data) => (
            <>
              <Reading text={readingOf(data)} />
              <div
                style={series.isPlaceholderData ? { opacity: 0.55 } : undefined}
                aria-busy={series.isPlaceholderData}
              >
                <LazyPart pending={<RateChartLoading />} missingMessage="El gráfico no se pudo cargar.">
                  <RateChart series={data} />
                </LazyPart>
              </div>
            </>
          )}
        </QueryView>
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
