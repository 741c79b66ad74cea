import { register } from 'prom-client';
import { expect, test } from 'vitest';
import { operatingFigures } from '#core/contracts/http/monitoring';
import { queueNames } from '#core/contracts/jobs';
import type { Rate } from '#core/rates/rate';
import { dayMs, hourMs } from '#core/time/time';
import { createTestUser } from '../../testing/accounts.ts';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { pauseQueue } from '../queue-pauses/pause-queue.ts';
import { setRate } from '../rates/set-rate.ts';
import { showFigures } from './figure-metrics.ts';
import { readOperatingFigures } from './figures.repository.ts';
import { FiguresReader } from './operating-figures.ts';

const fixture = usePaymentFixture();

const pauseAfterMs = dayMs;
const read = (now = fixture.now) => readOperatingFigures(fixture.database.fork(), { now, pauseAfterMs });
const lines = async (name: string) =>
  (await register.getSingleMetricAsString(name)).split('\n').filter((line) => !line.startsWith('#') && line !== '');

test('figures show what is due and since when, what is held, and what is owed by ledger and by states', async () => {
  await fixture.create({ state: 'in_review' });
  await fixture.create();
  const captured = await fixture.create({ state: 'captured' });
  await fixture.create({ state: 'captured' });
  const later = new Date(fixture.now.getTime() + hourMs);
  const figures = operatingFigures.parse(await read(later));
  const of = (kind: string) => figures.due.find((one) => one.kind === kind);
  expect(of('stripe_operations')).toMatchObject({ rows: 1 });
  expect(of('bank_operations')).toMatchObject({ rows: 2 });
  expect(Date.parse(of('bank_operations')?.since ?? '')).toBeLessThanOrEqual(fixture.now.getTime());
  expect(of('outbox')?.rows).toBeGreaterThan(0);
  expect(figures.holds).toMatchObject({ waiting: 1, withinDay: 0, next: expect.any(String) });
  expect((await read(new Date(Date.parse(figures.holds.next ?? '') - hourMs))).holds.withinDay).toBe(1);
  const { bolivianosMinor } = await fixture.see(captured);
  const owed = String(bolivianosMinor * 2n);
  expect(figures.ledger).toEqual([
    { account: 'payout_due', currency: 'BOB', booksMinor: owed, expectedMinor: owed },
    { account: 'refund_due', currency: 'EUR', booksMinor: '0', expectedMinor: '0' },
    { account: 'refund_due', currency: 'USD', booksMinor: '0', expectedMinor: '0' },
  ]);
  expect(figures.reconciliation).toEqual({ stripe: 0, bank: 0, since: null, comparedAt: null });
});

test('figures show what recipients of completed transfers are still owed', async () => {
  const before = (await read()).ledger[0]?.booksMinor ?? '0';
  const id = await fixture.create({ state: 'captured' });
  await fixture.run(id, 'payout');
  expect(await read()).toMatchObject({ owedToFamilies: { transfers: 0, minor: '0', since: null } });
  fixture.bank.returnPayout(id, { amount: '100.00' });
  await sweepBankReturns(fixture.context);
  const figures = operatingFigures.parse(await read());
  expect(figures.owedToFamilies).toEqual({ transfers: 1, minor: '10000', since: fixture.now.toISOString() });
  const owed = String(BigInt(before) + 10_000n);
  expect(figures.ledger[0]).toEqual({
    ...{ account: 'payout_due', currency: 'BOB', booksMinor: owed, expectedMinor: owed },
  });
  showFigures(figures, new Date(fixture.now.getTime() + dayMs));
  expect(await lines('chasqui_ledger_owed_minor')).toContain(
    `chasqui_ledger_owed_minor{account="payout_due",currency="BOB"} ${owed}`,
  );
  expect(await lines('chasqui_rest_owed_transfers')).toEqual(['chasqui_rest_owed_transfers 1']);
  expect(await lines('chasqui_rest_owed_oldest_seconds')).toEqual(['chasqui_rest_owed_oldest_seconds 86400']);
  // An amount missing from the ledger is a difference.
  const lose = (by: number) => `
    alter table ledger_posting disable trigger user;
    update ledger_posting set amount_minor = amount_minor + ${by} where transfer_id = '${id}' and entry = 'payout_return';
    alter table ledger_posting enable trigger user`;
  await fixture.asOwner(lose(-3));
  expect((await read()).ledger[0]).toMatchObject({ booksMinor: String(BigInt(owed) - 3n), expectedMinor: owed });
  await fixture.asOwner(lose(3));
  fixture.bank.returnPayout(id, { amount: '1191.17' });
  await sweepBankReturns(fixture.context);
  expect((await read()).owedToFamilies.transfers).toBe(0);
});

