import { Trans } from '@lingui/react/macro';
import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useComparison } from '../../data/comparison.ts';
import { paths } from '../../lib/paths.ts';
import { Money } from '../../ui/figures.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Claim } from './comparison.tsx';
import { comparisonFailed, WidgetRowsLoading } from './comparison-messages.tsx';
import { ComparisonRows } from './comparison-rows.tsx';

/** The comparison for 100 USD in small, among other panels. */
export function ComparisonWidget() {
  return (
    <Card component="section" aria-labelledby="comparison-widget-title" data-testid="comparison-widget">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} id="comparison-widget-title">
          <Trans>Cuánto llega con cada servicio</Trans>
        </Title>
        <Anchor component={Link} to={paths.rateTester} fw={600} data-testid="comparison-more">
          <Trans>Comparar otro monto</Trans>
        </Anchor>
      </Group>
      <Stack gap="sm">
        <QueryView
          query={useComparison('100', 'USD')}
          loading={<WidgetRowsLoading />}
          failureMessage={() => comparisonFailed()}
        >
          {(data) => (
            <>
              <Text c="dimmed">
                <Trans>
                  Si pagas <Money amount={data.amount} currency={data.currency} /> en total, comisión incluida.
                </Trans>
              </Text>
              <Claim view={data} />
              <ComparisonRows view={data} compact />
            </>
          )}
        </QueryView>
      </Stack>
    </Card>
  );
}
