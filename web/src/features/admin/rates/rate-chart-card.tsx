import { Card, Group, SegmentedControl, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { competitors } from '#core/rates/sources';
import { rateSeriesQuery, type SeriesDays } from '../../../data/rates.ts';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { RateChartLoading } from '../../../ui/rate-chart-loading.tsx';

// Charts are heavy: they come when somebody looks at one.
const RateChart = lazy(async () => ({ default: (await import('../../../ui/rate-chart.tsx')).RateChart }));

/** Our rate, the market's reference and competitors, day by day. */
export function RateChartCard() {
  const [currency, setCurrency] = useState<SendCurrency>('USD');
  const [days, setDays] = useState<SeriesDays>(30);
  const series = useQuery({
    ...rateSeriesQuery(currency, days),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-labelledby="rate-chart-title" data-testid="admin-rate-chart">
      <Group justify="space-between" mb="sm" gap="sm">
        <Title order={2} fz="lg" id="rate-chart-title">
          Nuestra tasa y el mercado
        </Title>
        <Group gap="sm">
          <SegmentedControl
            aria-label="Moneda"
            value={currency}
            onChange={(value) => setCurrency(value as SendCurrency)}
            data={[...sendCurrencies]}
            data-testid="admin-rate-chart-currency"
          />
          <SegmentedControl
            aria-label="Período"
            value={String(days)}
            onChange={(value) => setDays(value === '30' ? 30 : 365)}
            data={[
              { value: '30', label: '30 días' },
              { value: '365', label: '1 año' },
            ]}
            data-testid="admin-rate-chart-days"
          />
        </Group>
      </Group>
      <Card padding="md">
        <QueryView query={series} loading={<RateChartLoading />}>
          {(data) => (
            <div style={series.isPlaceholderData ? { opacity: 0.55 } : undefined} aria-busy={series.isPlaceholderData}>
              <LazyPart pending={<RateChartLoading />} missingMessage="El gráfico no se pudo cargar.">
                <RateChart series={data} competitors={competitors} />
              </LazyPart>
            </div>
          )}
        </QueryView>
      </Card>
    </section>
  );
}
