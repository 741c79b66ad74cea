import { Stack } from '@mantine/core';
import { RateChartCard } from './rate-chart-card.tsx';
import { RateHistory } from './rate-history.tsx';
import { SourceHealth } from './source-health.tsx';

/** What stands behind the rates: how they went, who set them, and how the sources are doing. */
export function RatesTab() {
  return (
    <Stack gap="xl">
      <RateChartCard />
      <RateHistory />
      <SourceHealth />
    </Stack>
  );
}
