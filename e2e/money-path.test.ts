import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { TransferState } from '#core/transfers/states';
import { onEveryQueueBackend } from '../infra/testing/redis.ts';
import { type ApiClient, type CallFailed, openPayment, payWithCard, sampleRecipient, signUp } from './api-client.ts';
import { balances, query, total } from './ledger.ts';
import { busySweeps, useApp } from './test-app.ts';
import { until } from './until.ts';

/** The api, the worker, Stripe and the bank together, without a browser: whatever gets lost, the money arrives once. */
onEveryQueueBackend('the way of the money', (_backend, start) => {
  const app = useApp({ services: start, env: busySweeps });
  let sender: ApiClient;
  let recipientId: string;

  beforeAll(async () => {
    sender = await signUp(app.url);
    recipientId = (await sender.call(endpoints.createRecipient, { body: sampleRecipient })).id;
  });

  beforeEach(() => app.sandbox.deliver({}));

  const open = () => openPayment(sender, { amount: '100.00', recipientId });
  const see = (id: string) => sender.call(endpoints.getTransfer, { params: { id } });
  const reaches = (id: string, state: TransferState) =>
    until(`the transfer is ${state}`, async () => {
      const transfer = await see(id);
      return transfer.state === state && transfer;
    });
  const approve = (id: string) => app.admin.call(endpoints.approve, { params: { id } });
  const reject = (id: string, by = app.admin) => by.call(endpoints.reject, { params: { id }, body: {} });
  const paid = async () => {
    const payment = await open();
    expect((await payWithCard(app.stack.sandboxUrl, payment)).body.status).toBe('requires_capture');
    return payment;
  };
  const intentOf = async (payment: { paymentIntentId: string }) =>
    (await app.sandbox.intents()).find((intent) => intent.id === payment.paymentIntentId);
  const payoutsOf = async (id: string) => (await app.sandbox.payouts()).filter((payout) => payout.externalId === id);

  /** Approved and paid out, everything exactly once. */
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

  test('paid and confirmed by the browser, approved: captured and paid out once', async () => {
    const payment = await paid();
    expect(
      await sender.call(endpoints.paymentStatus, { params: { paymentIntentId: payment.paymentIntentId } }),
    ).toEqual({
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
  });

  test('the browser closes right after paying: the webhook alone carries it', async () => {
    const payment = await paid();
    await reaches(payment.transferId, 'in_review');
    await approve(payment.transferId);
    await expectCompletedOnce(payment);
  });

  test('browser closed and every webhook lost: the sweep carries it', async () => {
    await app.sandbox.deliver({ mode: 'drop' });
    const payment = await paid();
    await reaches(payment.transferId, 'in_review');
    await approve(payment.transferId);
    await expectCompletedOnce(payment);
  });

  test('every webhook three times in random order', async () => {
    await app.sandbox.deliver({ duplicate: 2, shuffle: true });
    const payment = await paid();
    await reaches(payment.transferId, 'in_review');
    await approve(payment.transferId);
    await expectCompletedOnce(payment);
  });

  test('every webhook twice at the same instant', async () => {
    await app.sandbox.deliver({ simultaneous: 2 });
    const payment = await paid();
    await reaches(payment.transferId, 'in_review');
    await approve(payment.transferId);
    await expectCompletedOnce(payment);
    const events = await query(app.databaseUrl, 'select id from stripe_event where payment_intent_id = $1', [
      payment.paymentIntentId,
    ]);
    expect(events.length).toBeGreaterThan(1);
  });

  test('webhook and browser at the same instant, many times over', async () => {
    const payment = await paid();
    const body = { paymentIntentId: payment.paymentIntentId };
    await Promise.all(Array.from({ length: 10 }, () => sender.call(endpoints.confirmTransaction, { body })));
    await reaches(payment.transferId, 'in_review');
    await approve(payment.transferId);
    await expectCompletedOnce(payment);
  });

  test('declined, then another card on the same payment', async () => {
    const payment = await open();
    const declined = await payWithCard(app.stack.sandboxUrl, payment, '4000000000009995');
    expect(declined).toMatchObject({
      status: 402,
      body: { error: { code: 'card_declined', decline_code: 'insufficient_funds' } },
    });
    await expect(
      sender.call(endpoints.confirmTransaction, { body: { paymentIntentId: payment.paymentIntentId } }),
    ).rejects.toMatchObject({ status: 409, code: 'payment_not_completed' });
    expect((await see(payment.transferId)).state).toBe('awaiting_payment');
    await payWithCard(app.stack.sandboxUrl, payment);
    await reaches(payment.transferId, 'in_review');
    await approve(payment.transferId);
    await expectCompletedOnce(payment);
  });

  test('rejected: the hold is released and nothing was ever charged', async () => {
    const payment = await paid();
    await reaches(payment.transferId, 'in_review');
    await reject(payment.transferId);
    await until('the hold is gone', async () => (await intentOf(payment))?.status === 'canceled');
    expect(await intentOf(payment)).toMatchObject({ amountReceived: 0 });
    expect((await see(payment.transferId)).status).toBe('rejected');
    expect(await payoutsOf(payment.transferId)).toEqual([]);
  });

  test('two admins decide at once: exactly one wins, the other is told who it was', async () => {
    for (let round = 0; round < 5; round += 1) {
      const payment = await paid();
      await reaches(payment.transferId, 'in_review');
      const outcomes = await Promise.allSettled([
        approve(payment.transferId),
        reject(payment.transferId, app.secondAdmin),
      ]);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused).toHaveLength(1);
      const refusal: CallFailed = refused[0]?.reason;
      expect(refusal.body).toMatchObject({
        code: 'already_decided',
        transaction: { id: payment.transferId },
      });
      if (outcomes[0]?.status === 'fulfilled') await expectCompletedOnce(payment);
      else await until('the hold is gone', async () => (await intentOf(payment))?.status === 'canceled');
    }
  });

  test('Stripe lets the hold go by itself: the transfer expires, nothing is charged', async () => {
    const payment = await paid();
    await reaches(payment.transferId, 'in_review');
    await app.sandbox.expireHold(payment.paymentIntentId);
    const transfer = await reaches(payment.transferId, 'expired');
    expect(transfer.reason).toMatch(/No se cobró nada/);
    await expect(approve(payment.transferId)).rejects.toMatchObject({ status: 409, code: 'not_awaiting_decision' });
  });

  test('the hold is gone when it should be captured: the transfer fails, nobody is paid', async () => {
    const payment = await paid();
    await reaches(payment.transferId, 'in_review');
    // Stripe is out of order (the SDK asks three times) until the hold has ended behind the approval's back.
    await app.sandbox.fault({ kind: 'error', path: '/capture$', times: 3 });
    await approve(payment.transferId);
    await app.sandbox.expireHold(payment.paymentIntentId);
    await reaches(payment.transferId, 'failed');
    expect(await payoutsOf(payment.transferId)).toEqual([]);
  });

  test('the bank refuses for good: everything goes back to the card, the fee too', async () => {
    await app.sandbox.bank({ rejectNext: 1 });
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

  describe('the sender cancels', () => {
    const cancel = (id: string) => sender.call(endpoints.cancelTransfer, { params: { id } });

    test('in review: the hold is released and nothing was ever charged', async () => {
      const payment = await paid();
      await reaches(payment.transferId, 'in_review');
      expect((await cancel(payment.transferId)).state).toBe('cancelled');
      await until('the hold is gone', async () => (await intentOf(payment))?.status === 'canceled');
      expect(await intentOf(payment)).toMatchObject({ amountReceived: 0 });
      await expect(approve(payment.transferId)).rejects.toMatchObject({ status: 409, code: 'not_awaiting_decision' });
    });

    test('at the instant of the approval, five times: let go or given back, never paid out', async () => {
      for (let round = 0; round < 5; round += 1) {
        const payment = await paid();
        const id = payment.transferId;
        await reaches(id, 'in_review');
        const [cancelled] = await Promise.allSettled([cancel(id), approve(id)]);
        if (cancelled?.status === 'rejected') {
          // The payout was quicker: it is the only thing that may be.
          expect(['payout_started', 'already_deposited']).toContain(cancelled.reason.code);
          await expectCompletedOnce(payment);
          continue;
        }
        await until('it is undone', async () => ['cancelled', 'refunded'].includes((await see(id)).state));
        const { amountReceived, amountRefunded } = (await intentOf(payment)) ?? {};
        expect([0, 10_000]).toContain(amountReceived);
        if (amountReceived) expect(amountRefunded).toBe(10_000);
        expect(await payoutsOf(id)).toEqual([]);
      }
      for (const accounts of Object.values(await balances(app.databaseUrl))) expect(total(accounts)).toBe(0n);
    });

    test('while the worker is away, after the approval: it comes back and lets the hold go', async () => {
      const payment = await paid();
      await reaches(payment.transferId, 'in_review');
      await app.stack.kill('worker', 'SIGKILL');
      await approve(payment.transferId);
      expect(await cancel(payment.transferId)).toMatchObject({ state: 'approved', cancelRequested: true });
      await app.stack.start('worker');
      await reaches(payment.transferId, 'cancelled');
      expect(await intentOf(payment)).toMatchObject({ status: 'canceled', amountReceived: 0 });
    });

    test('while a slow bank pays: too late, and it is paid once', async () => {
      const payment = await paid();
      await reaches(payment.transferId, 'in_review');
      await app.sandbox.bank({ slowMs: 1500 });
      await approve(payment.transferId);
      await until('the payout began', async () => {
        const began = 'select 1 from transfer where id = $1 and payout_started_at is not null';
        return (await query(app.databaseUrl, began, [payment.transferId])).length === 1;
      });
      await expect(cancel(payment.transferId)).rejects.toMatchObject({ status: 409, code: 'payout_started' });
      await app.sandbox.bank({});
      await expectCompletedOnce(payment);
    });
  });

  describe('answers get lost', () => {
    const faults = [
      ['Stripe fails before capturing', { kind: 'error', path: '/capture$', times: 2 }],
      ['Stripe remembers a failure under the key', { kind: 'stored_error', path: '/capture$' }],
      ['Stripe captures and the connection drops', { kind: 'do_then_drop', path: '/capture$' }],
      ['the bank fails', { kind: 'error', path: '^/bank/', times: 2 }],
      ['the bank pays and the connection drops', { kind: 'do_then_drop', path: '^/bank/' }],
    ] as const;
    test.each(faults)('%s: still one capture and one payout', async (_name, fault) => {
      const payment = await paid();
      await reaches(payment.transferId, 'in_review');
      await app.sandbox.fault(fault);
      await approve(payment.transferId);
      await expectCompletedOnce(payment);
    });

    test('creating the payment fails or its answer is lost: the same key opens the same transfer', async () => {
      const path = '^/v1/payment_intents$';
      const key = 'lost-answer';
      // The SDK itself asks three times.
      await app.sandbox.fault({ kind: 'error', path, times: 3, method: 'POST' });
      const refused = { status: 502, code: 'payment_not_started' };
      await expect(openPayment(sender, { recipientId, key })).rejects.toMatchObject(refused);
      await app.sandbox.fault({ kind: 'do_then_drop', path, method: 'POST' });
      const payment = await openPayment(sender, { recipientId, key });
      expect(await openPayment(sender, { recipientId, key })).toEqual(payment);
      const intents = (await app.sandbox.intents()).filter((intent) => intent.transferId === payment.transferId);
      expect(intents).toHaveLength(1);
      const another = openPayment(sender, { recipientId, key, amount: '50.00' });
      await expect(another).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    });
  });
});
