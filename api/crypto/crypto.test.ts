import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CryptoOrderView } from '#core/contracts/http/crypto';
import type { User } from '#domain/accounts/account.entity';
import { CryptoOrder } from '#domain/crypto/crypto-order.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { FakeStripe } from '../testing/fake-stripe.ts';
import { sampleCryptoRequest } from '../testing/request-fixtures.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

const wallet = testEnvironment.CRYPTO_WALLET_ADDRESS;
const open = '/api/create-onramp-session';

let api: TestApi;
let stripe: FakeStripe;
let buyer: TestBrowser;
let user: User;
let testDatabase: TestDatabase;

beforeAll(async () => {
  stripe = await FakeStripe.start();
  testDatabase = await createTestDatabase();
  api = await TestApi.start(
    readApiConfiguration({
      ...testEnvironment,
      ...{ DATABASE_URL: testDatabase.url, STRIPE_API_URL: stripe.url, TRUST_PROXY: '127.0.0.1' },
    }),
  );
});
afterAll(async () => {
  await api?.close();
  await stripe?.close();
});
beforeEach(async () => {
  stripe.setDown(false);
  ({ browser: buyer, user } = await api.person());
});

const buy = (more: object = {}, key: string = randomUUID()) =>
  buyer.send('POST', open, { ...sampleCryptoRequest(wallet), ...more }, { 'idempotency-key': key });
const orders = () => api.database.fork().find(CryptoOrder, { userId: user.id });
const sessionsMade = () => [...stripe.intents.keys()].filter((key) => key.startsWith('onramp:')).length;

