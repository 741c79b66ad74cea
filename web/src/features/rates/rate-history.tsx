import { Trans } from '@lingui/react/macro';
import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { RateSeriesChart, RateSeriesChoices, useRateSeries } from '../shared/rate-series.tsx';
import { readingOf } from './rate-labels.ts';

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
