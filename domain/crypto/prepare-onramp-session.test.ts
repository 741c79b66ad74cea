import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#platform/database/database';
import { createLogger } from '#platform/logging';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { startStripe, type TestStripe } from '../../sandbox/testing/start-stripe.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../database.ts';
import { CryptoOrder } from './crypto-order.entity.ts';
import { openCryptoOrder } from './crypto-order.repository.ts';
import { OnrampSessions } from './prepare-onramp-session.ts';

const walletAddress = 'ChasquiDemo111111111111111111111111111111111';
let testDatabase: TestDatabase;
let database: Database;
let stripe: TestStripe;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 4 });
  stripe = await startStripe();
});
afterAll(async () => {
  await stripe?.close();
  await database?.close();
  await testDatabase?.drop();
});
afterEach(() => stripe.clearFaults());

async function newOrder(): Promise<CryptoOrder> {
  const { id: userId } = await createTestUser(database);
  const input = { userId, amountMinor: 5000n, walletAddress, inputHash: 'x', idempotencyKey: null };
  return database.transaction(async (em) => openCryptoOrder(em, { ...input, at: new Date() }));
}

const sessions = () => new OnrampSessions(database, stripe.sdk, createLogger('api', 'silent'));
const reread = ({ id }: CryptoOrder) => database.fork().findOneOrFail(CryptoOrder, { id });
const made = () => stripe.calls.filter(({ method }) => method === 'POST').length;

describe('an onramp session', () => {
  it('is rejected before Stripe’s form only from unsupported countries', async () => {
    const refused = sessions().prepare(await newOrder(), '190.129.0.1');
    await expect(refused).rejects.toMatchObject({ code: 'crypto_unavailable' });
    for (const address of ['8.8.8.8', undefined]) {
      expect(await sessions().prepare(await newOrder(), address)).toContain('_secret_');
    }
  });

  it.each(['127.0.0.1', '10.1.2.3', 'fe80::1'])(
    'is created without the address %s, which is not public',
    async (address) => {
      const order = await newOrder();
      await sessions().prepare(order, address);
      expect(stripe.calls.at(-1)?.idempotencyKey).toBe(`onramp:${order.id}`);
    },
  );

  it('that failed is created again from another address, and then is the only one', async () => {
    const order = await newOrder();
    stripe.failNext({ kind: 'error', status: 500, path: 'onramp_sessions$', method: 'POST' });
    await expect(sessions().prepare(order, '8.8.8.8')).rejects.toMatchObject({ code: 'onramp_not_started' });
    const secret = await sessions().prepare(order, '1.1.1.1');
    const before = made();
    expect(await sessions().prepare(await reread(order), '8.8.4.4')).toBe(secret);
    expect(made()).toBe(before);
  });

  it('is the same for two concurrent requests from two addresses', async () => {
    const order = await newOrder();
    const [one, other] = await Promise.all(
      ['8.8.8.8', '2606:4700::1111'].map((address) => sessions().prepare(order, address)),
    );
    expect(one).toBe(other);
    expect(one).toContain(String((await reread(order)).sessionId));
  });
});
