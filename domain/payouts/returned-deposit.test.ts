import { expect, test } from 'vitest';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { readReceiptFacts } from '../transfer-views/receipt.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { confirmReceived, readTracking, shareTransfer } from '../transfers/tracking.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

/** A deposit confirmed by the recipient on the tracking page. */
async function createConfirmed() {
  const id = await complaints.createPaidByCard();
  const { userId } = await fixture.see(id);
  const { token } = await fixture.database.transaction((em) =>
    shareTransfer(em, { userId, transferId: id, at: fixture.now }),
  );
  await confirm(token);
  return { id, token };
}
const confirm = (token: string) => fixture.database.transaction((em) => confirmReceived(em, token, fixture.now));
const tracked = (token: string) => readTracking(fixture.database.fork(), token);
const viewOf = async (id: string) => toTransferView(fixture.database.fork(), await fixture.see(id), fixture.now);
const receiptOf = async (transferId: string) => {
  const { userId } = await fixture.see(transferId);
  const sender = { id: userId, name: 'Lucía', email: 'l@x.bo' };
  return readReceiptFacts(fixture.database.fork(), { sender, transferId });
};

/** Makes the bank return a payment, or a part of it, a day later. */
async function returnPayout(id: string, amount?: string): Promise<void> {
  fixture.later(86_400_000);
  fixture.bank.returnPayout(id, amount ? { amount } : {});
  await sweepBankReturns(fixture.context);
}

async function payAgain(id: string): Promise<void> {
  await fixture.database.transaction((em) => moveTransfer(em, id, 'pay_again', { at: fixture.now }));
  fixture.later(5 * 86_400_000);
  await fixture.run(id, 'payout');
}

test('the tracking page shows the remaining amount of a partly returned deposit, until the rest is paid', async () => {
  const { id, token } = await createConfirmed();
  expect(await tracked(token)).toMatchObject({ status: 'deposited', arrived: '1291.17', bolivianos: '1291.17' });
  await returnPayout(id, '1000.00');
  const inPart = { status: 'deposited_in_part', arrived: '291.17', bolivianos: '1291.17', receivedAt: null };
  expect(await tracked(token)).toMatchObject(inPart);
  expect((await tracked(token)).steps.map(({ step }) => step)).toContain('deposited');
  expect(await confirm(token)).toMatchObject(inPart);
  expect((await viewOf(id)).receivedAt).toBeNull();
  await desk.act(id, 'pay_rest');
  await fixture.run(id, 'payout');
  expect(await tracked(token)).toMatchObject({ status: 'deposited', arrived: '1291.17', receivedAt: null });
  expect(await confirm(token)).toMatchObject({ receivedAt: fixture.now.toISOString() });
});

test('a confirmation is cleared once the bank returns a payment of the rest', async () => {
  const { id, token } = await createConfirmed();
  await returnPayout(id, '1000.00');
  await desk.act(id, 'pay_rest');
  await fixture.run(id, 'payout');
  await confirm(token);
  const rest = (await fixture.operations(id, 'payout')).at(-1);
  await returnPayout(`${id}-${rest?.sequence}`);
  expect(await tracked(token)).toMatchObject({ status: 'deposited_in_part', arrived: '291.17', receivedAt: null });
});

test('a returned deposit is shown without date, reference and confirmation', async () => {
  const { id, token } = await createConfirmed();
  const first = await receiptOf(id);
  expect(await viewOf(id)).toMatchObject({ payoutReference: first.payoutReference, receivedAt: expect.any(String) });
  await returnPayout(id);
  const nothing = { completedAt: null, payoutReference: null };
  expect(await receiptOf(id)).toMatchObject({ state: 'payout_failed', ...nothing });
  expect(await viewOf(id)).toMatchObject({ payoutReference: null, receivedAt: null });
  expect(await tracked(token)).toMatchObject({ status: 'delayed', arrived: '0.00', receivedAt: null });
  await payAgain(id);
  const deposit = (await fixture.history(id)).findLast(({ move }) => move === 'pay_out');
  const second = await receiptOf(id);
  expect(second.completedAt).toBe(deposit?.at.toISOString());
  expect(second.completedAt).not.toBe(first.completedAt);
  expect(second.payoutReference).not.toBe(first.payoutReference);
  expect(await viewOf(id)).toMatchObject({ state: 'completed', receivedAt: null });
  // A confirmation changes the transfer within its state, and is not another deposit.
  fixture.later(60_000);
  await confirm(token);
  expect((await receiptOf(id)).completedAt).toBe(second.completedAt);
});

test('a receipt states when and how the money was finally refunded, and that it is owed until then', async () => {
  const id = await fixture.createRefunding();
  await fixture.run(id, 'refund');
  expect(await receiptOf(id)).toMatchObject({ state: 'refunded', returnedAt: fixture.now.toISOString() });
  fixture.later(86_400_000);
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  fixture.stripe.failRefund(data[0]?.id ?? '');
  await syncPayment(fixture.context, id);
  expect(await receiptOf(id)).toMatchObject({ state: 'refunding', refundFailed: true });
  fixture.later(86_400_000);
  await desk.settle(id, 'refund_by_hand', {});
  const receipt = await receiptOf(id);
  expect(receipt).toMatchObject({ state: 'refunded', returnedAt: fixture.now.toISOString(), returnedByBank: '100.00' });
  expect(receipt).not.toHaveProperty('refundFailed');
});
