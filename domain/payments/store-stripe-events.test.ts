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

test('events whose statement fails are refused together, and the next ones are stored', async () => {
  const query = vi.spyOn(await database.pool(), 'query').mockRejectedValueOnce(new Error('connection lost') as never);
  const store = new StripeEventStore(database, () => {});
  const failing = await Promise.allSettled([store.store(eventOf('evt_b1'))]);
  expect(failing.map(({ status }) => status)).toEqual(['rejected']);
  query.mockRestore();
  await store.store(eventOf('evt_b2'));
  expect(await stored('evt_b')).toBe(1);
});
