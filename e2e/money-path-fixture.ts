import { afterEach, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { TransferState } from '#core/transfers/states';
import { type ApiClient, openPayment, payWithCard, sampleRecipient, signUp } from './api-client.ts';
import { balances, total } from './ledger.ts';
import type { TestApp } from './test-app.ts';
import { until } from './until.ts';

/** A sender with a recipient, and what happens to their transfers of 100 EUR. Call it at a test file's top level. */
export function useMoneyPath(app: TestApp) {
  let sender: ApiClient;
  let recipientId: string;

  beforeAll(async () => {
    sender = await signUp(app.url);
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
  const reject = (id: string) => app.admin.call(endpoints.reject, { params: { id }, body: {} });
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

  return {
    get sender() {
      return sender;
    },
    get recipientId() {
      return recipientId;
    },
    see,
    reaches,
    approve,
    reject,
    cancel,
    paid,
    intentOf,
    payoutsOf,
    expectCompletedOnce,
  };
}

/** Declares what depends on where the queues are: a job each time, after a sweep, and after a killed worker. */
export function testMoneyPath(app: TestApp): ReturnType<typeof useMoneyPath> {
  const path = useMoneyPath(app);
  const { reaches, approve, cancel, paid, intentOf, expectCompletedOnce } = path;

  test('a paid and approved transfer is captured and paid out once', async () => {
    const payment = await paid();
    expect(
      await path.sender.call(endpoints.paymentStatus, { params: { paymentIntentId: payment.paymentIntentId } }),
    ).toEqual({
      status: 'succeeded',
      providerStatus: 'requires_capture',
    });
    const { success } = await path.sender.call(endpoints.confirmTransaction, {
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
    await app.stack.kill('worker', 'SIGKILL');
    await approve(payment.transferId);
    expect(await cancel(payment.transferId)).toMatchObject({ state: 'approved', cancelRequested: true });
    await app.stack.start('worker');
    await reaches(payment.transferId, 'cancelled');
    expect(await intentOf(payment)).toMatchObject({ status: 'canceled', amountReceived: 0 });
  });

  return path;
}
