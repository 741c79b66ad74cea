import { randomUUID } from 'node:crypto';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints, failureView } from '#core/contracts/http/endpoints';
import { readEnv } from '#platform/env';
import { createTestDatabase } from '../infra/testing/database.ts';
import { testEnvironment } from '../infra/testing/environment.ts';
import { StripeStandIn } from './testing/stripe-stand-in.ts';
import { TestApi, testPassword } from './testing/test-api.ts';
import type { Answer, TestBrowser } from './testing/test-browser.ts';

type EndpointName = keyof typeof endpoints;
const table = Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][];

/** Things of the sender and of somebody else that samples refer to; filled in before the tests run. */
const things = {
  recipientId: '',
  otherRecipientId: '',
  transferId: '',
  otherTransferId: '',
  intentId: '',
  otherIntentId: '',
};

const recipient = {
  name: 'Rosa Mamani',
  email: '',
  phone: '+591 71234567',
  ci: '4567890',
  bankName: 'Banco Unión',
  bankAccount: '10000012345678',
  address: 'Av. Buenos Aires 1450',
  city: 'La Paz',
  relationship: 'Mamá',
};

interface Sample {
  params?: () => Record<string, string>;
  body?: () => Record<string, unknown>;
  /** Status of the call as it should be made; success of the contract when absent. */
  status?: number;
}

/** A correct call of every endpoint: what the attacks below change one thing of. A new endpoint does not compile without. */
const samples: Record<EndpointName, Sample> = {
  register: {
    body: () => ({ name: 'Nueva', email: `${randomUUID()}@example.com`, password: testPassword, acceptedTerms: true }),
  },
  login: { body: () => ({ email: `${randomUUID()}@example.com`, password: testPassword }), status: 401 },
  logout: {},
  me: {},
  listRecipients: {},
  createRecipient: { body: () => recipient },
  updateRecipient: { params: () => ({ id: things.recipientId }), body: () => recipient },
  deleteRecipient: { params: () => ({ id: things.recipientId }) },
  getRates: {},
  getRate: { params: () => ({ currency: 'eur' }) },
  quote: { body: () => ({ amount: '100', currency: 'EUR' }) },
  dashboard: {},
  listTransfers: {},
  getTransfer: { params: () => ({ id: things.transferId }) },
  paymentConfig: {},
  createPaymentIntent: { body: () => ({ amount: '10', currency: 'eur', recipientId: things.recipientId }) },
  paymentStatus: { params: () => ({ paymentIntentId: things.intentId }) },
  confirmTransaction: { body: () => ({ paymentIntentId: things.intentId }), status: 409 },
  adminTransfers: {},
  adminUsers: {},
  adminStats: {},
  setRate: { body: () => ({ rate: '13.38', currency: 'EUR' }) },
  rateHistory: {},
  approve: { params: () => ({ id: things.transferId }), status: 409 },
  reject: { params: () => ({ id: things.transferId }), body: () => ({ reason: 'No' }), status: 409 },
  refresh: {},
  live: {},
  ready: {},
};

let api: TestApi;
let stripe: StripeStandIn;
let visitor: TestBrowser;
let sender: TestBrowser;
let admin: TestBrowser;

beforeAll(async () => {
  stripe = await StripeStandIn.start();
  const { url } = await createTestDatabase();
  const env = readEnv({
    ...testEnvironment,
    DATABASE_URL: url,
    STRIPE_API_URL: stripe.url,
    LIMIT_DAY_USD: '100000',
    LIMIT_MONTH_USD: '100000',
  });
  const generous = { perEmail: 1000, perIp: 10_000, signUpsPerIp: 10_000 };
  api = await TestApi.start(env, { attemptLimits: generous });
  visitor = api.visitor();
  const one = await api.person();
  const other = await api.person();
  const boss = await api.person('admin', 'Ana Quispe');
  sender = one.browser;
  admin = boss.browser;
  await api.setRates(boss.user, 13_380_000n);
  things.recipientId = (await sender.send('POST', '/api/recipients', recipient)).body.id;
  things.otherRecipientId = (await other.browser.send('POST', '/api/recipients', recipient)).body.id;
  const pay = '/api/new-account/create-payment-intent';
  const own = await sender.send('POST', pay, { amount: '20', currency: 'usd', recipientId: things.recipientId });
  const others = await other.browser.send('POST', pay, { amount: '20', currency: 'usd' });
  Object.assign(things, { transferId: own.body.transferId, intentId: own.body.paymentIntentId });
  Object.assign(things, { otherTransferId: others.body.transferId, otherIntentId: others.body.paymentIntentId });
});

