import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { laPazDay } from '#core/time/time';
import { SandboxClient } from '../testing/sandbox-client.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start();
});
afterAll(() => client.close());
beforeEach(() => client.control('POST', '/reset'));

const ORDER = {
  externalId: 'transfer-1',
  amount: '1291.40',
  currency: 'BOB',
  beneficiary: {
    name: 'María Choque',
    ci: '4872910 LP',
    bankName: 'Banco Unión',
    bankAccount: '10000048213377',
    phone: '+59171234567',
    city: 'El Alto',
  },
};

async function pay(order: object = ORDER, key: string | null = 'payout:transfer-1', bankKey = 'bank_sandbox') {
  const response = await fetch(`${client.sandbox.url}/bank/v1/payouts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bankKey}`,
      'content-type': 'application/json',
      ...(key ? { 'idempotency-key': key } : {}),
    },
    body: JSON.stringify(order),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function find(externalId: string) {
  const headers = { authorization: 'Bearer bank_sandbox' };
  const response = await fetch(`${client.sandbox.url}/bank/v1/payouts/${externalId}`, { headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function payouts() {
  return (await client.control<{ data: object[] }>('GET', '/bank/payouts')).data;
}

test('the bank pays a payout once and returns its reference', async () => {
  const paid = await pay();
  expect(paid.status).toBe(201);
  expect(paid.body).toMatchObject({
    externalId: 'transfer-1',
    status: 'paid',
    rejection: null,
    amount: '1291.40',
    currency: 'BOB',
  });
  expect(paid.body.id).toMatch(/^bp_/);
  expect(paid.body.reference).toMatch(/^BO\d{10}$/);
  expect(await pay()).toEqual({ status: 200, body: paid.body });
  expect(await find('transfer-1')).toEqual({ status: 200, body: paid.body });
  expect(await payouts()).toHaveLength(1);
});

test('the bank answers 409 to a key with another payout and to an externalId with another key', async () => {
  await pay();
  expect(await pay({ ...ORDER, amount: '1.00' })).toMatchObject({
    status: 409,
    body: { code: 'idempotency_conflict' },
  });
  expect(await pay(ORDER, 'other')).toMatchObject({ status: 409, body: { code: 'external_id_conflict' } });
  expect(await payouts()).toHaveLength(1);
});

test('ten concurrent copies of a payout are paid once', async () => {
  await client.control('PUT', '/bank/mode', { slowMs: 30 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => pay()));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
  expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(1);
});

test('the bank rejects as many payouts as rejectNext says', async () => {
  const rejection = { code: 'account_closed', message: 'La cuenta está cerrada.' };
  await client.control('PUT', '/bank/mode', { rejectNext: 1, rejection });
  expect(await pay()).toMatchObject({ status: 201, body: { status: 'rejected', reference: null, rejection } });
  expect((await pay()).body).toMatchObject({ status: 'rejected' });
  expect(await pay({ ...ORDER, externalId: 'transfer-2' }, 'k2')).toMatchObject({ body: { status: 'paid' } });
});

describe('a payout without a result yet', () => {
  const settle = (externalId: string, body: object = {}) =>
    client.control<Record<string, unknown>>('POST', `/bank/payouts/${externalId}/settle`, body);
  const rejection = { code: 'compliance_hold', message: 'Retenido.' };

  test('a pending payout has its result after the time of the mode, and every repetition and question says the same', async () => {
    await client.control('PUT', '/bank/mode', { pendNext: 1, pendForMs: 60_000 });
    const pending = await pay();
    expect(pending).toMatchObject({ status: 201, body: { status: 'pending', reference: null, rejection: null } });
    expect(await pay()).toEqual({ status: 200, body: pending.body });
    expect(await pay({ ...ORDER, externalId: 'transfer-2' }, 'k2')).toMatchObject({ body: { status: 'paid' } });
    await client.control('POST', '/clock/advance', { seconds: 61 });
    const paid = await find('transfer-1');
    expect(paid.body).toMatchObject({ status: 'paid', reference: expect.stringMatching(/^BO\d{10}$/) });
    expect(await pay()).toEqual({ status: 200, body: paid.body });
  });

  test('a pending payout may be rejected when its time comes', async () => {
    await client.control('PUT', '/bank/mode', { pendNext: 1, pendForMs: 60_000, rejectNext: 1, rejection });
    expect(await pay()).toMatchObject({ body: { status: 'pending', rejection: null } });
    await client.control('POST', '/clock/advance', { seconds: 61 });
    expect((await find('transfer-1')).body).toMatchObject({ status: 'rejected', reference: null, rejection });
  });

  test.each([
    ['paid', {}, { status: 'paid', rejection: null }],
    ['rejected', { rejection }, { status: 'rejected', reference: null, rejection }],
  ])('a pending payout stays so until it is %s on command, once', async (_, body, expected) => {
    await client.control('PUT', '/bank/mode', { pendNext: 1 });
    await pay();
    await client.control('POST', '/clock/advance', { seconds: 30 * 86_400 });
    expect((await find('transfer-1')).body).toMatchObject({ status: 'pending' });
    expect(await settle('transfer-1', body)).toMatchObject(expected);
    expect((await find('transfer-1')).body).toMatchObject(expected);
    await expect(settle('transfer-1')).rejects.toThrow();
  });

  test('a pending payout is in the statement of the day on which it is paid, and cannot come back before', async () => {
    await client.control('PUT', '/bank/mode', { pendNext: 1 });
    await pay();
    await expect(client.control('POST', '/bank/payouts/transfer-1/return', {})).rejects.toThrow();
    await client.control('POST', '/clock/advance', { seconds: 2 * 86_400 });
    const { now } = await client.control<{ now: number }>('GET', '/clock');
    await settle('transfer-1');
    await client.control('POST', '/clock/advance', { seconds: 2 * 86_400 });
    const linesOf = async (at: number) => {
      const headers = { authorization: 'Bearer bank_sandbox' };
      const day = laPazDay(new Date(at * 1000));
      const response = await fetch(`${client.sandbox.url}/bank/v1/statements/${day}?format=csv`, { headers });
      return response.text();
    };
    expect(await linesOf(now - 2 * 86_400)).not.toContain('transfer-1');
    expect(await linesOf(now)).toContain('transfer-1');
  });
});

test('the bank’s answer can be a page of something before it, although the payout was made', async () => {
  await client.control('POST', '/faults', { kind: 'do_then_error', status: 413, page: true, path: '^/bank/' });
  const response = await fetch(`${client.sandbox.url}/bank/v1/payouts`, {
    method: 'POST',
    headers: { authorization: 'Bearer bank_sandbox', 'content-type': 'application/json', 'idempotency-key': 'k' },
    body: JSON.stringify(ORDER),
  });
  expect(response.status).toBe(413);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect((await find('transfer-1')).body).toMatchObject({ status: 'paid' });
});

test.each(['do_then_drop', 'drop'])('a payout repeated after the fault "%s" is paid once', async (kind) => {
  await client.control('POST', '/faults', { kind, path: '^/bank/' });
  await expect(pay()).rejects.toThrow();
  expect([200, 201]).toContain((await pay()).status);
  expect(await payouts()).toHaveLength(1);
});

test('the bank answers 500 as often as the fault says and pays afterwards', async () => {
  await client.control('POST', '/faults', { kind: 'error', path: '^/bank/v1/payouts', times: 2 });
  expect((await pay()).status).toBe(500);
  expect(await pay()).toMatchObject({ status: 500, body: { code: 'internal' } });
  expect((await pay()).status).toBe(201);
});

test.each([
  [{ ...ORDER, amount: '1291.4' }, 422],
  [{ ...ORDER, amount: '-1.00' }, 422],
  [{ ...ORDER, amount: '0.00' }, 422],
  [{ ...ORDER, amount: 1291.4 }, 422],
  [{ ...ORDER, currency: 'USD' }, 422],
  [{ ...ORDER, externalId: '' }, 422],
  [{ ...ORDER, surprise: true }, 422],
  [{ ...ORDER, beneficiary: { name: 'x' } }, 422],
])('the bank refuses the invalid payout %j', async (order, status) => {
  expect(await pay(order)).toMatchObject({ status, body: { code: 'invalid_payout' } });
  expect(await payouts()).toEqual([]);
});

test('the bank requires its API key and an idempotency key', async () => {
  expect((await pay(ORDER, 'k', 'wrong')).status).toBe(401);
  expect(await pay(ORDER, null)).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } });
  expect(await find('nothing')).toMatchObject({ status: 404, body: { code: 'payout_not_found' } });
});

test('the control routes list payouts without the beneficiary', async () => {
  await pay();
  expect(JSON.stringify(await payouts())).not.toMatch(/María|4872910|10000048213377|71234567|El Alto/);
});

test('a day on which the bank is closed has no statement, and its payments are in the next one', async () => {
  const { now } = await client.control<{ now: number }>('GET', '/clock');
  const [today, tomorrow] = [0, 1].map((days) => laPazDay(new Date((now + days * 86_400) * 1000))) as [string, string];
  await client.control('PUT', '/bank/mode', { closedOn: [today] });
  await pay();
  await client.control('POST', '/clock/advance', { seconds: 3 * 86_400 });
  const statementOf = async (day: string) => {
    const headers = { authorization: 'Bearer bank_sandbox' };
    const response = await fetch(`${client.sandbox.url}/bank/v1/statements/${day}?format=csv`, { headers });
    return { status: response.status, text: await response.text() };
  };
  expect(await statementOf(today)).toMatchObject({ status: 404, text: expect.stringContaining('statement_not_found') });
  expect((await statementOf(tomorrow)).text).toContain('transfer-1');
});

describe('a payment that comes back', () => {
  const giveBack = (externalId: string, body: object = {}) =>
    client.control<Record<string, string>>('POST', `/bank/payouts/${externalId}/return`, body);
  const returns = async (after?: string) => {
    const headers = { authorization: 'Bearer bank_sandbox' };
    const query = after ? `?after=${after}` : '';
    const response = await fetch(`${client.sandbox.url}/bank/v1/returns${query}`, { headers });
    return { status: response.status, body: (await response.json()) as { data: { id: string }[]; hasMore: boolean } };
  };

  test('a returned payment is listed after those before it and shown with its payout, whole or in parts', async () => {
    await pay();
    await pay({ ...ORDER, externalId: 'transfer-2' }, 'k2');
    const part = await giveBack('transfer-1', { amount: '91.40', code: 'x', message: 'y' });
    const rest = await giveBack('transfer-1');
    const other = await giveBack('transfer-2');
    expect(part).toMatchObject({ externalId: 'transfer-1', amount: '91.40', code: 'x', message: 'y' });
    expect(rest).toMatchObject({ amount: '1200.00', code: 'account_closed' });
    expect((await returns()).body).toEqual({ data: [part, rest, other], hasMore: false });
    expect((await returns(part.id)).body.data).toEqual([rest, other]);
    expect((await returns(other.id)).body.data).toEqual([]);
    expect((await find('transfer-1')).body).toMatchObject({ status: 'paid', returnedAmount: '1291.40' });
  });

  test('a returned payment cannot be more than was paid, nor one that was not paid', async () => {
    await client.control('PUT', '/bank/mode', { rejectNext: 1 });
    await pay();
    await expect(giveBack('transfer-1')).rejects.toThrow();
    await pay({ ...ORDER, externalId: 'transfer-2' }, 'k2');
    await expect(giveBack('transfer-2', { amount: '1291.41' })).rejects.toThrow();
    expect((await returns()).body.data).toEqual([]);
    expect(await returns('br_nothing')).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  });
});
