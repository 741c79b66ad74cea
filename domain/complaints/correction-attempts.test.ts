import { afterEach, expect, test } from 'vitest';
import { maxAttempts } from '#core/operations/operation';
import { Operation } from '../operations/operation.entity.ts';
import { syncFraudWarnings } from '../payments/fraud-warnings.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { useComplaintFixture } from '../testing/complaint-fixture.ts';
import { refusal } from '../testing/desk-fixture.ts';
import { correctComplaint } from './conclude.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;
afterEach(() => fixture.stripe.clearFaults());
const part = { remedy: 'refund', amount: 250n } as const;
const refundsOf = async (id: string) => {
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  return data.map(({ amount }) => amount);
};

test('a correction that Stripe refused is retried with its own amount, not the whole charge', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  fixture.stripe.failNext({ kind: 'error', status: 400, path: '^/v1/refunds$', method: 'POST' });
  await fixture.run(id, 'refund');
  expect(await fixture.openCases(id)).toEqual(['operation_refused']);
  await desk.act(id, 'retry', { reason: '' });
  await fixture.run(id, 'refund');
  expect(await refundsOf(id)).toEqual([250]);
});

test('a correction that went on under a new key is not made again', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  fixture.stripe.failNext({ kind: 'stored_error', path: '^/v1/refunds$', method: 'POST' });
  await fixture.run(id, 'refund');
  fixture.later(60_000);
  await fixture.run(id, 'refund');
  expect(await refundsOf(id)).toEqual([250]);
  expect(await complaints.view(report.id)).toMatchObject({ state: 'closed', actions: [] });
});

test('a correction that went on under a new key cannot be ordered once more', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  fixture.stripe.failNext({ kind: 'stored_error', path: '^/v1/refunds$', method: 'POST' });
  await fixture.run(id, 'refund');
  fixture.later(60_000);
  await fixture.run(id, 'refund');
  await correctComplaint(fixture.database, complaints.by(report.id)).catch(() => undefined);
  await fixture.run(id, 'refund');
  expect(await refundsOf(id)).toEqual([250]);
});

test('a correction that was given up without an answer is not made again beside itself', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  const [refund] = await fixture.operations(id, 'refund');
  await fixture.database.fork().nativeUpdate(Operation, { id: refund?.id ?? '' }, { attempts: maxAttempts - 1 });
  // The refund is made, its answer is lost; Stripe's event has not come.
  fixture.stripe.failNext({ kind: 'do_then_drop', path: '^/v1/refunds$', method: 'POST', times: 10 });
  await fixture.run(id, 'refund');
  expect(await fixture.operations(id, 'refund')).toMatchObject([{ status: 'abandoned' }]);
  fixture.stripe.clearFaults();
  await correctComplaint(fixture.database, complaints.by(report.id)).catch(() => undefined);
  await fixture.run(id, 'refund');
  expect(await refundsOf(id)).toEqual([250]);
});

test('a correction that is pending at first is no refund from outside', async () => {
  const id = await complaints.createPaidByCard('pm_card_pendingRefund');
  await complaints.conclude((await complaints.report(id)).id, { remedy: 'refund', amount: 250n });
  const { stripe } = fixture.context;
  const list = async (query: never) => {
    const page = await stripe.refunds.list(query);
    return { ...page, data: page.data.map((one) => ({ ...one, status: 'pending' })) };
  };
  const refunds = { list, create: stripe.refunds.create.bind(stripe.refunds) };
  const pending = Object.assign(Object.create(stripe), { refunds });
  await fixture.run(id, 'refund', { ...fixture.context, stripe: pending });
  await fixture.stripe.idle();
  await syncPayment(fixture.context, id);
  expect(await fixture.openCases(id)).toEqual([]);
});

test('no refund at our loss is asked for while a second payout may be made', async () => {
  const id = await complaints.createPaidByCard('pm_card_createIssuerFraudRecord');
  await fixture.stripe.idle();
  await syncFraudWarnings(fixture.context, id);
  const report = await complaints.report(id, 'not_received');
  await complaints.conclude(report.id, { remedy: 'pay_again', payout: 129_117n });
  await complaints.approve(report.id);
  await fixture.run(id, 'payout');
  expect((await fixture.operations(id, 'payout')).at(-1)?.lastError).toBe('held: fraud_warning');
  await expect(desk.act(id, 'refund_at_loss')).rejects.toEqual(refusal('action_not_possible'));
});
