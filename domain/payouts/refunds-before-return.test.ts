import { afterEach, beforeEach, expect, test } from 'vitest';
import { pollMs } from '#core/operations/operation';
import { dayMs } from '#core/time/time';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { refusal } from '../../testing/desk-fixture.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { Complaint as ComplaintRow } from '../complaints/complaint.entity.ts';
import { Email } from '../emails/email.entity.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { expireCorrections } from './expire-corrections.ts';

// We refunded a part of a charge for a report before the bank returned the whole payout: another full payout would
// exceed the charge.

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;
beforeEach(() => fixture.stripe.setAccount({ uncoveredRefunds: 'none' }));
afterEach(() => fixture.stripe.setAccount({ uncoveredRefunds: 'none' }));

/** A paid transfer of 100 EUR with a decided refund of an amount, in cents. */
async function refundable(amount: bigint): Promise<string> {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  const { state } = await complaints.conclude(report.id, { remedy: 'refund', amount });
  if (state === 'awaiting_approval') await complaints.approve(report.id);
  return id;
}

/** Makes the bank return the whole payout. */
async function returnPayout(id: string): Promise<void> {
  fixture.bank.returnPayout(id);
  await sweepBankReturns(fixture.context);
}

async function expectHeld(id: string): Promise<void> {
  expect((await fixture.see(id)).state).toBe('payout_failed');
  const view = await toTransferView(fixture.database.fork(), await fixture.see(id), fixture.now);
  expect(view).toMatchObject({ correctAccountBy: null, cancellable: true });
  await expect(complaints.nameAnotherAccount(id)).rejects.toEqual(refusal('account_not_correctable'));
  await expect(desk.act(id, 'pay_by_hand')).rejects.toEqual(refusal('action_not_possible'));
  const { userId } = await fixture.see(id);
  const emails = await fixture.database.fork().find(Email, { userId, kind: 'payout_failed', data: { transferId: id } });
  expect(emails.map(({ data }) => data.correctBy)).toEqual([null]);
}

const validRefunds = async (id: string) => {
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  return data.filter(({ status }) => status === 'succeeded' || status === 'pending').map(({ amount }) => amount);
};
const settle = async (id: string) => {
  fixture.stripe.setAccount({ uncoveredRefunds: 'none' });
  fixture.stripe.advanceClock(86_400);
  await fixture.stripe.idle();
  await syncPayment(fixture.context, id);
};

test('does not pay another account in full after a partial refund, and refunds the rest to the sender', async () => {
  const id = await refundable(9_000n);
  await fixture.run(id, 'refund');
  await returnPayout(id);
  await expectHeld(id);
  await fixture.cancel(id);
  await fixture.run(id, 'refund');
  expect(await validRefunds(id)).toEqual([1_000, 9_000]);
  expect(await fixture.see(id)).toMatchObject({ state: 'refunded', returnedMinor: 10_000n });
  expect(await fixture.balances(id)).toEqual({});
});

test.each([
  [
    'a partial refund',
    async () => {
      const id = await refundable(6_000n);
      await fixture.run(id, 'refund');
      return id;
    },
  ],
  [
    'a partly lost dispute',
    async () => {
      const id = await complaints.createPaidByCard();
      const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 6_000 });
      await syncDisputes(fixture.context, id);
      fixture.stripe.decideDispute(disputeId, 'lost');
      await syncDisputes(fixture.context, id);
      await desk.act(id, 'resolve');
      return id;
    },
  ],
])('shows the sender the rest of the charge after %s', async (_, prepare) => {
  const id = await prepare();
  await returnPayout(id);
  const { userId } = await fixture.see(id);
  const partsIn = async (kind: 'payout_failed' | 'account_not_corrected') => {
    const [email] = await fixture.database.fork().find(Email, { userId, kind, data: { transferId: id } });
    return email?.data.parts;
  };
  expect(await partsIn('payout_failed')).toEqual({ back: '60.00', left: '40.00' });
  fixture.later(30 * dayMs);
  await expireCorrections(fixture.context);
  expect((await fixture.see(id)).state).toBe('refunding');
  expect(await partsIn('account_not_corrected')).toEqual({ back: '60.00', left: '40.00' });
});

test('does not pay another account while a full refund is pending', async () => {
  const id = await refundable(10_000n);
  fixture.stripe.setAccount({ uncoveredRefunds: 'pending' });
  await fixture.run(id, 'refund');
  await returnPayout(id);
  await expectHeld(id);
  await settle(id);
  expect(await validRefunds(id)).toEqual([10_000]);
  expect((await fixture.see(id)).state).toBe('refunded');
});

/** A full refund for a report that Stripe did not answer, made or not; the bank has returned the payout since. */
async function unanswered(kind: 'do_then_drop' | 'drop') {
  const id = await refundable(10_000n);
  fixture.stripe.failNext({ kind, path: '^/v1/refunds$', method: 'POST', times: 3 });
  await fixture.run(id, 'refund');
  fixture.stripe.clearFaults();
  await returnPayout(id);
  await expectHeld(id);
  fixture.later(60_000);
  await fixture.run(id, 'refund');
  const [report] = await fixture.database.fork().find(ComplaintRow, { transferId: id });
  return { id, state: async () => (await complaints.view(report?.id ?? '')).state };
}

test('queries Stripe about an unanswered refund, which ends the transfer and its report if it was made', async () => {
  const { id, state } = await unanswered('do_then_drop');
  expect(await validRefunds(id)).toEqual([10_000]);
  expect((await fixture.see(id)).state).toBe('refunded');
  expect(await state()).toBe('closed');
  expect(await fixture.openCases(id)).toEqual([]);
});

test('waits until an unanswered refund can no longer be made, and reopens its report', async () => {
  const { id, state } = await unanswered('drop');
  await expectHeld(id);
  expect(await state()).toBe('correcting');
  fixture.later(pollMs);
  await fixture.run(id, 'refund');
  expect(await state()).toBe('investigating');
  await complaints.nameAnotherAccount(id);
  await fixture.run(id, 'payout');
  expect((await fixture.see(id)).state).toBe('completed');
  expect(await validRefunds(id)).toEqual([]);
});

test('lets the sender correct the account once the refund has failed', async () => {
  const id = await refundable(10_000n);
  fixture.stripe.setAccount({ uncoveredRefunds: 'pending' });
  await fixture.run(id, 'refund');
  await returnPayout(id);
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  fixture.stripe.failRefund(data[0]?.id ?? '');
  await syncPayment(fixture.context, id);
  await complaints.nameAnotherAccount(id);
  await fixture.run(id, 'payout');
  expect((await fixture.see(id)).state).toBe('completed');
});

test('pays another account after two people accept the refunded amount as a loss', async () => {
  const id = await refundable(350n);
  await fixture.run(id, 'refund');
  await returnPayout(id);
  const { request } = await desk.act(id, 'release_hold');
  await expect(complaints.nameAnotherAccount(id)).rejects.toEqual(refusal('account_not_correctable'));
  await desk.decide(request?.id ?? '', desk.luis);
  await complaints.nameAnotherAccount(id);
  await fixture.run(id, 'payout');
  expect((await fixture.see(id)).state).toBe('completed');
  expect(await validRefunds(id)).toEqual([350]);
});
