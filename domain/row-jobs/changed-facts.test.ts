import { expect, test } from 'vitest';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { refusal } from '../../testing/desk-fixture.ts';
import { setBlocked } from '../account-oversight/account-oversight.repository.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { HoldRelease } from '../holds/hold-release.entity.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';

// A second person approves exactly what the first one saw: returned payouts and a block of the sender invalidate
// earlier requests.

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

async function returnPayout(externalId: string, amount?: string): Promise<void> {
  fixture.bank.returnPayout(externalId, amount === undefined ? {} : { amount });
  await sweepBankReturns(fixture.context);
}

/** Loses a dispute about an amount of a transfer's charge, in cents; the full amount by default. */
async function loseDispute(id: string, amount?: number): Promise<void> {
  const dispute = fixture.stripe.openDispute(await fixture.intentId(id), amount === undefined ? {} : { amount });
  await syncDisputes(fixture.context, id);
  fixture.stripe.decideDispute(dispute.id, 'lost');
  await syncDisputes(fixture.context, id);
}

const caseIdOf = async (id: string, reason: string) =>
  (await fixture.cases(id)).find((one) => one.reason === reason && !one.resolvedAt)?.id ?? '';

const block = async (id: string, blocked: boolean) => {
  const { userId } = await fixture.see(id);
  const change = { userId, blocked, reason: 'Sospecha de fraude', adminId: desk.luis, at: fixture.now };
  await fixture.database.transaction((em) => setBlocked(em, change));
};

test('does not keep more of the rest than requested', async () => {
  const id = await complaints.createPaidByCard();
  await returnPayout(id, '100.00');
  await loseDispute(id);
  const caseId = await caseIdOf(id, 'payout_returned_in_part');
  const { request } = await desk.act(id, 'keep_rest', { caseId });
  await returnPayout(id, '500.00');
  await expect(desk.decide(request?.id ?? '', desk.luis)).rejects.toEqual(refusal('request_ended'));
  expect((await fixture.see(id)).restKeptMinor).toBe(0n);
  const again = await desk.act(id, 'keep_rest', { caseId });
  await desk.decide(again.request?.id ?? '', desk.luis);
  expect((await fixture.see(id)).restKeptMinor).toBe(60_000n);
});

test('does not release a block that was set after the release of a lost dispute was requested', async () => {
  const id = await complaints.createPaidByCard();
  await returnPayout(id, '600.00');
  await loseDispute(id, 1_000);
  const caseId = await caseIdOf(id, 'payout_returned_in_part');
  const { request } = await desk.act(id, 'release_hold', { caseId });
  await block(id, true);
  await expect(desk.decide(request?.id ?? '', desk.luis)).rejects.toEqual(refusal('request_ended'));
  expect(await fixture.database.fork().count(HoldRelease, { transferId: id })).toBe(0);
  await block(id, false);
});

test('a second return of a second payout ends a request about the rest', async () => {
  const id = await complaints.createPaidByCard();
  await returnPayout(id, '600.00');
  await desk.act(id, 'pay_rest');
  await fixture.run(id, 'payout');
  await returnPayout(`${id}-2`, '100.00');
  const { request } = await desk.act(id, 'pay_rest');
  expect(request).toMatchObject({ amount: '100.00', outcome: null });
  await returnPayout(`${id}-2`, '200.00');
  await expect(desk.decide(request?.id ?? '', desk.luis)).rejects.toEqual(refusal('request_ended'));
});
