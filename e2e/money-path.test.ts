import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { openPayment } from './api-client.ts';
import { query } from './ledger.ts';
import { testMoneyPath } from './money-path-fixture.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

// Api, worker, Stripe and the bank together, without a browser: whatever is lost or repeated, the money moves once. Crashes
// at every step and races between two steps are tested with the jobs alone: `worker/crash-points.test.ts`,
// `worker/cancellation-races.test.ts` and the tests in `domain/payments` and `domain/payouts`.
const app = useApp();
const path = testMoneyPath(app);
const { see, reaches, approve, reject, paid, intentOf, payoutsOf, expectCompletedOnce } = path;

test('a transfer is completed once when every webhook comes three times and races ten browser confirmations', async () => {
  await app.sandbox.deliver({ duplicate: 2, simultaneous: 2, shuffle: true });
  const payment = await paid();
  const body = { paymentIntentId: payment.paymentIntentId };
  await Promise.all(Array.from({ length: 10 }, () => path.sender.call(endpoints.confirmTransaction, { body })));
  await reaches(payment.transferId, 'in_review');
  await approve(payment.transferId);
  await expectCompletedOnce(payment);
  const events = await query(app.databaseUrl, 'select id from stripe_event where payment_intent_id = $1', [
    payment.paymentIntentId,
  ]);
  expect(events.length).toBeGreaterThan(1);
});

test('a transfer is completed by webhooks alone when the browser closes right after paying', async () => {
  const payment = await paid();
  await reaches(payment.transferId, 'in_review');
  await approve(payment.transferId);
  await expectCompletedOnce(payment);
});

test('a rejected transfer voids the authorization and charges nothing', async () => {
  const payment = await paid();
  await reaches(payment.transferId, 'in_review');
  await reject(payment.transferId);
  await until('the authorization is voided', async () => (await intentOf(payment))?.status === 'canceled');
  expect(await intentOf(payment)).toMatchObject({ amountReceived: 0 });
  expect((await see(payment.transferId)).status).toBe('rejected');
  expect(await payoutsOf(payment.transferId)).toEqual([]);
});

test('a transfer expires when Stripe drops its authorization', async () => {
  const payment = await paid();
  await reaches(payment.transferId, 'in_review');
  await app.sandbox.expireHold(payment.paymentIntentId);
  const transfer = await reaches(payment.transferId, 'expired');
  expect(transfer.reason).toMatch(/No se cobró nada/);
  await expect(approve(payment.transferId)).rejects.toMatchObject({ status: 409, code: 'not_awaiting_decision' });
});

test('a payout that the bank refuses is refunded to the card, fee included', async () => {
  await app.sandbox.bank({ rejectNext: 1, rejection: { code: 'refused', message: 'El banco no lo permite.' } });
  const payment = await paid();
  await reaches(payment.transferId, 'in_review');
  await approve(payment.transferId);
  const transfer = await reaches(payment.transferId, 'refunded');
  expect(transfer.reason).toMatch(/El banco no pudo pagar/);
  expect(await intentOf(payment)).toMatchObject({ amountReceived: 10_000, amountRefunded: 10_000 });
  const [left] = await query<{ sum: string }>(
    app.databaseUrl,
    `select coalesce(sum(case when source = 'fee_income' then -amount_minor else amount_minor end), 0) as sum
       from ledger_posting where transfer_id = $1 and 'fee_income' in (source, destination)`,
    [payment.transferId],
  );
  expect(left?.sum).toBe('0');
});

test('there is one capture and one payout when Stripe and the bank each carry out a request and drop the connection', async () => {
  const payment = await paid();
  await reaches(payment.transferId, 'in_review');
  await app.sandbox.fault({ kind: 'do_then_drop', path: '/capture$' });
  await app.sandbox.fault({ kind: 'do_then_drop', path: '^/bank/' });
  await approve(payment.transferId);
  await expectCompletedOnce(payment);
  expect(await app.sandbox.faults()).toEqual([]);
});

test('a repeated payment request with the same key opens the same transfer after a failure or a lost answer', async () => {
  const creating = '^/v1/payment_intents$';
  const { sender, recipientId } = path;
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