afterAll(async () => {
  await api?.close();
  await stripe?.close();
});

/** Who may make the call. */
function allowed(endpoint: Endpoint): TestBrowser {
  if (endpoint.access === 'public') return visitor;
  return endpoint.access === 'admin' ? admin : sender;
}

function pathOf(name: EndpointName, endpoint: Endpoint, params = samples[name].params?.() ?? {}): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, param) => params[param] ?? '');
}

function call(name: EndpointName, endpoint: Endpoint, browser: TestBrowser, headers: Record<string, string> = {}) {
  return browser.send(endpoint.method, pathOf(name, endpoint), samples[name].body?.(), headers);
}

/** A failure of the closed list, as the contract says it looks. */
function expectFailure(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  expect(failureView.safeParse(answer.body).error).toBeUndefined();
}

const changes = (endpoint: Endpoint) => endpoint.method !== 'GET';

describe.each(table)('%s', (name, endpoint) => {
  const sample = samples[name];

  it.runIf(endpoint.access !== 'public')('asks to sign in', async () => {
    expectFailure(await call(name, endpoint, visitor), 401, 'unauthenticated');
    const stranger = api.visitor();
    for (const secret of ['', 'x', 'A'.repeat(43), `${'A'.repeat(43)}%00`]) {
      stranger.cookie = `chasqui_session=${secret}`;
      expectFailure(await call(name, endpoint, stranger), 401, 'unauthenticated');
    }
  });

  it.runIf(endpoint.access === 'admin')('is not for senders', async () => {
    expectFailure(await call(name, endpoint, sender), 403, 'forbidden');
  });

  it.runIf(changes(endpoint))('refuses calls caused by other sites', async () => {
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${api.url}.evil.example` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) {
      expectFailure(await call(name, endpoint, allowed(endpoint), headers), 403, 'wrong_origin');
    }
  });

  it('knows its methods', async () => {
    const path = pathOf(name, endpoint);
    const served = table
      .filter(([other, { path: served }]) => served === endpoint.path || other === name)
      .map(([, e]) => e.method);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (served.includes(method as Endpoint['method'])) continue;
      const answer = await allowed(endpoint).send(method, path);
      expectFailure(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...new Set(served)].sort());
    }
  });

  it.runIf(endpoint.body)('reads JSON objects of a reasonable size only', async () => {
    const path = pathOf(name, endpoint);
    const browser = allowed(endpoint);
    const json = { 'content-type': 'application/json' };
    const text = JSON.stringify(sample.body?.());
    const raw = (body: string | Buffer, headers: Record<string, string> = json) =>
      browser.request(endpoint.method, path, headers, body);
    for (const broken of [
      '{',
      '{"a":}',
      text.slice(0, -1),
      'amount=1',
      '"text"',
      '12',
      'null',
      Buffer.from([0xff, 0xfe, 0]),
    ]) {
      expectFailure(await raw(broken), 400, 'malformed_body');
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/html',
    ]) {
      expectFailure(await raw(text, { 'content-type': type }), 415, 'unsupported_media_type');
    }
    expectFailure(
      await raw(text, { 'content-type': 'application/json; charset=klingon' }),
      415,
      'unsupported_media_type',
    );
    expectFailure(await raw(text, { ...json, 'content-encoding': 'klingon' }), 415, 'unsupported_media_type');
    expectFailure(await raw(text, { ...json, 'content-encoding': 'gzip' }), 415, 'unsupported_media_type');
    expectFailure(await raw(JSON.stringify({ ...sample.body?.(), more: 'x'.repeat(100_000) })), 413, 'body_too_large');
    expectFailure(await raw('[]'), 400, 'invalid_input');
    const deep = `{"userDetails":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    expect((await raw(deep)).status).toBeLessThan(500);
  });

  it.runIf(endpoint.params)('refuses ids that are none', async () => {
    for (const param of Object.keys(endpoint.params?.shape ?? {})) {
      for (const bad of [
        'x',
        '0',
        '-1',
        'null',
        '%00',
        'pi_%00',
        `${'9'.repeat(500)}`,
        "'--",
        '%F0%9F%92%A9',
        randomUUID().slice(1),
      ]) {
        const path = pathOf(name, endpoint, { [param]: bad });
        const answer = await allowed(endpoint).send(endpoint.method, path, sample.body?.());
        expectFailure(answer, 400, 'invalid_input');
        expect(Object.keys(answer.body.fields)).toEqual([param]);
      }
      const broken = await allowed(endpoint).send(endpoint.method, pathOf(name, endpoint, { [param]: '%E0%A4%A' }));
      expectFailure(broken, 404, 'not_found');
    }
  });

  it.runIf(endpoint.query)('refuses a query that makes no sense', async () => {
    const fields = Object.keys(endpoint.query?.shape ?? {});
    const attacks: Record<string, string[]> = {
      limit: ['0', '-1', '101', '1.5', 'abc', '', '1e9', '9'.repeat(400), '%00'],
      cursor: [
        'x',
        '%00',
        '""',
        `${'A'.repeat(201)}`,
        Buffer.from(`2026-01-01T00:00:00.000Z ${'x'.repeat(36)}`).toString('base64url'),
        Buffer.from(`x ${randomUUID()}`).toString('base64url'),
        Buffer.from(`-5`).toString('base64url'),
        Buffer.from(`+275760-09-13T00:00:00.000Z ${randomUUID()}`).toString('base64url'),
      ],
      search: ['%00', `a%00b`, 'x'.repeat(101)],
      status: ['x', '', '%00', 'in_review'],
      currency: ['BOB', '', '%00'],
    };
    for (const field of fields) {
      const values = attacks[field];
      if (!values) throw new Error(`no attack on the query's ${field}`);
      for (const bad of [...values, `1&${field}=2`]) {
        const answer = await allowed(endpoint).send('GET', `${endpoint.path}?${field}=${bad}`);
        expectFailure(answer, 400, 'invalid_input');
        expect(Object.keys(answer.body.fields)).toEqual([field]);
      }
    }
    const harmless = await allowed(endpoint).send('GET', `${endpoint.path}?more=1&__proto__=x&limit=1`);
    expect(harmless.status).toBe(200);
  });

  it('answers a correct call, and drops what it does not know', async () => {
    const body = sample.body?.();
    const extended = body && { ...body, unknown: 'x', role: 'admin', id: randomUUID(), __proto__: { polluted: true } };
    // The recipient that is deleted here is a fresh one: others still need theirs.
    const params =
      name === 'deleteRecipient'
        ? { id: (await sender.send('POST', '/api/recipients', recipient)).body.id }
        : undefined;
    const browser = name === 'logout' ? visitor : allowed(endpoint);
    const answer = await browser.send(endpoint.method, pathOf(name, endpoint, params), extended);
    expect(answer.status, JSON.stringify(answer.body)).toBe(
      sample.status ?? endpoint.status ?? (endpoint.response ? 200 : 204),
    );
    if (name === 'register') expect(answer.body.user.role).toBe('user');
  });
});

/** Values that are wrong for a field, and what is called wrong. `undefined` leaves the field out. */
const anything = [null, [], {}, true, -1, 'x\0y', 'x'.repeat(5000)] as const;
const wrongFields: Partial<Record<EndpointName, Record<string, readonly unknown[]>>> = {
  register: {
    name: [undefined, '', 'A', ' A ', ...anything],
    email: [undefined, '', 'x', 'a@b', 'a@b.c d', 'a@@example.com', `${'a'.repeat(250)}@example.com`, ...anything],
    password: [undefined, '', 'corta', 'x'.repeat(201), ...anything.filter((value) => typeof value !== 'string')],
    acceptedTerms: [undefined, false, 'true', 1, null, [], {}],
    phone: ['x'.repeat(31), null, 5, [], 'x\0y'],
    city: ['x'.repeat(81), null, 5, [], 'x\0y'],
    occupation: ['', 'astronauta', null, 5],
  },
  login: {
    email: [undefined, '', 'x', ...anything],
    password: [undefined, '', null, 5, [], {}, 'x'.repeat(201)],
    remember: ['yes', 1, null],
  },
  createRecipient: {
    name: [undefined, '', 'A', '  ', 'x\ny', ...anything],
    email: ['x', null, 5, [], 'a@b'],
    phone: [undefined, '', '1234567', 'abcdefgh', '0'.repeat(21), ...anything],
    ci: [undefined, '', '1234', '1'.repeat(21), "1234'; --", ...anything],
    bankName: [undefined, '', 'B', ...anything],
    bankAccount: [undefined, '', '1234', 'IBAN12345', '1'.repeat(31), ...anything],
    address: [undefined, '', 'Av.', ...anything],
    city: [undefined, '', 'L', ...anything],
    relationship: [null, 5, 'x'.repeat(41), 'x\0y'],
  },
  quote: {
    amount: [
      undefined,
      '',
      '0',
      '0.00',
      0,
      '-5',
      '10.001',
      10.001,
      '1e3',
      '1,000',
      '٣',
      'Infinity',
      '999999999999',
      1e21,
      2 ** 53,
      ...anything,
    ],
    currency: [undefined, '', 'BOB', 'EURO', 1, ...anything],
  },
  createPaymentIntent: {
    amount: [undefined, '', '0', '-5', '10.001', '1e3', '1000000', 1e300, ...anything],
    currency: [undefined, '', 'bob', ...anything],
    recipientId: ['x', '1', null, 5, [], 'x\0y'],
    exchangeRate: ['x', '0', 0, '-1', '1e3', '10000', '1.1234567', null, [], 'x\0y'],
    birthDate: ['', 'x', '17-05-1990', '1990-13-01', '1990-02-30', '19900-01-01', null, 5, 'x\0y'],
  },
  confirmTransaction: {
    paymentIntentId: [undefined, '', 'x', 'pi_', 'pi_%00', 'pi_\0', `pi_${'x'.repeat(101)}`, 'pi_1/../2', ...anything],
  },
  setRate: {
    rate: [undefined, '', '0', 0, '-1', '13.385', 13.385, '1e1', '1001', 'Infinity', '٣', ...anything],
    currency: ['', 'BOB', ...anything],
  },
  reject: { reason: [null, 5, [], {}, 'x'.repeat(301), 'x\0y'] },
};
wrongFields.updateRecipient = wrongFields.createRecipient as Record<string, readonly unknown[]>;

const bodied = table.filter(([, endpoint]) => endpoint.body);

it('attacks every field of every body', () => {
  const missed = bodied.flatMap(([name, endpoint]) => {
    const schema = endpoint.body as { shape?: object; def?: { innerType?: { shape?: object } } };
    const fields = Object.keys(schema.shape ?? schema.def?.innerType?.shape ?? {});
    return fields.filter((field) => !wrongFields[name]?.[field]).map((field) => `${name}.${field}`);
  });
  // Sent by older clients and not read.
  expect(
    missed.filter((field) => !/\.(userDetails|recipientDetails|userId|adminEmail)$|^confirmTransaction\./.test(field)),
  ).toEqual([]);
});

describe.each(bodied)('the body of %s', (name, endpoint) => {
  const cases = Object.entries(wrongFields[name] ?? {}).flatMap(([field, values]) =>
    values.map((value) => [field, JSON.stringify(value)?.slice(0, 40) ?? 'nothing', value] as const),
  );
  it.each(cases)('refuses %s of %s', async (field, _shown, value) => {
    const body = { ...samples[name].body?.(), [field]: value };
    const answer = await allowed(endpoint).send(endpoint.method, pathOf(name, endpoint), body);
    expectFailure(answer, 400, 'invalid_input');
    expect(Object.keys(answer.body.fields)).toEqual([field]);
    expect(answer.body.fields[field]).not.toBe('');
  });
});

describe("another person's things do not exist", () => {
  const pay = '/api/new-account/create-payment-intent';
  const attempts: [string, () => Promise<Answer>][] = [
    ['recipient to change', () => sender.send('PUT', `/api/recipients/${things.otherRecipientId}`, recipient)],
    ['recipient to remove', () => sender.send('DELETE', `/api/recipients/${things.otherRecipientId}`)],
    ['transfer', () => sender.send('GET', `/api/transactions/${things.otherTransferId}`)],
    ['payment to look at', () => sender.send('GET', `/api/new-account/payment-status/${things.otherIntentId}`)],
    [
      'payment to confirm',
      () => sender.send('POST', '/api/new-account/confirm-transaction', { paymentIntentId: things.otherIntentId }),
    ],
    [
      'recipient to pay',
      () => sender.send('POST', pay, { amount: '10', currency: 'eur', recipientId: things.otherRecipientId }),
    ],
    ['recipient that is nobody’s', () => sender.send('PUT', `/api/recipients/${randomUUID()}`, recipient)],
    ['transfer to approve', () => admin.send('POST', `/api/admin/transactions/${randomUUID()}/approve`)],
    ['transfer to reject', () => admin.send('POST', `/api/admin/transactions/${randomUUID()}/reject`, {})],
    ['transfer, even for an admin as sender', () => admin.send('GET', `/api/transactions/${things.transferId}`)],
  ];
  it.each(attempts)('%s', async (_what, attempt) => {
    expectFailure(await attempt(), 404, 'not_found');
  });
});

describe("Stripe's door", () => {
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
    visitor.request(
      'POST',
      path,
      { 'content-type': 'application/json', ...(signature ? { 'stripe-signature': signature } : {}) },
      body,
    );
  const stored = () => api.database.read().execute<{ id: string }[]>('select id from stripe_event');

  it('takes only what Stripe signed, lately and for us', async () => {
    const text = JSON.stringify(event);
    expectFailure(await post(text), 400, 'invalid_signature');
    expectFailure(await post(undefined), 400, 'invalid_signature');
    expectFailure(await post(undefined, signed('')), 400, 'malformed_body');
    expectFailure(await post(text, 'x'), 400, 'invalid_signature');
    expectFailure(await post(text, `t=${now()},v1=${'0'.repeat(64)}`), 400, 'invalid_signature');
    expectFailure(await post(text, signed(text, { secret: 'whsec_other' })), 400, 'invalid_signature');
    expectFailure(await post(text, signed(text, { timestamp: now() - 301 })), 400, 'invalid_signature');
    expectFailure(await post(text.replace('pi_1', 'pi_2'), signed(text)), 400, 'invalid_signature');
    expectFailure(await post(Buffer.from([0xff, 0]), signed(text)), 400, 'invalid_signature');
    expect(await stored()).toEqual([]);
  });

  it('takes no nonsense, even signed', async () => {
    for (const nonsense of [
      '',
      '{',
      'null',
      '[]',
      '{}',
      '{"id":5,"type":"charge.x","data":{"object":{}}}',
      '{"id":"evt_2","type":"charge.x"}',
      '{"id":"evt_2\\u0000","type":"charge.x","data":{"object":{}}}',
    ]) {
      expectFailure(await post(nonsense, signed(nonsense)), 400, 'malformed_body');
    }
    expectFailure(await post('x'.repeat(2_000_000), signed('x')), 413, 'body_too_large');
    expect(await stored()).toEqual([]);
  });

  it('writes an event down once, however often it comes, also at the same instant', async () => {
    const text = JSON.stringify(event);
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(text, signed(text))));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(5).fill([200, { received: true }]));
    expect(await stored()).toEqual([{ id: 'evt_1' }]);
    const other = JSON.stringify({ ...event, id: 'evt_9', type: 'customer.created' });
    expect((await post(other, signed(other))).status).toBe(200);
    expect(await stored()).toEqual([{ id: 'evt_1' }]);
  });

  it('is opened by POST alone', async () => {
    expectFailure(await visitor.send('GET', path), 405, 'method_not_allowed');
  });
});