test('figures show how long transfers have been in each state, and which queues are paused', async () => {
  const id = await fixture.create({ state: 'captured' });
  const { changedAt } = await fixture.see(id);
  const { oldestTransfers: before } = await read();
  const captured = before.find(({ state }) => state === 'captured');
  expect(Date.parse(captured?.since ?? '')).toBeLessThanOrEqual(changedAt.getTime());
  expect(before.map(({ state }) => state)).toEqual([
    ...['awaiting_payment', 'in_review', 'approved', 'captured', 'payout_failed', 'refunding'],
  ]);
  const admin = await createTestUser(fixture.database, { role: 'admin' });
  const pause = { queue: 'payouts', personId: admin.id, at: fixture.now } as const;
  await fixture.database.transaction((em) => pauseQueue(em, pause));
  const figures = operatingFigures.parse(await read());
  const later = fixture.now.getTime() + dayMs;
  showFigures(figures, new Date(later));
  expect(figures.oldestTransfers.map(({ since }) => since)).toContain(null);
  expect(await lines('chasqui_oldest_transfer_seconds')).toEqual(
    figures.oldestTransfers.map(({ state, since }) => {
      const seconds = since === null ? 0 : (later - Date.parse(since)) / 1000;
      return `chasqui_oldest_transfer_seconds{state="${state}"} ${seconds}`;
    }),
  );
  const paused = (await lines('chasqui_queue_paused')).map((line) => /"(.+)"} (\d)/.exec(line)?.slice(1));
  expect(paused).toEqual(queueNames.map((queue) => [queue, queue === 'payouts' ? '1' : '0']));
});

test('a ledger changed behind the checks differs from the states', async () => {
  await fixture.create({ state: 'captured' });
  await fixture.asOwner(`
    alter table ledger_posting disable trigger user;
    update ledger_posting set amount_minor = amount_minor + 7 where destination = 'payout_due';
    alter table ledger_posting enable trigger user`);
  const [{ booksMinor = '0', expectedMinor = '0' } = {}] = (await read()).ledger;
  const difference = BigInt(booksMinor) - BigInt(expectedMinor);
  expect(difference).toBeGreaterThan(0n);
  showFigures(await read(), fixture.now);
  expect(await lines('chasqui_ledger_difference_minor')).toContain(
    `chasqui_ledger_difference_minor{account="payout_due",currency="BOB"} ${difference}`,
  );
});

test('gauges show ages as of the scrape, and are absent while the database cannot be read', async () => {
  const admin = await createTestUser(fixture.database, { role: 'admin' });
  const set = new Date(fixture.now.getTime() - 2 * dayMs);
  await fixture.database.transaction(async (em) => {
    for (const currency of ['USD', 'EUR'] as const)
      await setRate(em, { currency, rate: 11_550_000n as Rate, setById: admin.id, at: set });
  });
  showFigures(await read(), fixture.now);
  expect(await lines('chasqui_rate_age_seconds')).toEqual(
    ['USD', 'EUR'].map((currency) => `chasqui_rate_age_seconds{currency="${currency}"} ${(2 * dayMs) / 1000}`),
  );
  expect(await lines('chasqui_rate_paused')).toContain('chasqui_rate_paused{currency="USD"} 1');
  expect(await lines('chasqui_reconciliation_age_seconds')).toEqual(['chasqui_reconciliation_age_seconds +Inf']);
  const broken = {
    fork: () => {
      throw new Error('down');
    },
  } as never;
  await expect(new FiguresReader(broken, { pauseAfterMs }).show()).rejects.toThrow();
  expect(await lines('chasqui_figures_readable')).toEqual(['chasqui_figures_readable 0']);
  for (const name of ['chasqui_holds_waiting', 'chasqui_due_rows', 'chasqui_ledger_difference_minor'])
    expect(await lines(name)).toEqual([]);
});

test('concurrent readers share one reading of the figures', async () => {
  let forks = 0;
  const counted = {
    fork: () => {
      forks += 1;
      return fixture.database.fork();
    },
  } as never;
  const reader = new FiguresReader(counted, { pauseAfterMs });
  const [one, other] = await Promise.all([reader.read(), reader.read()]);
  expect(one).toBe(other);
  await reader.show();
  expect(forks).toBe(1);
});
