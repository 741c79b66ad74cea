import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultFeeSchedule } from '#core/money/fee';
import { parseRate, type Rate } from '#core/rates/rate';
import { makeQuote } from '#core/transfers/quote';
import { referenceOf } from '#core/transfers/reference';
import { openTransfer } from '#domain/transfers/open-transfer';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { makeMove, testTarget, transferIn } from '../../testing/transfers.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';

let testDatabase: TestDatabase;
let api: TestApi;
let sender: Awaited<ReturnType<TestApi['person']>>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  api = await TestApi.start(
    readApiConfiguration({ ...testEnvironment, DATABASE_URL: testDatabase.url, HELP_EMAIL: 'ayuda@chasqui.test' }),
  );
  sender = await api.person();
});
afterAll(async () => {
  await api?.close();
  await testDatabase?.drop();
});

const receiptOf = (id: string, by = sender.browser) => by.send('GET', `/api/transactions/${id}/receipt`);

/** 100 EUR at 13.38, the market being at 13.52. */
async function paidTransfer(): Promise<string> {
  const recipientId = (await sender.browser.send('POST', '/api/recipients', { ...sampleRecipient, saveAnyway: true }))
    .body.id;
  const { id } = await api.database.transaction(async (em) =>
    openTransfer(em, {
      userId: sender.user.id,
      quote: makeQuote({
        amountMinor: 10_000n,
        currency: 'EUR',
        rate: parseRate('13.38') as Rate,
        referenceRate: parseRate('13.52') as Rate,
        fee: defaultFeeSchedule,
      }),
      rateSince: new Date(),
      eurUsd: parseRate('1.10') as Rate,
      recipient: { id: recipientId, target: testTarget },
      quoteExpiresAt: new Date(Date.now() + 60_000),
      estimatedDelivery: new Date('2026-11-24T15:00:00.000Z'),
      at: new Date(),
    }),
  );
  await makeMove(api.database, id, 'hold');
  return id;
}

test('a receipt has every amount of the frozen quote, the parties, and the help contact', async () => {
  const id = await paidTransfer();
  const { status, body } = await receiptOf(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    number: referenceOf(id),
    state: 'in_review',
    sender: { name: sender.user.name, email: sender.user.email },
    recipient: { name: 'Rosa Mamani', bankName: 'Banco Unión', accountEnding: '5678' },
    currency: 'EUR',
    netAmount: '96.50',
    fee: '3.50',
    taxes: '0.00',
    total: '100.00',
    rate: '13.38',
    markupPercent: '1.03',
    bolivianos: '1291.17',
    card: { brand: 'visa', last4: '4242' },
    payoutReference: null,
    completedAt: null,
    returnedAt: null,
    contact: { email: 'ayuda@chasqui.test' },
  });
  expect(JSON.stringify(body)).not.toContain(testTarget.bankAccount);
});

test('a receipt keeps its rate and recipient when those change later, and shows the final state', async () => {
  const id = await paidTransfer();
  const before = (await receiptOf(id)).body;
  await api.setRates((await api.person('admin')).user, 15_000_000n);
  const transfer = await sender.browser.send('GET', `/api/transactions/${id}`);
  const change = { ...sampleRecipient, name: 'Otra' };
  const changed = await sender.browser.send('PUT', `/api/recipients/${transfer.body.recipientId}`, change);
  expect(changed.status).toBe(200);
  expect((await receiptOf(id)).body).toEqual(before);
  for (const move of ['approve', 'capture'] as const) await makeMove(api.database, id, move);
  await makeMove(api.database, id, 'pay_out', { payoutReference: 'BO0000000001' });
  expect((await receiptOf(id)).body).toEqual({
    ...before,
    state: 'completed',
    completedAt: expect.any(String),
    payoutReference: 'BO0000000001',
  });
});

test('a transfer is found by the number of its receipt', async () => {
  const id = await paidTransfer();
  const { number } = (await receiptOf(id)).body;
  const found = await sender.browser.send('GET', `/api/transactions?search=${number}`);
  expect(found.body.items.map((item: { id: string }) => item.id)).toEqual([id]);
});

test('a receipt exists for paid transfers only, and for their sender only', async () => {
  const unpaid = await transferIn(api.database, 'awaiting_payment', { userId: sender.user.id });
  expectFailure(await receiptOf(unpaid.id), 404, 'not_found');
  const id = await paidTransfer();
  expectFailure(await receiptOf(id, (await api.person()).browser), 404, 'not_found');
  expectFailure(await receiptOf(id, (await api.person('admin')).browser), 404, 'not_found');
  expectFailure(await receiptOf(id, api.visitor()), 401, 'unauthenticated');
});

test('a receipt is downloaded as a PDF in the requested language, and anybody with its hash can check it without caching', async () => {
  const id = await paidTransfer();
  const path = `/api/transactions/${id}/receipt/pdf?language=en`;
  const file = await fetch(`${api.url}${path}`, { headers: { cookie: sender.browser.cookie } });
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="receipt-${referenceOf(id)}.pdf"`,
    'cache-control': 'no-store',
  });
  const hash = createHash('sha256')
    .update(Buffer.from(await file.arrayBuffer()))
    .digest('hex');
  const checked = await api.visitor().send('GET', `/api/papers/files/${hash}`);
  expect(checked.body).toMatchObject({ stated: { kind: 'receipt', receipt: { number: referenceOf(id) } }, now: null });
  expect(checked.headers.get('cache-control')).toBe('no-store');
  expectFailure(await (await api.person()).browser.send('GET', path), 404, 'not_found');
});
