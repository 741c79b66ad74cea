import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { expectFailure, TestApp } from '../../api/testing/test-app.ts';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';

// Forged and replayed calls of Stripe's webhook. Malformed ones: api/payments/stripe-webhook.test.ts.

let app: TestApp;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
});
afterAll(() => app?.close());

const { webhooks } = new Stripe('sk_test_sandbox', { telemetry: false });
const nowSeconds = () => Math.floor(Date.now() / 1000);
const textOf = (id: string, status = 'succeeded') =>
  JSON.stringify({
    ...{ id, type: 'payment_intent.succeeded' },
    data: { object: { id: app.ids.intentId, object: 'payment_intent', status, amount_received: 2000 } },
  });
const signed = (payload: string, { secret = testEnvironment.STRIPE_WEBHOOK_SECRET, timestamp = nowSeconds() } = {}) =>
  webhooks.generateTestHeaderString({ payload, secret, timestamp });
const post = (body: string, signature?: string) => {
  const headers = {
    'content-type': 'application/json',
    ...(signature !== undefined && { 'stripe-signature': signature }),
  };
  return app.visitor.request('POST', '/api/stripe/webhook', headers, body);
};

/** Number of database connections requested during `work`. */
async function connectionsDuring(work: () => Promise<unknown>): Promise<number> {
  const pool = await app.api.database.pool();
  let count = 0;
  const note = () => {
    count += 1;
  };
  pool.on('acquire', note);
  await work();
  pool.off('acquire', note);
  return count;
}

it('a forged signature is refused before any statement is sent to the database', async () => {
  const text = textOf('evt_forged');
  const forged = [
    undefined,
    '',
    't=1,v1=0',
    `t=${nowSeconds()},v1=${'0'.repeat(64)}`,
    `t=${nowSeconds()},v0=${'0'.repeat(64)}`,
    signed(text, { secret: 'whsec_other' }),
    signed(textOf('evt_other')),
    signed(text, { timestamp: nowSeconds() - 301 }),
    signed(text, { timestamp: nowSeconds() + 310 }),
  ];
  // The process checks its outbox periodically, so repeat each attempt until only the attack happens during it.
  for (const signature of forged) {
    const attack = async () => expectFailure(await post(text, signature), 400, 'invalid_signature');
    await expect.poll(() => connectionsDuring(attack), { message: signature, timeout: 10_000 }).toBe(0);
  }
  expect(await connectionsDuring(() => post(text, signed(text)))).toBeGreaterThan(0);
});

it('an event that is delivered again, unchanged or with other contents, is stored once and changes nothing', async () => {
  const text = textOf('evt_replayed');
  const signature = signed(text);
  const stored = () =>
    app.api.database.fork().execute("select * from stripe_event where id = 'evt_replayed'") as Promise<unknown[]>;
  expect((await post(text, signature)).status).toBe(200);
  const first = await stored();
  for (let time = 0; time < 5; time += 1) expect((await post(text, signature)).status).toBe(200);
  const other = textOf('evt_replayed', 'canceled');
  expect((await post(other, signed(other))).status).toBe(200);
  expect(await stored()).toEqual(first);
  // The captured request itself is worth nothing five minutes later.
  expectFailure(await post(text, signed(text, { timestamp: nowSeconds() - 301 })), 400, 'invalid_signature');
});

it('the payload of an event is not trusted: the transfer follows Stripe’s API', async () => {
  const text = textOf('evt_lie');
  expect((await post(text, signed(text))).status).toBe(200);
  const transfer = await app.sender.send('GET', `/api/transactions/${app.ids.transferId}`);
  expect(transfer.body).toMatchObject({
    id: app.ids.transferId,
    status: expect.stringMatching(/^(awaiting_payment|pending|created)/),
  });
  const columns = await app.api.database
    .fork()
    .execute("select to_jsonb(e) as row from stripe_event e where id = 'evt_lie'");
  expect(JSON.stringify(columns)).not.toContain('"succeeded"');
});