describe('the rest of the street', () => {
  it('knows no other path under /api', async () => {
    for (const path of ['/api', '/api/', '/api/x', '/api/admin', '/api/recipients/a/b', '/api/__proto__', '/api/%00']) {
      expectFailure(await sender.send('GET', path), 404, 'not_found');
      expectFailure(await sender.send('POST', path, {}), 404, 'not_found');
    }
  });

  it('shows the queue dashboard to admins only', async () => {
    const board = '/ops/queues/api/queues';
    expectFailure(await visitor.send('GET', board), 401, 'unauthenticated');
    expectFailure(await sender.send('GET', board), 403, 'forbidden');
    expectFailure(
      await admin.send('PUT', `${board}/sweeps/pause`, undefined, { origin: 'https://evil.example' }),
      403,
      'wrong_origin',
    );
    const page = await visitor.request('GET', '/ops/queues', { accept: 'text/html' });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/login?next=%2Fops%2Fqueues']);
    const list = await admin.send('GET', board);
    expect(list.body.queues.map(({ name }: { name: string }) => name)).toContain('decisions');
    expect((await admin.request('GET', '/ops/queues')).body).toContain('Chasqui');
  });

  it('refuses an Idempotency-Key that is none', async () => {
    for (const key of ['x'.repeat(256), 'a b', 'ñ']) {
      const body = samples.createPaymentIntent.body?.();
      const answer = await sender.send('POST', endpoints.createPaymentIntent.path, body, { 'idempotency-key': key });
      expectFailure(answer, 400, 'invalid_input');
    }
  });
});

it('never failed unexpectedly, and wrote nothing personal down', () => {
  const lines = (part: string | RegExp) => api.logged.filter((line) => line.search(part) >= 0);
  expect(lines(/failed unexpectedly|"statusCode":5/)).toEqual([]);
  const secret = sender.cookie.split('=')[1] ?? '';
  for (const personal of ['@example', 'Rosa Mamani', '71234567', '10000012345678', testPassword, '_secret_', secret]) {
    expect(lines(personal)).toEqual([]);
  }
});
