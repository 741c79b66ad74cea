import type { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { testMoment } from '../../testing/transfers.ts';
import { openDatabase } from '../database.ts';
import { StripeEvent } from './stripe-event.entity.ts';
import { echoDelayMs, paymentIntentOf, storeStripeEvent } from './stripe-event.repository.ts';

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

const eventOf = (id: string, object: object, type = 'payment_intent.amount_capturable_updated') =>
  ({ id, type, data: { object } }) as unknown as Stripe.Event;
const store = (event: Stripe.Event) => database.transaction((em) => storeStripeEvent(em, event, testMoment));
const jobsOf = (id: string) => database.fork().find(OutboxRow, { kind: 'job', data: { id } });

test('an event is stored with its job', async () => {
  await store(eventOf('evt_1', { object: 'payment_intent', id: 'pi_1' }));
  expect(await database.fork().find(StripeEvent, { id: 'evt_1' })).toMatchObject([
    {
      type: 'payment_intent.amount_capturable_updated',
      paymentIntentId: 'pi_1',
      receivedAt: testMoment,
      nextAttemptAt: testMoment,
      handledAt: null,
    },
  ]);
  expect(await jobsOf('evt_1')).toMatchObject([
    { name: 'handle-stripe-event', jobKey: 'handle-stripe-event-evt_1-1', runAt: null },
  ]);
});

// Stripe delivers at least once, possibly twice at the same instant.
test('ten concurrent deliveries of an event are stored once, with one job', async () => {
  const event = eventOf('evt_2', { object: 'payment_intent', id: 'pi_2' });
  await Promise.all(Array.from({ length: 10 }, () => store(event)));
  expect(await database.fork().count(StripeEvent, { id: 'evt_2' })).toBe(1);
  expect(await jobsOf('evt_2')).toHaveLength(1);
});

test.each(['payment_intent.created', 'charge.succeeded', 'charge.captured', 'payment_intent.succeeded'])(
  'an event %s, which only echoes a request, is handled after a delay',
  async (type) => {
    const id = `evt_${type.replace('.', '_')}`;
    await store(eventOf(id, { object: 'payment_intent', id: 'pi_4' }, type));
    const nextAttemptAt = new Date(testMoment.getTime() + echoDelayMs);
    expect(await database.fork().find(StripeEvent, { id })).toMatchObject([{ nextAttemptAt }]);
    expect(await jobsOf(id)).toMatchObject([{ runAt: nextAttemptAt }]);
  },
);

describe('the payment intent of an event', () => {
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
