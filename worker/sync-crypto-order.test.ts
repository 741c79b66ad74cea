import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CryptoStatus } from '#core/crypto/crypto-order';
import { dayMs } from '#core/time/time';
import { CryptoOrder } from '#domain/crypto/crypto-order.entity';
import { attachOnrampSession, openCryptoOrder } from '#domain/crypto/crypto-order.repository';
import { sweepCryptoOrders } from '#domain/crypto/sweep-orders';
import { openDatabase } from '#domain/database';
import type { JobContext } from '#domain/jobs/job-context';
import { StripeEvent } from '#domain/payments/stripe-event.entity';
import { storeStripeEvent } from '#domain/payments/stripe-event.repository';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createStripe } from '#platform/stripe';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { createTestUser } from '../testing/accounts.ts';
import { runJob } from './handlers.ts';

const wallet = 'ChasquiDemo111111111111111111111111111111111';
const start = new Date('2026-11-21T12:00:00Z');
const names = ['crypto.onramp_session_updated', 'crypto.onramp_session.updated'];

/** The onramp sessions of Stripe, with a count of how often each was read. */
const sessions = new Map<string, { status: string; metadata: Record<string, string>; transaction_details: object }>();
let reads = 0;
let server: Server;
let testDatabase: TestDatabase;
let database: Database;
let context: JobContext;
let now = start;
let number = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    reads += 1;
    const id = request.url?.split('/').at(-1) ?? '';
    const session = sessions.get(id);
    const missing = { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'no' } };
    response.writeHead(session ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(session ? { id, object: 'crypto.onramp_session', ...session } : missing));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 4 });
  const stripe = createStripe({
    ...{ secretKey: 'sk_test_sandbox', requestsPerSecond: null, sellsCrypto: true },
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  // The part of the job context that crypto orders use.
  const log = pino({ level: 'silent' });
  context = { database, stripe, log, sweepEveryMs: 30_000, now: () => now } as Partial<JobContext> as JobContext;
});
afterAll(async () => {
  await database.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(async () => {
  now = start;
  reads = 0;
  await database.fork().nativeDelete(OutboxRow, {});
});

const run = (name: string, data: object) => runJob(context, { name, data });
const stored = (id: string) => database.fork().findOneOrFail(CryptoOrder, { id });
const rows = (name: string) => database.fork().find(OutboxRow, { name }, { orderBy: { id: 'asc' } });

/** Creates an order; with a session at Stripe unless the api "crashed" before storing it. */
async function purchase(options: { noted?: boolean } = {}): Promise<{ id: string; sessionId: string }> {
  const user = await createTestUser(database);
  number += 1;
  const sessionId = `cos_${number}`;
  const order = await database.transaction(async (em) => {
    const input = { userId: user.id, amountMinor: 5000n, walletAddress: wallet, inputHash: 'x', idempotencyKey: null };
    return openCryptoOrder(em, { ...input, at: start });
  });
  setSession(sessionId, order.id, 'initialized');
  if (options.noted !== false) {
    await database.transaction((em) => attachOnrampSession(em, order.id, sessionId, start));
  }
  await database.fork().nativeDelete(OutboxRow, {});
  return { id: order.id, sessionId };
}

/** Sets the session's status at Stripe. */
function setSession(sessionId: string, orderId: string, status: string, details: object = {}): void {
  const delivered = status === 'fulfillment_complete' ? { transaction_id: 'tx1' } : {};
  sessions.set(sessionId, {
    status,
    metadata: { order_id: orderId },
    transaction_details: {
      source_amount: '50.00',
      destination_amount: status === 'initialized' ? null : '49.5',
      wallet_address: wallet,
      fees: status === 'initialized' ? null : { network_fee_amount: '0.01', transaction_fee_amount: '0.75' },
      ...delivered,
      ...details,
    },
  });
}

/** Stripe's webhook as the api stores it. Its content is never trusted. */
async function webhook(
  sessionId: string,
  type = names[0] as string,
  eventId = `evt_${Math.random()}`,
): Promise<string> {
  const object = { id: sessionId, object: 'crypto.onramp_session', status: 'rejected' };
  const event = { id: eventId, type, data: { object } } as unknown as Stripe.Event;
  await database.transaction((em) => storeStripeEvent(em, event, now));
  return eventId;
}

describe('a webhook', () => {
  it.each(names)('named %s reads the session and updates the order', async (name) => {
    const { id, sessionId } = await purchase();
    setSession(sessionId, id, 'fulfillment_processing');
    const eventId = await webhook(sessionId, name);
    expect((await rows('handle-stripe-event')).map(({ data }) => data)).toMatchObject([{ id: eventId, dispatch: 1 }]);
    await run('handle-stripe-event', { id: eventId });
    expect(await stored(id)).toMatchObject({
      status: 'fulfillment_processing',
      version: 3,
      paidMinor: 5000n,
      usdcMillionths: 49_500_000n,
      networkFeeMinor: 1n,
      transactionFeeMinor: 75n,
    });
    expect((await rows('crypto-order-changed')).map(({ data }) => data)).toEqual([{ orderId: id }]);
    expect((await database.fork().findOneOrFail(StripeEvent, { id: eventId })).handledAt).toEqual(start);
  });

  it('delivered or handled twice changes the order once', async () => {
    const { id, sessionId } = await purchase();
    setSession(sessionId, id, 'requires_payment');
    const eventId = await webhook(sessionId);
    await webhook(sessionId, names[0], eventId);
    expect(await rows('handle-stripe-event')).toHaveLength(1);
    await run('handle-stripe-event', { id: eventId });
    const before = reads;
    await run('handle-stripe-event', { id: eventId });
    expect(reads).toBe(before);
    // Another one about the same thing.
    await run('handle-stripe-event', { id: await webhook(sessionId) });
    expect(await rows('crypto-order-changed')).toHaveLength(1);
    expect((await stored(id)).version).toBe(3);
  });

  it('that arrives late never moves an order back from its final status', async () => {
    const { id, sessionId } = await purchase();
    const late = [await webhook(sessionId), await webhook(sessionId)];
    setSession(sessionId, id, 'fulfillment_complete', { transaction_id: null });
    await run('handle-stripe-event', { id: await webhook(sessionId) });
    expect(await stored(id)).toMatchObject({ status: 'fulfillment_complete', transactionId: null, version: 3 });
    for (const status of ['requires_payment', 'rejected']) {
      setSession(sessionId, id, status);
      await run('handle-stripe-event', { id: late.shift() as string });
      expect((await stored(id)).status).toBe('fulfillment_complete');
    }
    // The transaction may be known only after the delivery.
    setSession(sessionId, id, 'fulfillment_complete');
    await run('handle-stripe-event', { id: await webhook(sessionId) });
    expect(await stored(id)).toMatchObject({ transactionId: 'tx1', version: 4 });
  });

  it('handled concurrently changes the order once', async () => {
    const { id, sessionId } = await purchase();
    setSession(sessionId, id, 'fulfillment_processing');
    await Promise.all(Array.from({ length: 6 }, () => run('sync-crypto-order', { orderId: id })));
    expect(await stored(id)).toMatchObject({ status: 'fulfillment_processing', version: 3 });
    expect(await rows('crypto-order-changed')).toHaveLength(1);
  });

  it('about a session that the api could not store finds its order', async () => {
    const { id, sessionId } = await purchase({ noted: false });
    setSession(sessionId, id, 'requires_payment');
    await run('handle-stripe-event', { id: await webhook(sessionId) });
    expect(await stored(id)).toMatchObject({ status: 'requires_payment', sessionId });
  });

  it('about a session without an order is marked as handled', async () => {
    setSession('cos_foreign', 'none of ours', 'fulfillment_complete');
    const eventId = await webhook('cos_foreign');
    await run('handle-stripe-event', { id: eventId });
    expect((await database.fork().findOneOrFail(StripeEvent, { id: eventId })).handledAt).not.toBeNull();
  });
});

describe('an invalid session', () => {
  it.each([
    ['of another purchase', { metadata: { order_id: '0' } }, /does not match/],
    ['to another wallet', { transaction_details: { wallet_address: 'other' } }, /another wallet/],
    ['of another shape', { status: 7 }, /./],
  ])('%s changes nothing and is not retried', async (_what, wrong, message) => {
    const { id, sessionId } = await purchase();
    setSession(sessionId, id, 'fulfillment_complete');
    Object.assign(sessions.get(sessionId) ?? {}, wrong);
    await expect(run('sync-crypto-order', { orderId: id })).rejects.toMatchObject({
      name: 'UnrecoverableError',
      message: expect.stringMatching(message),
    });
    expect((await stored(id)).status).toBe('initialized');
  });

  it('with an unknown status leaves the order unchanged', async () => {
    const { id, sessionId } = await purchase();
    for (const status of ['error', 'created', 'toString']) {
      setSession(sessionId, id, status);
      await run('sync-crypto-order', { orderId: id });
      expect((await stored(id)).status).toBe('initialized');
    }
  });
});

describe('the sweep of crypto orders', () => {
  const put = (id: string, status: CryptoStatus, changedAt: Date, createdAt = changedAt) =>
    database.fork().nativeUpdate(CryptoOrder, { id }, { status, changedAt, createdAt });
  const ago = (ms: number) => new Date(start.getTime() - ms);
  const swept = async () => {
    await database.fork().nativeDelete(OutboxRow, {});
    await sweepCryptoOrders(context);
    return (await rows('sync-crypto-order')).map(({ data, jobKey }) => [data.orderId, jobKey] as const);
  };

  it('requests a sync of orders without a recent update, not of changed, ended or abandoned ones', async () => {
    await testDatabase.asOwner('delete from crypto_order');
    const lost = await purchase();
    const paid = await purchase();
    await put(lost.id, 'requires_payment', ago(31_000));
    await put(paid.id, 'fulfillment_processing', ago(31_000), ago(60 * dayMs));
    await put((await purchase()).id, 'requires_payment', ago(5000));
    await put((await purchase()).id, 'fulfillment_complete', ago(dayMs));
    await put((await purchase()).id, 'rejected', ago(dayMs));
    await put((await purchase()).id, 'requires_payment', ago(8 * dayMs));
    await purchase({ noted: false });
    expect((await swept()).map(([id]) => id).sort()).toEqual([lost.id, paid.id].sort());
  });

  it('requests the sync of a stalled order with back-off in the first hour, then once an hour', async () => {
    await testDatabase.asOwner('delete from crypto_order');
    const { id } = await purchase();
    await put(id, 'requires_payment', start);
    const keys = new Set<string | null | undefined>();
    const sweepAfter = async (seconds: number) => {
      now = new Date(start.getTime() + seconds * 1000);
      for (const [, key] of await swept()) keys.add(key);
    };
    // After 30 seconds, 1, 2, 4, 8 and 16 minutes: more jobs would only wait behind each other where the worker is slow.
    for (let seconds = 30; seconds <= 20 * 60; seconds += 30) await sweepAfter(seconds);
    expect(keys.size).toBe(6);
    for (const minutes of [65, 90, 115, 125, 150, 175]) await sweepAfter(minutes * 60);
    expect(keys.size).toBe(8);
    // A change restarts the back-off.
    await put(id, 'requires_payment', now);
    await sweepAfter(175 * 60 + 30);
    expect(keys.size).toBe(9);
  });

  it('completes an order whose webhooks were all lost', async () => {
    const { id, sessionId } = await purchase();
    await put(id, 'initialized', ago(60_000));
    setSession(sessionId, id, 'fulfillment_complete');
    for (const [orderId] of await swept()) await run('sync-crypto-order', { orderId }).catch(() => undefined);
    expect(await stored(id)).toMatchObject({ status: 'fulfillment_complete', transactionId: 'tx1' });
  });
});
