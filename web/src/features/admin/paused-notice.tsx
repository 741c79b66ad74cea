import { Alert, Stack } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { RateView } from '#core/contracts/http/rates';
import { sendCurrencies } from '#core/money/money';
import { ratesQuery } from '../../data/rates.ts';
import { laPazTime } from './la-paz-time.ts';

/** Which currencies are paused, when their rate was last updated, and what an admin can do. */
export function PausedNotice() {
  const { data } = useQuery(ratesQuery);
  const paused = data ? sendCurrencies.map((currency) => data.rates[currency]).filter((rate) => rate.paused) : [];
  if (paused.length === 0) return null;
  return (
    <Stack gap="sm">
      {paused.map((rate) => (
        <Alert
          key={rate.currency}
          color="red"
          icon={<IconPlayerPause aria-hidden />}
          title={`Envíos en ${rate.currency} en pausa: falta una tasa reciente`}
          role="alert"
          data-testid={`admin-paused-${rate.currency}`}
        >
          Lo último que se supo de la tasa es del {laPazTime(lastUpdatedAt(rate))}. Revisa las fuentes de precios o fija
          la tasa de {rate.currency}: los envíos vuelven solos.
        </Alert>
      ))}
    </Stack>
  );
}

/** When an admin or the market last said anything about the rate. */
function lastUpdatedAt({ lastUpdated, marketSeenAt }: RateView): string {
  return marketSeenAt !== null && marketSeenAt > lastUpdated ? marketSeenAt : lastUpdated;
}
