import { Card, Grid, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiFailure, sentenceOf } from '../../lib/http.ts';
import { ratesQuery } from '../../lib/rates.ts';
import { LoadError } from '../../ui/states.tsx';
import { RateHistory } from './rate-history.tsx';
import { RatePanel } from './rate-panel.tsx';

/** Exchange rates: what is in force, setting a new one, and who set which. */
export function RateDesk() {
  const { data, isPending, isError, error, refetch } = useQuery(ratesQuery);
  // Without any rate the server refuses to answer: then the first one is set here.
  const noneYet = error instanceof ApiFailure && error.code === 'rate_unavailable';
  return (
    <section aria-labelledby="rates-title">
      <Title order={2} id="rates-title" mb="sm">
        Tasas de cambio
      </Title>
      {isError && !noneYet && !data ? (
        <LoadError sentence={sentenceOf(error)} retry={refetch} />
      ) : (
        <Grid gap="md">
          {(['USD', 'EUR'] as const).map((currency) => (
            <Grid.Col key={currency} span={{ base: 12, sm: 6, lg: 3.5 }}>
              <RatePanel currency={currency} current={data?.rates[currency] ?? null} loading={isPending} />
            </Grid.Col>
          ))}
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Card h="100%" padding="md">
              <RateHistory />
            </Card>
          </Grid.Col>
        </Grid>
      )}
    </section>
  );
}
