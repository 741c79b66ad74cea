import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import type { User } from '#domain/accounts/account.entity';
import { setRate } from '#domain/rates/set-rate';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { FakeStripe } from '../testing/fake-stripe.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let api: TestApi;
let stripe: FakeStripe;
let admin: User;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  stripe = await FakeStripe.start();
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url });
  api = await TestApi.start({ ...env, stripe: { ...env.stripe, apiUrl: stripe.url } });
  admin = (await api.person('admin')).user;
});

afterAll(async () => {
  await api?.close();
  await stripe?.close();
});

const set = (currency: 'USD' | 'EUR', rate: bigint, ageMs: number) =>
  api.database.transaction((em) =>
    setRate(em, { currency, rate: rate as Rate, setById: admin.id, at: new Date(Date.now() - ageMs) }),
  );
const pay = (browser: TestBrowser, currency: string, key: string) =>
  browser.send(
    'POST',
    '/api/new-account/create-payment-intent',
    { amount: '50', currency },
    { 'idempotency-key': key },
  );

it('a rate without an update for a day is quoted but takes no payments until an admin sets one', async () => {
  const { browser } = await api.person();
  await set('USD', 11_500_000n, 0);
  await set('EUR', 13_300_000n, 0);
  const opened = await pay(browser, 'EUR', 'before');
  expect(opened.status).toBe(201);

  await set('EUR', 13_300_000n, dayMs + 60_000);
  const { body: board } = await browser.send('GET', '/api/rate');
  expect(board.rates).toMatchObject({
    USD: { paused: false, marketSeenAt: null },
    EUR: { paused: true, marketSeenAt: null },
  });
  expect((await browser.send('GET', '/api/rate/eur')).body.paused).toBe(true);
  expect((await browser.send('POST', '/api/quote', { amount: '50', currency: 'eur' })).status).toBe(200);
  expectFailure(await pay(browser, 'EUR', 'during'), 503, 'payments_paused');
  // Payments opened earlier are found again, and the other currency continues.
  expect((await pay(browser, 'EUR', 'before')).body.transferId).toBe(opened.body.transferId);
  expect((await pay(browser, 'USD', 'dollars')).status).toBe(201);

  await set('EUR', 13_310_000n, 0);
  expect((await browser.send('GET', '/api/rate/eur')).body.paused).toBe(false);
  expect((await pay(browser, 'EUR', 'during')).status).toBe(201);
});

it('a euro rate derived from the dollar pauses with it', async () => {
  const { url } = await createTestDatabase();
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url });
  const other = await TestApi.start(env);
  try {
    const { user, browser } = await other.person('admin');
    const at = new Date(Date.now() - dayMs - 60_000);
    await other.database.transaction((em) =>
      setRate(em, { currency: 'USD', rate: 11_500_000n as Rate, setById: user.id, at }),
    );
    expect((await browser.send('GET', '/api/rate/eur')).body).toMatchObject({ source: 'derived', paused: true });
  } finally {
    await other.close();
  }
});
