import { gzipSync } from 'node:zlib';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure, TestApp } from '../testing/test-app.ts';

let app: TestApp;
let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = (await createTestDatabase()).url;
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: databaseUrl }));
});

afterAll(() => app?.close());

describe("Stripe's webhook", () => {
  const path = '/api/stripe/webhook';
  const { webhooks } = new Stripe('sk_test_sandbox', { telemetry: false });
  const event = {
    id: 'evt_1',
    type: 'payment_intent.succeeded',
    data: { object: { id: 'pi_1', object: 'payment_intent' } },
  };
  const now = () => Math.floor(Date.now() / 1000);
  const signed = (payload: string, options: { secret?: string; timestamp?: number } = {}) =>
    webhooks.generateTestHeaderString({
      payload,
      secret: testEnvironment.STRIPE_WEBHOOK_SECRET,
      timestamp: now(),
      ...options,
    });
  const post = (body: string | Buffer | undefined, signature?: string) =>
    app.visitor.request(
      'POST',
      path,
      { 'content-type': 'application/json', ...(signature ? { 'stripe-signature': signature } : {}) },
      body,
    );
  const stored = () => app.api.database.fork().execute<{ id: string }[]>('select id from stripe_event');

  it('the webhook accepts only events that Stripe signed recently with our secret', async () => {
    const text = JSON.stringify(event);
    expectFailure(await post(text), 400, 'invalid_signature');
    expectFailure(await post(undefined), 400, 'invalid_signature');
    expectFailure(await post(undefined, signed('')), 400, 'malformed_body');
    expectFailure(await post(text, 'x'), 400, 'invalid_signature');
    expectFailure(await post(text, `t=${now()},v1=${'0'.repeat(64)}`), 400, 'invalid_signature');
    expectFailure(await post(text, signed(text, { secret: 'whsec_other' })), 400, 'invalid_signature');
    expectFailure(await post(text, signed(text, { timestamp: now() - 301 })), 400, 'invalid_signature');
    for (const ahead of [310, 600, 365 * 86_400]) {
      expectFailure(await post(text, signed(text, { timestamp: now() + ahead })), 400, 'invalid_signature');
    }
    expectFailure(await post(text.replace('pi_1', 'pi_2'), signed(text)), 400, 'invalid_signature');
    expectFailure(await post(Buffer.from([0xff, 0]), signed(text)), 400, 'invalid_signature');
    expect(await stored()).toEqual([]);
  });

  it('the webhook limits requests of a network without a valid signature, and never signed ones', async () => {
    const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: databaseUrl, TRUST_PROXY: '127.0.0.1' });
    const api = await TestApi.start(env, {
      rateLimitPoints: { unsignedWebhooksPerNetwork: 4, callsPerNetwork: 1 },
    });
    const text = JSON.stringify({ ...event, type: 'customer.created' });
    const send = (from: string, signature?: string, body = text) =>
      api.visitor().request(
        'POST',
        path,
        {
          ...{ 'content-type': 'application/json', 'x-forwarded-for': from },
          ...(signature !== undefined && { 'stripe-signature': signature }),
        },
        body,
      );
    const [attacker, other] = ['203.0.113.1', '203.0.113.2'];
    for (const signature of [undefined, 'x', signed(text, { secret: 'whsec_other' })])
      expectFailure(await send(attacker, signature), 400, 'invalid_signature');
    expectFailure(await send(attacker, signed('x'), 'x'.repeat(2_000_000)), 413, 'body_too_large');
    // A signed event that cannot be read is Stripe's.
    expectFailure(await send(attacker, signed('{'), '{'), 400, 'malformed_body');
    for (const signature of [undefined, 'x', signed(text, { secret: 'whsec_other' })]) {
      const refused = await send(attacker, signature);
      expectFailure(refused, 429, 'too_many_requests');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('connection')).toBe('close');
    }
    expect((await send(attacker, signed(text))).status).toBe(200);
    expectFailure(await send(other, 'x'), 400, 'invalid_signature');
    await api.close();
  });

  it('the webhook refuses malformed events, even signed ones', async () => {
    for (const nonsense of [
      '',
      '{',
      'null',
      '[]',
      '{}',
      '{"id":5,"type":"charge.x","data":{"object":{}}}',
      '{"id":"evt_2","type":"charge.x"}',
      '{"id":"evt_2\\u0000","type":"charge.x","data":{"object":{}}}',
      '{"id":"evt_2","type":"charge.x\\u0000","data":{"object":{}}}',
      '{"id":"evt_2","type":"charge.x","data":{"object":{"object":"payment_intent","id":["pi_1","pi_2"]}}}',
      '{"id":"evt_2","type":"charge.x","data":{"object":{"object":"payment_intent","id":"pi_1\\u0000"}}}',
      '{"id":"evt_2","type":"charge.x","data":{"object":{"object":"payment_intent","id":7}}}',
      '{"id":"evt_2","type":"charge.x","data":{"object":{"object":"charge","payment_intent":{"id":"pi_1 or 1=1"}}}}',
      '{"object":"v2.core.event","id":7,"type":"v1.billing.meter.no_meter_found"}',
      '{"id":"evt_2","type":"charge.x","data":{"object":{"object":"charge","payment_intent":"pi_1 or 1=1"}}}',
    ]) {
      expectFailure(await post(nonsense, signed(nonsense)), 400, 'malformed_body');
    }
    expectFailure(await post('x'.repeat(2_000_000), signed('x')), 413, 'body_too_large');
    expect(await stored()).toEqual([]);
  });

  it('the webhook stores an event once, also when it is delivered repeatedly or concurrently', async () => {
    const text = JSON.stringify(event);
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(text, signed(text))));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(5).fill([200, { received: true }]));
    expect(await stored()).toEqual([{ id: 'evt_1' }]);
    const other = JSON.stringify({ ...event, id: 'evt_9', type: 'customer.created' });
    expect((await post(other, signed(other))).status).toBe(200);
    expect(await stored()).toEqual([{ id: 'evt_1' }]);
  });

  it('the webhook takes the payment of an event whose payment intent is expanded', async () => {
    const object = { id: 'ch_1', object: 'charge', payment_intent: { id: 'pi_expanded', object: 'payment_intent' } };
    const text = JSON.stringify({ id: 'evt_expanded', type: 'charge.captured', data: { object } });
    expect((await post(text, signed(text))).status).toBe(200);
    const sql = `select payment_intent_id from stripe_event where id = 'evt_expanded'`;
    expect(await app.api.database.fork().execute(sql)).toEqual([{ payment_intent_id: 'pi_expanded' }]);
    await app.api.database.fork().execute(`delete from stripe_event where id = 'evt_expanded'`);
  });

  it('the webhook accepts a signed event of a kind that is not used, so that Stripe does not send it for days, and stores nothing', async () => {
    const before = await stored();
    const thin = { object: 'v2.core.event', id: 'evt_thin', type: 'v1.billing.meter.no_meter_found', created: '2026' };
    const text = JSON.stringify(thin);
    expect((await post(text, signed(text))).status).toBe(200);
    expectFailure(await post(text, signed(text, { secret: 'whsec_other' })), 400, 'invalid_signature');
    expect(await stored()).toEqual(before);
  });

  it('the webhook adds the job of an event with it, once', async () => {
    const text = JSON.stringify({ ...event, id: 'evt_3', type: 'charge.refunded' });
    for (let time = 0; time < 2; time += 1) expect((await post(text, signed(text))).status).toBe(200);
    const sql = `select name from bullmq.job where id like 'handle-stripe-event-evt_3-%'`;
    const queued = () => app.api.database.fork().execute<{ name: string }[]>(sql);
    await expect.poll(queued, { timeout: 10_000, interval: 20 }).toEqual([{ name: 'handle-stripe-event' }]);
  });

  it('an event is not accepted while the database does not store it, so that Stripe sends it again', async () => {
    const api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: databaseUrl }));
    const text = JSON.stringify({ ...event, id: 'evt_4' });
    const send = () =>
      api
        .visitor()
        .request('POST', path, { 'content-type': 'application/json', 'stripe-signature': signed(text) }, text);
    const lost = Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
    const failing = vi.spyOn(api.database, 'transaction').mockRejectedValueOnce(lost);
    expectFailure(await send(), 503, 'unavailable');
    failing.mockRestore();
    expect(await stored()).not.toContainEqual({ id: 'evt_4' });
    expect((await send()).status).toBe(200);
    expect(await stored()).toContainEqual({ id: 'evt_4' });
    await api.close();
  });

  it('the webhook stores events of a crypto order under either name', async () => {
    for (const [id, type] of [
      ['evt_21', 'crypto.onramp_session_updated'],
      ['evt_22', 'crypto.onramp_session.updated'],
      ['evt_23', 'crypto.onramp_session.created'],
    ] as const) {
      const object = { id: 'cos_1', object: 'crypto.onramp_session' };
      const text = JSON.stringify({ id, type, data: { object } });
      expect((await post(text, signed(text))).status).toBe(200);
    }
    const known = await app.api.database
      .fork()
      .execute(`select id, onramp_session_id from stripe_event where id like 'evt_2%' order by id`);
    expect(known).toEqual([
      { id: 'evt_21', onramp_session_id: 'cos_1' },
      { id: 'evt_22', onramp_session_id: 'cos_1' },
    ]);
  });

  it.each([
    ['evt_41', 'radar.early_fraud_warning.created'],
    ['evt_42', 'review.closed'],
  ])('the webhook stores %s, %s, with the payment that it is about', async (id, type) => {
    const text = JSON.stringify({ id, type, data: { object: { id: 'thing_1', payment_intent: 'pi_41' } } });
    expect((await post(text, signed(text))).status).toBe(200);
    const known = await app.api.database
      .fork()
      .execute('select id, payment_intent_id from stripe_event where id = ?', [id]);
    expect(known).toEqual([{ id, payment_intent_id: 'pi_41' }]);
  });

  it('the webhook refuses compressed events, and takes them at its path with a query or a slash at its end', async () => {
    const text = JSON.stringify({ ...event, id: 'evt_41' });
    const headers = { 'content-type': 'application/json', 'stripe-signature': signed(text) };
    const packed = { ...headers, 'content-encoding': 'gzip' };
    expectFailure(await app.visitor.request('POST', path, packed, gzipSync(text)), 415, 'unsupported_media_type');
    for (const url of [`${path}/`, `${path}?from=stripe`]) {
      expect((await app.visitor.request('POST', url, headers, text)).status).toBe(200);
    }
  });

  it('webhooks are logged as any other request, a line each', async () => {
    const before = app.api.logged.length;
    const texts = ['evt_51', 'evt_52'].map((id) => JSON.stringify({ ...event, id }));
    await Promise.all(texts.map((text) => post(text, signed(text))));
    await post(texts[0], 'x');
    const lines = () =>
      app.api.logged
        .slice(before)
        .map((line) => JSON.parse(line) as { req: { path: string }; res: { statusCode: number } })
        .filter(({ req }) => req?.path === path);
    await expect.poll(() => lines().map(({ res }) => res.statusCode), { interval: 5 }).toEqual([200, 200, 400]);
    for (const line of lines())
      expect(line).toMatchObject({ msg: 'answered', req: { method: 'POST' }, responseTime: expect.any(Number) });
  });

  it('the webhook accepts POST only', async () => {
    expectFailure(await app.visitor.send('GET', path), 405, 'method_not_allowed');
  });
});

it('the api never failed unexpectedly and logged nothing personal', () => app.expectQuietLog());