describe('opening a purchase', () => {
  it('opening a crypto order tells Stripe the buyer’s address, as the trusted proxy says', async () => {
    const headers = { 'idempotency-key': randomUUID(), 'x-forwarded-for': '8.8.8.8' };
    const { body } = await buyer.send('POST', open, sampleCryptoRequest(wallet), headers);
    const session = [...stripe.intents.values()].find((one) => one.client_secret === body.clientSecret);
    expect(session).toMatchObject({ customer_ip_address: '8.8.8.8', 'metadata[order_id]': body.orderId });
  });

  it('opening a crypto order stores it, asks Stripe for USDC on Solana to the configured wallet, and stores no secret', async () => {
    const { status, body } = await buy();
    expect(status).toBe(201);
    expect(body.order).toMatchObject({
      id: body.orderId,
      version: 2,
      amount: '50.00',
      paidAmount: null,
      destinationCurrency: 'usdc',
      destinationNetwork: 'solana',
      walletAddress: wallet,
      destinationAmount: null,
      fees: null,
      status: 'initialized',
      transactionId: null,
    });
    const session = stripe.intents.get(`onramp:${body.orderId}`);
    expect(session).toMatchObject({
      client_secret: body.clientSecret,
      source_currency: 'usd',
      source_amount: '50.00',
      destination_currency: 'usdc',
      destination_network: 'solana',
      'destination_currencies[0]': 'usdc',
      'destination_networks[0]': 'solana',
      'wallet_addresses[solana]': wallet,
      lock_wallet_address: 'true',
      'metadata[order_id]': body.orderId,
    });
    const [{ found } = { found: true }] = await api.database
      .fork()
      .execute<{ found: boolean }[]>(`select exists (select from crypto_order o where o::text like ?) as found`, [
        `%${body.clientSecret}%`,
      ]);
    expect(found).toBe(false);
  });

  it('opening a crypto order makes one order and session for one key, also at once, and refuses the key for another request', async () => {
    const before = sessionsMade();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 4 }, () => buy({}, key)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.orderId} ${body.clientSecret}`)).size).toBe(1);
    expect(await orders()).toHaveLength(1);
    expect(sessionsMade() - before).toBe(1);
    expectFailure(await buy({ amount: '51' }, key), 409, 'idempotency_key_reused');
    // A key is its owner's.
    const { browser: other } = await api.person();
    const answer = await other.send('POST', open, sampleCryptoRequest(wallet), { 'idempotency-key': key });
    expect(answer.status).toBe(201);
  });

  it.each([
    ['another crypto currency', { destinationCurrency: 'sol' }],
    ['another network', { destinationNetwork: 'ethereum' }],
    ['another wallet', { walletAddress: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' }],
  ])('opening a crypto order with %s is refused and nothing is stored', async (_what, more) => {
    const before = sessionsMade();
    expectFailure(await buy(more), 422, 'crypto_destination_refused');
    expect(await orders()).toEqual([]);
    expect(sessionsMade()).toBe(before);
  });

  it.each(['9.99', '3000.01'])('opening a crypto order of %s dollars is refused', async (amount) => {
    expectFailure(await buy({ amount }), 422, 'crypto_amount_out_of_range');
    expect(await orders()).toEqual([]);
  });

  it.each(['10', '3000'])('opening a crypto order of %s dollars is accepted', async (amount) => {
    expect((await buy({ amount })).status).toBe(201);
  });

  it('opening a crypto order while Stripe is down fails, keeps the order, and the same key resumes it', async () => {
    const key = randomUUID();
    stripe.setDown(true);
    expectFailure(await buy({}, key), 502, 'onramp_not_started');
    expect(await orders()).toMatchObject([{ status: 'created', sessionId: null }]);
    stripe.setDown(false);
    const { body } = await buy({}, key);
    expect(body.order.status).toBe('initialized');
    expect(await orders()).toHaveLength(1);
  });

  it('opening a crypto order is impossible where no wallet is configured, and the configuration of the page says so', async () => {
    const env = { ...testEnvironment, DATABASE_URL: testDatabase.url, CRYPTO_WALLET_ADDRESS: '' };
    const poor = await TestApi.start(readApiConfiguration(env));
    try {
      const { browser } = await poor.person();
      expectFailure(await browser.send('POST', open, sampleCryptoRequest(wallet)), 503, 'crypto_unavailable');
      const config = await poor.visitor().send('GET', '/api/crypto/config');
      expect(config.body).toMatchObject({ available: false, walletAddress: null });
    } finally {
      await poor.close();
    }
  });
});

describe('purchases', () => {
  it('crypto orders are listed page by page, newest first, the person’s own', async () => {
    const ids: string[] = [];
    for (const amount of ['11', '12', '13']) ids.unshift((await buy({ amount })).body.orderId);
    const { browser: other } = await api.person();
    await other.send('POST', open, sampleCryptoRequest(wallet));
    const first = (await buyer.send('GET', '/api/crypto-orders?limit=2')).body;
    const second = (await buyer.send('GET', `/api/crypto-orders?limit=2&cursor=${first.nextCursor}`)).body;
    expect([...first.items, ...second.items].map(({ id }: CryptoOrderView) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    expectFailure(await buyer.send('GET', '/api/crypto-orders?cursor=x'), 400, 'invalid_input');
  });

  it('open crypto orders are refreshed from Stripe at the request of their page', async () => {
    const { body } = await buy();
    const refresh = () => buyer.send('POST', `/api/crypto-orders/${body.orderId}/refresh`);
    // The relay takes rows at once; a copy says that there was one.
    await testDatabase.asOwner(`
      create table asked as select name, data from outbox where false;
      create function copy_asked() returns trigger language plpgsql as
        $$ begin insert into asked values (new.name, new.data); return new; end $$;
      grant select, insert on asked to public;
      create trigger copy_asked after insert on outbox for each row execute function copy_asked();
    `);
    const copies = async () =>
      (
        await api.database
          .fork()
          .execute(`select from asked where data ->> 'orderId' = ? and name = 'sync-crypto-order'`, [body.orderId])
      ).length;
    try {
      expect((await refresh()).body).toMatchObject({ id: body.orderId, status: 'initialized' });
      expect(await copies()).toBe(1);
      await api.database.fork().nativeUpdate(CryptoOrder, { id: body.orderId }, { status: 'fulfillment_complete' });
      expect((await refresh()).body.status).toBe('fulfillment_complete');
      expect(await copies()).toBe(1);
    } finally {
      await testDatabase.asOwner('drop trigger copy_asked on outbox; drop function copy_asked; drop table asked');
    }
  });
});
