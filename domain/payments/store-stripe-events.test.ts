import type { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { openDatabase } from '../database.ts';
import { StripeEventStore } from './store-stripe-events.ts';
import { StripeEvent } from './stripe-event.entity.ts';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const eventOf = (id: string) =>
  ({
    id,
    type: 'payment_intent.succeeded',
    data: { object: { object: 'payment_intent', id: 'pi_1' } },
  }) as unknown as Stripe.Event;
const stored = (prefix: string) => database.fork().count(StripeEvent, { id: { $like: `${prefix}%` } });

test('events that come at the same time share a few statements, and each is stored before it is answered', async () => {
  const query = vi.spyOn(await database.pool(), 'query');
  const signal = vi.fn();
  const store = new StripeEventStore(database, signal);
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      await store.store(eventOf(`evt_a${index % 30}`));
      expect(await stored(`evt_a${index % 30}`)).toBeGreaterThan(0);
    }),
  );
  expect(await stored('evt_a')).toBe(30);
  const inserts = query.mock.calls.filter(([first]) => (first as { name?: string }).name === 'insert-stripe-events');
  expect(inserts.length).toBeLessThan(10);
  expect(signal).toHaveBeenCalledTimes(inserts.length);
  query.mockRestore();
});

test('an event that comes while another is being stored does not wait for that, and later ones share the next statement', async () => {
  const pool = await database.pool();
  const under: { ids: string[]; end: () => void }[] = [];
  const query = vi.spyOn(pool, 'query').mockImplementation((({ values }: { values: string[][] }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    under.push({ ids: values[0] ?? [], end: resolve });
    return promise;
  }) as never);
  const ids = () => under.map((one) => one.ids);
  const store = new StripeEventStore(database, () => {});
  const first = store.store(eventOf('evt_c1'));
  await expect.poll(ids).toEqual([['evt_c1']]);
  const second = store.store(eventOf('evt_c2'));
  await expect.poll(ids).toEqual([['evt_c1'], ['evt_c2']]);
  const later = [store.store(eventOf('evt_c4')), store.store(eventOf('evt_c3'))];
  under[1]?.end();
  await second;
  await expect.poll(ids).toEqual([['evt_c1'], ['evt_c2'], ['evt_c3', 'evt_c4']]);
  for (const { end } of under) end();
  await Promise.all([first, ...later]);
  query.mockRestore();
});

test('the same events in opposite order, by two processes at once, are all stored and none is refused', async () => {
  const stores = [new StripeEventStore(database, () => {}), new StripeEventStore(database, () => {})] as const;
  for (let round = 0; round < 20; round += 1) {
    const events = Array.from({ length: 80 }, (_, index) => eventOf(`evt_d${round}_${index}`));
    // The first statement of each has one event alone.
    const all = [stores[0].store(eventOf(`evt_e${round}`)), stores[1].store(eventOf(`evt_f${round}`))];
    for (const event of events) all.push(stores[0].store(event));
    for (const event of events.toReversed()) all.push(stores[1].store(event));
    await Promise.all(all);
  }
  expect(await stored('evt_d')).toBe(1600);
});

test('events whose statement fails are refused together, and the next ones are stored', async () => {
  const query = vi.spyOn(await database.pool(), 'query').mockRejectedValueOnce(new Error('connection lost') as never);
  const store = new StripeEventStore(database, () => {});
  const failing = await Promise.allSettled([store.store(eventOf('evt_b1'))]);
  expect(failing.map(({ status }) => status)).toEqual(['rejected']);
  query.mockRestore();
  await store.store(eventOf('evt_b2'));
  expect(await stored('evt_b')).toBe(1);
});
