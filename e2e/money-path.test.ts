import { afterEach, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { TransferState } from '#core/transfers/states';
import { findPlainValues } from '../infra/testing/plain-values.ts';
import { type ApiClient, openPayment, payWithCard, sampleRecipient, signUp } from './api-client.ts';
import { balances, query, total } from './ledger.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

// Api, worker, Stripe and the bank together, without a browser: whatever is lost or repeated, the money moves once. Crashes at
// every step and races between two steps are tested with the jobs alone (`worker/crash-points.test.ts`, `worker/queue-crashes.test.ts`,
// `worker/cancellation-races.test.ts`, `domain/payments`, `domain/payouts`), and faults at random moments in `soak/exceptions.soak.ts`.
const app = useApp();

let sender: ApiClient;
let recipientId: string;

beforeAll(async () => {
  sender = await signUp(app);
  recipientId = (await sender.call(endpoints.createRecipient, { body: sampleRecipient })).id;
});

afterEach(() => app.sandbox.deliver({}));

const open = () => openPayment(sender, { amount: '100.00', recipientId });
const see = (id: string) => sender.call(endpoints.getTransfer, { params: { id } });
const reaches = (id: string, state: TransferState) =>
  until(`the transfer is ${state}`, async () => {
    const transfer = await see(id);
    return transfer.state === state && transfer;
  });
const approve = (id: string) => app.admin.call(endpoints.approve, { params: { id } });
/** The worker checked the names: without it nothing is approved. */
const screened = (id: string) =>
  until('the names are checked', async () => {
    const { review } = await app.admin.call(endpoints.review, { params: { id } });
    return review.screening.status === 'clear';
  });
const cancel = (id: string) => sender.call(endpoints.cancelTransfer, { params: { id } });
const paid = async () => {
  const payment = await open();
  expect((await payWithCard(app.stack.sandboxUrl, payment)).body.status).toBe('requires_capture');
  return payment;
};
const intentOf = async (payment: { paymentIntentId: string }) =>
  (await app.sandbox.intents()).find((intent) => intent.id === payment.paymentIntentId);
const payoutsOf = async (id: string) => (await app.sandbox.payouts()).filter((payout) => payout.externalId === id);

/** Asserts that the transfer was captured and paid out exactly once. */
const expectCompletedOnce = async (payment: { transferId: string; paymentIntentId: string }) => {
  const transfer = await reaches(payment.transferId, 'completed');
  expect(transfer.timeline.map((step) => step.state)).toEqual([
    'awaiting_payment',
    'in_review',
    'approved',
    'captured',
    'completed',
  ]);
  expect(await intentOf(payment)).toMatchObject({ status: 'succeeded', amountReceived: 10_000, amountRefunded: 0 });
  const payouts = await payoutsOf(payment.transferId);
  expect(payouts).toMatchObject([{ amount: '1291.17', status: 'paid', reference: transfer.payoutReference }]);
  const books = await balances(app.databaseUrl);
  for (const accounts of Object.values(books)) expect(total(accounts)).toBe(0n);
};

test('a paid and approved transfer is captured and paid out once', async () => {
  const payment = await paid();
  expect(await sender.call(endpoints.paymentStatus, { params: { paymentIntentId: payment.paymentIntentId } })).toEqual({
    status: 'succeeded',
    providerStatus: 'requires_capture',
  });
  const { success } = await sender.call(endpoints.confirmTransaction, {
    body: { paymentIntentId: payment.paymentIntentId },
  });
  expect(success).toBe(true);
  const inReview = await reaches(payment.transferId, 'in_review');
  expect(inReview).toMatchObject({
    status: 'pending',
    bolivianos: '1291.17',
    card: { brand: 'visa', last4: '4242' },
  });
  expect(await intentOf(payment)).toMatchObject({ amountReceived: 0 });
  await approve(payment.transferId);
  await expectCompletedOnce(payment);
  // The bank received the numbers; no table or queue contains them unencrypted.
  const { ci, phone, bankAccount } = sampleRecipient;
  const places = { databaseUrl: app.databaseUrl };
  expect(await findPlainValues(places, [ci, bankAccount, phone.slice(-8)])).toEqual([]);
});

test('a transfer is completed by the sweep when the browser closed and every webhook was lost', async () => {
  await app.sandbox.deliver({ mode: 'drop' });
  const payment = await paid();
  await reaches(payment.transferId, 'in_review');
  await approve(payment.transferId);
  await expectCompletedOnce(payment);
});

test('a cancellation while the worker is killed is carried out when it is back', async () => {
  const payment = await paid();
  await reaches(payment.transferId, 'in_review');
  await screened(payment.transferId);
  await app.stack.kill('worker', 'SIGKILL');
  await approve(payment.transferId);
  expect(await cancel(payment.transferId)).toMatchObject({ state: 'approved', cancelRequested: true });
  await app.stack.start('worker');
  await reaches(payment.transferId, 'cancelled');
  expect(await intentOf(payment)).toMatchObject({ status: 'canceled', amountReceived: 0 });
});

test('a transfer is completed once when every webhook comes three times and races ten browser confirmations', async () => {
  await app.sandbox.deliver({ duplicate: 2, simultaneous: 2, shuffle: true });
  const payment = await paid();
  const body = { paymentIntentId: payment.paymentIntentId };
  await Promise.all(Array.from({ length: 10 }, () => sender.call(endpoints.confirmTransaction, { body })));
  await reaches(payment.transferId, 'in_review');
  await approve(payment.transferId);
  await expectCompletedOnce(payment);
  const events = await query(app.databaseUrl, 'select id from stripe_event where payment_intent_id = $1', [
    payment.paymentIntentId,
  ]);
  expect(events.length).toBeGreaterThan(1);
});

test('a repeated payment request with the same key opens the same transfer after a failure or a lost answer', async () => {
  const creating = '^/v1/payment_intents$';
  const key = 'lost-answer';
  // The SDK itself asks three times.
  await app.sandbox.fault({ kind: 'error', path: creating, times: 3, method: 'POST' });
  const refused = { status: 502, code: 'payment_not_started' };
  await expect(openPayment(sender, { recipientId, key })).rejects.toMatchObject(refused);
  await app.sandbox.fault({ kind: 'do_then_drop', path: creating, method: 'POST' });
  const payment = await openPayment(sender, { recipientId, key });
  expect(await openPayment(sender, { recipientId, key })).toEqual(payment);
  const intents = (await app.sandbox.intents()).filter((intent) => intent.transferId === payment.transferId);
  expect(intents).toHaveLength(1);
  const another = openPayment(sender, { recipientId, key, amount: '50.00' });
  await expect(another).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});
