import { expect, test } from 'vitest';
import { hourMs } from '#core/time/time';
import { createTestUser } from '../../testing/accounts.ts';
import { refusal, useDeskFixture } from '../../testing/desk-fixture.ts';
import { setBlocked } from '../account-oversight/account-oversight.repository.ts';
import { findApprovalRequest } from '../desk/desk-request.repository.ts';
import { syncFraudWarnings } from '../payments/fraud-warnings.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { type DecisionPolicy, decide } from '../review/decide.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;
const policy: DecisionPolicy = {
  limits: { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n },
  ...{ screens: false, screeningWaitMs: 0, twoPersonsUsdMinor: 200_000n, newDeviceUsdMinor: 50_000n, prices: null },
  rates: { everyMs: 2 * hourMs, pauseAfterMs: 24 * hourMs },
};
/** An admin's decision, with the waiting first approval as seen, if any. */
async function decision(decision: 'approve' | 'reject', transferId: string, adminId: string) {
  const waiting = await findApprovalRequest(fixture.database.fork(), transferId);
  const approvalRequestId = waiting?.id ?? null;
  const input = { transferId, decision, adminId, approvalRequestId, reason: 'Revisado', at: fixture.now } as const;
  return decide(fixture.database, input, policy);
}
const approve = (id: string, adminId: string) => decision('approve', id, adminId);
const stateOf = async (id: string) => (await fixture.see(id)).state;

async function createWarned(): Promise<string> {
  const id = await fixture.create({ state: 'in_review', paymentMethod: 'pm_card_createIssuerFraudRecord' });
  await fixture.stripe.idle();
  await syncFraudWarnings(fixture.context, id);
  return id;
}

test('a payment with a fraud warning needs two approvals, which release it, and a refund is proposed', async () => {
  const id = await createWarned();
  await approve(id, desk.ana);
  expect(await stateOf(id)).toBe('in_review');
  await expect(approve(id, desk.ana)).rejects.toEqual(refusal('own_request'));
  await approve(id, desk.luis);
  expect(await fixture.openCases(id)).toEqual(['fraud_warning']);
  await fixture.run(id, 'capture');
  await fixture.run(id, 'payout');
  expect(await stateOf(id)).toBe('completed');
});

test('an approval from before the warning is void after it', async () => {
  const id = await fixture.create({ state: 'in_review', paymentMethod: 'pm_card_createIssuerFraudRecord' });
  const large = { ...policy, twoPersonsUsdMinor: 1n };
  const input = { transferId: id, decision: 'approve', adminId: desk.ana, reason: null, at: fixture.now } as const;
  await decide(fixture.database, input, large);
  await fixture.stripe.idle();
  await syncFraudWarnings(fixture.context, id);
  await approve(id, desk.luis);
  expect(await stateOf(id)).toBe('in_review');
  await approve(id, desk.ana);
  expect(await stateOf(id)).toBe('approved');
});

test('one person can reject a payment with a warning', async () => {
  const id = await createWarned();
  await decision('reject', id, desk.ana);
  expect(await stateOf(id)).toBe('rejected');
});

test('a partly captured payment cannot be approved; its rejection refunds it completely', async () => {
  const id = await fixture.create({ state: 'in_review' });
  await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id), { amount_to_capture: 4_000 });
  await syncPayment(fixture.context, id);
  expect(await fixture.openCases(id)).toEqual(['captured_in_part']);
  await expect(approve(id, desk.ana)).rejects.toMatchObject({
    code: 'transfer_held',
    details: { holds: ['captured_in_part'] },
  });
  await decision('reject', id, desk.ana);
  await fixture.run(id, 'void');
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  expect(data.map(({ amount }) => amount)).toEqual([4_000]);
  expect(await fixture.openCases(id)).toEqual([]);
});

test('the payment of a blocked sender cannot be approved', async () => {
  const { id: userId } = await createTestUser(fixture.database);
  const id = await fixture.create({ state: 'in_review', userId });
  await fixture.database.transaction((em) =>
    setBlocked(em, { userId, blocked: true, reason: 'Tarjeta robada', adminId: desk.ana, at: fixture.now }),
  );
  await expect(approve(id, desk.luis)).rejects.toMatchObject({ details: { holds: ['sender_blocked'] } });
  await decision('reject', id, desk.luis);
  expect(await fixture.openCases(id)).toEqual([]);
});
