import { expect, test } from 'vitest';
import { chain, parseRate, type Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import { dollarHistory } from '#domain/rate-observations/dollar-history';
import { marketAt } from '../../sandbox/prices/market.ts';
import { historicRates, sampleRates, sampleTransfers } from './seed-samples.ts';

const rate = (text: string) => parseRate(text) as Rate;
const ends = new Date('2100-01-01');

test('the history of the dollar has a year of days without a gap, and the official rate since the peg ended', () => {
  const days = (source: string) =>
    dollarHistory.filter((figure) => figure.source === source).map(({ at }) => at.toISOString().slice(0, 10));
  const [market, official] = [days('binanceP2p'), days('bcb')];
  expect([market.length, market[0], market.at(-1)]).toEqual([365, '2025-08-23', '2026-08-22']);
  expect([official[0], official.at(-1)]).toEqual(['2026-06-29', '2026-08-22']);
  expect(dollarHistory.filter(({ at }) => at.toISOString().startsWith('2026-08-22')).map((one) => one.rate)).toEqual([
    11_580_000n,
    11_500_000n,
  ]);
});

test('our past rates stayed below every market rate while they were in force', () => {
  const ours = historicRates(new Date(0), ends);
  expect(ours.length).toBeGreaterThan(20);
  for (const [index, { at, rate: set }] of ours.entries()) {
    const until = ours[index + 1]?.at ?? ends;
    const market = dollarHistory.filter((figure) => figure.at >= at && figure.at < until);
    for (const figure of market) expect(set < figure.rate).toBe(true);
  }
  const since = new Date('2026-05-01');
  expect(historicRates(since, new Date('2026-07-01')).every(({ at }) => at >= since && at < ends)).toBe(true);
});

test('the demonstration’s current rates are profitable whatever the simulated market does in two years', () => {
  const set = (currency: string) => sampleRates.filter((one) => one.currency === currency).map((one) => rate(one.rate));
  const [dollars, euros] = [set('USD'), set('EUR')];
  const start = Date.parse('2026-11-21T12:00Z');
  for (let day = 0; day < 730; day += 0.25) {
    const { officialBuy, euroFixing } = marketAt(start + day * dayMs);
    for (const ours of dollars) expect(ours < officialBuy).toBe(true);
    for (const ours of euros) expect(ours < chain(euroFixing as Rate, officialBuy as Rate)).toBe(true);
  }
});

test('every sample transfer was profitable', () => {
  for (const sample of sampleTransfers) expect(rate(sample.rate) < rate(sample.referenceRate)).toBe(true);
});
