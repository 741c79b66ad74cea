import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankBoardView, type RateSeriesView, rateSeriesView } from '#core/contracts/http/rate-series';
import type { Rate } from '#core/rates/rate';
import type { Observation } from '#core/rates/sources';
import { laPazDay } from '#core/time/time';
import { finishRateRun, openRateRun } from '#domain/rate-observations/rate-runs';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';

const everyMs = 7_200_000;
let api: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
});
afterAll(() => api?.close());

const dollars = (rate: bigint): Observation => {
  return { kind: 'reference', source: 'dolarApi', pair: 'USD/BOB', rate: rate as Rate };
};
const bank = (day: string, name: string, rate: bigint): Observation => {
  return { kind: 'bank', source: 'bcb', day, bank: name, rate: rate as Rate };
};
const collect = (observations: Observation[], at = new Date()) =>
  api.database.transaction(async (em) => {
    const { runId } = await openRateRun(em, { trigger: 'scheduled', everyMs: 7_200_000, at });
    const collected = observations.map((observation) => ({ observation, rawHash: randomUUID(), observedAt: at }));
    await finishRateRun(em, runId, { collected, results: [], at });
  });
const history = async (query = ''): Promise<RateSeriesView> =>
  rateSeriesView.parse((await api.visitor().send('GET', `/api/rate/usd/history${query}`)).body);
const board = async (query = '') =>
  bankBoardView.parse((await api.visitor().send('GET', `/api/bank-board${query}`)).body);

test('the rate series is public and immediately includes new rates', async () => {
  const before = await history();
  expect(before).toMatchObject({ currency: 'USD', days: 30 });
  expect(before.points).toHaveLength(30);
  const today = { date: laPazDay(new Date()), ours: null, reference: null, competitors: {} };
  expect(before.points.at(-1)).toEqual(today);

  const { user } = await api.person('admin');
  await api.setRates(user, 11_600_000n);
  expect((await history()).points.at(-1)).toEqual({ ...today, ours: '11.60' });
  await collect([dollars(11_723_456n)]);
  await api.setRates(user, 11_650_000n);
  const after = await history('?days=365');
  expect(after.points).toHaveLength(365);
  expect(after.points.at(-1)).toEqual({ ...today, ours: '11.65', reference: '11.723456' });
  expect((await history()).points.at(-1)).toEqual(after.points.at(-1));
});

test('the rate series comes in two lengths only', async () => {
  expectFailure(await api.visitor().send('GET', '/api/rate/usd/history?days=31'), 400, 'invalid_input');
  expectFailure(await api.visitor().send('GET', '/api/rate/bob/history'), 400, 'invalid_input');
});

test('the bank board is the last reading of the newest day, best first, equal ones sharing a rank', async () => {
  expect(await board()).toMatchObject({ day: null, collectedAt: null, freshness: null, banks: [] });
  const now = Date.now();
  const old = new Date(now - 2 * everyMs);
  await collect([bank('2026-11-19', 'BANCO BISA', 99_000_000n), bank('2026-11-20', 'BANCO BISA', 11_500_000n)], old);
  expect(await board()).toMatchObject({ freshness: 'older', banks: [{ bank: 'BANCO BISA', rate: '11.50', rank: 1 }] });
  const collectedAt = new Date(now);
  await collect(
    [
      bank('2026-11-20', 'BANCO UNIÓN', 11_520_000n),
      bank('2026-11-20', 'BANCO GANADERO', 11_580_000n),
      bank('2026-11-20', 'BANCO FIE', 11_510_000n),
      bank('2026-11-20', 'BANCO ECONÓMICO', 11_580_000n),
    ],
    collectedAt,
  );
  // Prices alone say nothing of banks.
  await collect([dollars(11_700_000n)]);
  // With us 100 dollars, less a fee of 3.5 %, arrive at 11.65.
  const ours = '1124.22';
  const bankOf = (name: string, rate: string, rank: number, received: string, difference: string) => {
    return { bank: name, rate, rank, received, difference };
  };
  expect(await board()).toEqual({
    ...{ currency: 'USD', amount: '100.00', dollars: '100.00', eurUsd: null, ours },
    day: '2026-11-20',
    collectedAt: collectedAt.toISOString(),
    freshness: 'live',
    banks: [
      bankOf('BANCO ECONÓMICO', '11.58', 1, '1158.00', '33.78'),
      bankOf('BANCO GANADERO', '11.58', 1, '1158.00', '33.78'),
      bankOf('BANCO UNIÓN', '11.52', 3, '1152.00', '27.78'),
      bankOf('BANCO FIE', '11.51', 4, '1151.00', '26.78'),
    ],
  });
});

test('the bank board computes any amount, in euros by the ECB’s fixing and not at all without one', async () => {
  expect((await board('?amount=0.99&currency=usd')).banks[3]).toMatchObject({ received: '11.39', difference: '0.33' });
  const without = await board('?amount=200&currency=EUR');
  expect(without).toMatchObject({ dollars: null, eurUsd: null });
  expect(without.banks[0]).toMatchObject({ received: null, difference: null });
  const asOf = new Date().toISOString().slice(0, 10);
  await collect([{ kind: 'reference', source: 'ecb', pair: 'EUR/USD', rate: 1_160_000n as Rate, asOf }]);
  const euros = await board('?amount=200&currency=EUR');
  expect(euros).toMatchObject({ currency: 'EUR', amount: '200.00', dollars: '232.00', eurUsd: '1.16' });
  expect(euros.banks[0]).toMatchObject({ received: '2686.56' });
  expectFailure(await api.visitor().send('GET', '/api/bank-board?amount=-1'), 400, 'invalid_input');
});
