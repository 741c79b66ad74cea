import { expect } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { type SendCurrency, toRate } from './books.ts';
import type { Person } from './people.ts';

/** Bolivianos per unit in millionths: ours, and the market's. */
interface Rates {
  readonly rate: bigint;
  readonly reference: bigint;
}
export type Market = Readonly<Record<SendCurrency, Rates>>;

const currencies = ['EUR', 'USD'] as const;

/** Refreshes the price sites and sets our rates a number of basis points below the market (above it if negative). */
export async function openMarket(
  [first, second]: readonly [Person, Person],
  belowBasisPoints: bigint,
): Promise<Market> {
  await refreshMarket(first);
  const market = await readMarket(first);
  for (const currency of currencies) {
    const cents = (market[currency].reference * (10_000n - belowBasisPoints)) / 10_000n / 10_000n;
    const rate = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
    if (toRate(rate) === market[currency].rate) continue;
    const { change } = await first.call(endpoints.setRate, { body: { currency, rate, reason: 'Tasa del día' } });
    if (change.state === 'awaiting_confirmation') {
      await second.call(endpoints.confirmRateChange, { params: { id: change.id } });
    } else expect(change.state).toBe('activated');
  }
  return readMarket(first);
}

/** Refreshes the price sites and keeps our rates. */
export async function refreshMarket(admin: Person): Promise<void> {
  await admin.call(endpoints.updateRates, { body: {} });
}

/** Our rates and the market's as admins see them. */
export async function readMarket(admin: Person): Promise<Market> {
  const { currencies: managed } = await admin.call(endpoints.rateManagement);
  const ratesOf = (currency: SendCurrency): Rates => {
    const { inForce, reference } = managed[currency];
    if (!inForce || !reference || inForce.paused) throw new Error(`there is no rate for ${currency}`);
    return { rate: toRate(inForce.rate), reference: medianOf(reference.sources.map(({ rate }) => toRate(rate))) };
  };
  return { EUR: ratesOf('EUR'), USD: ratesOf('USD') };
}

/** The lower of the two in the middle, where they are even. */
function medianOf(rates: readonly bigint[]): bigint {
  const sorted = rates.toSorted((one, other) => Number(one - other));
  return sorted[(sorted.length - 1) >> 1] as bigint;
}
