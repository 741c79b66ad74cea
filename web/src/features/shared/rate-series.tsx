import { t } from '@lingui/core/macro';
import { SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, useState } from 'react';
import type { RateSeriesView } from '#core/contracts/http/rate-series';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import type { Competitor } from '#core/rates/sources';
import { rateSeriesQuery, type SeriesDays } from '../../data/rates.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Updating } from '../../ui/states.tsx';

// Charts are heavy: they come when somebody looks at one.
const RateChart = lazy(async () => ({ default: (await import('./rate-chart.tsx')).RateChart }));

/** Height of the drawing in px, without its legend. */
const chartHeight = 260;

/** The rate of a currency over a period, both of which the reader chooses by `RateSeriesChoices`. */
export function useRateSeries() {
  const [currency, setCurrency] = useState<SendCurrency>('USD');
  const [days, setDays] = useState<SeriesDays>(30);
  const query = useQuery({ ...rateSeriesQuery(currency, days), placeholderData: keepPreviousData });
  return { query, currency, setCurrency, days, setDays };
}

type RateSeries = ReturnType<typeof useRateSeries>;

/** The test ids begin with `testid`. */
export function RateSeriesChoices({ series, testid }: { series: RateSeries; testid: string }) {
  return (
    <>
      <SegmentedControl
        aria-label={t`Moneda`}
        data={[...sendCurrencies]}
        value={series.currency}
        onChange={(value) => series.setCurrency(value as SendCurrency)}
        data-testid={`${testid}-currency`}
      />
      <SegmentedControl
        aria-label={t`Período`}
        data={[
          { value: '30', label: t`30 días` },
          { value: '365', label: t`1 año` },
        ]}
        value={String(series.days)}
        onChange={(value) => series.setDays(value === '30' ? 30 : 365)}
        data-testid={`${testid}-days`}
      />
    </>
  );
}

/** The chart, with what `above` says of its figures. While another series is on its way the one before stays. */
export function RateSeriesChart(props: {
  series: RateSeries;
  competitors?: readonly Competitor[];
  above?: (series: RateSeriesView) => ReactNode;
}) {
  const { query } = props.series;
  const { competitors, above } = props;
  return (
    <QueryView query={query} loading={<ChartLoading />}>
      {(series) => (
        <>
          {above?.(series)}
          <Updating when={query.isPlaceholderData}>
            <LazyPart pending={<ChartLoading />} missingMessage={t`El gráfico no se pudo cargar.`}>
              <RateChart series={series} height={chartHeight} {...(competitors && { competitors })} />
            </LazyPart>
          </Updating>
        </>
      )}
    </QueryView>
  );
}

/** The chart while its file or its data are on their way, in its own shape. */
function ChartLoading() {
  return (
    <Stack gap="sm" aria-busy="true" role="status" aria-label={t`Cargando`}>
      <Skeleton height={22} width={240} maw="100%" />
      <Skeleton height={chartHeight} />
    </Stack>
  );
}
