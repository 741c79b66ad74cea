import { pino } from 'pino';
import type { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '#platform/database/database';
import { Presence } from '#platform/database/presence';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { openDatabase } from '../database.ts';
import { testMoment } from '../testing/transfers.ts';
import { StripeEvent } from './stripe-event.entity.ts';
import {
  eventLeaseMs,
  hasDueEvents,
  paymentIntentOf,
  storeStripeEvent,
  takeDueEvents,
} from './stripe-event.repository.ts';

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

const eventOf = (id: string, object: object) =>
  ({ id, type: 'payment_intent.amount_capturable_updated', data: { object } }) as unknown as Stripe.Event;
const store = (event: Stripe.Event) => database.transaction((em) => storeStripeEvent(em, event, testMoment));

test('an event is written down, and its handling asked for', async () => {
  await store(eventOf('evt_1', { object: 'payment_intent', id: 'pi_1' }));
  expect(await database.fork().find(StripeEvent, { id: 'evt_1' })).toMatchObject([
    {
      type: 'payment_intent.amount_capturable_updated',
      paymentIntentId: 'pi_1',
      receivedAt: testMoment,
      handledAt: null,
    },
  ]);
  expect(await database.fork().find(OutboxRow, { data: { eventId: 'evt_1' } })).toMatchObject([
    { kind: 'job', name: 'handle-stripe-event' },
  ]);
});

// Stripe delivers at least once, and twice at the same instant when it likes.
test('the same event ten times at the same instant is written down and asked for once', async () => {
  const event = eventOf('evt_2', { object: 'payment_intent', id: 'pi_2' });
  await Promise.all(Array.from({ length: 10 }, () => store(event)));
  expect(await database.fork().count(StripeEvent, { id: 'evt_2' })).toBe(1);
  expect(await database.fork().count(OutboxRow, { data: { eventId: 'evt_2' } })).toBe(1);
});

test('events that a living process took without learning of it are due again after a minute', async () => {
  const presence = await Presence.open(testDatabase.url, pino({ level: 'silent' }));
  try {
    await store(eventOf('evt_4', { object: 'payment_intent', id: 'pi_4' }));
    const now = new Date();
    const take = (at: Date) =>
      database.statement((em) => takeDueEvents(em, { now: at, takenBy: presence.number, limit: 64 }));
    // The answer got lost with the connection.
    await take(now);
    expect(await database.statement((em) => hasDueEvents(em, new Date(now.getTime() + eventLeaseMs - 1)))).toBe(false);
    expect((await take(new Date(now.getTime() + eventLeaseMs))).taken.map(({ event }) => event.id)).toContain('evt_4');
  } finally {
    await presence.close();
  }
});

describe('the payment intent an event is about', () => {
  test.each([
    ['a payment intent', { object: 'payment_intent', id: 'pi_1' }, 'pi_1'],
    ['a charge of one', { object: 'charge', id: 'ch_1', payment_intent: 'pi_1' }, 'pi_1'],
    ['a refund of one', { object: 'refund', id: 're_1', payment_intent: 'pi_1' }, 'pi_1'],
    ['a charge of none', { object: 'charge', id: 'ch_1', payment_intent: null }, null],
    ['something else', { object: 'customer', id: 'cus_1' }, null],
  ])('%s', (_, object, expected) => {
    expect(paymentIntentOf(eventOf('evt_3', object))).toBe(expected);
  });
});
