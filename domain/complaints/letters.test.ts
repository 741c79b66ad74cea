import { expect, test } from 'vitest';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { attemptNow } from '../../testing/operations.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { sweepCorrections } from '../corrections/correct.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

/** The English letter about a correction, with all paragraphs joined. */
async function correctedLetter(reportId: string): Promise<string> {
  const { letters } = await complaints.view(reportId);
  const last = letters.findLast(({ kind }) => kind === 'corrected');
  return last?.texts.find(({ language }) => language === 'en')?.paragraphs.join(' ') ?? '';
}

test('a letter states the refund if the announced second payout was not made', async () => {
  const id = await desk.createRejected();
  await complaints.fromUnitedStates(id);
  const report = await complaints.report(id, 'not_received');
  await complaints.conclude(report.id, { remedy: 'pay_again' });
  await fixture.cancel(id);
  await fixture.run(id, 'refund');
  expect((await fixture.see(id)).state).toBe('refunded');
  expect(await correctedLetter(report.id)).toMatch(/^We returned EUR 100\.00 to your card\. /);
});

test('a letter states the amount of a correction that was smaller than announced', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, { remedy: 'refund', amount: 6_000n });
  await complaints.approve(report.id);
  await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 8_000 });
  for (let step = 0; step < 3; step += 1) {
    fixture.later(60_000);
    for (const one of await fixture.dueOperations(id)) await attemptNow(fixture.context, one.id);
  }
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  expect(data.map(({ amount }) => amount).toSorted()).toEqual([2_000, 8_000]);
  const letter = await correctedLetter(report.id);
  expect(letter).toMatch(/^We returned EUR 20\.00 to your card\. /);
  expect(letter).toContain('We had announced EUR 60.00.');
});

test('a letter states the refund by bank transfer, and mentions no fee that was not refunded', async () => {
  const id = await desk.createRejected();
  const report = await complaints.report(id, 'not_received');
  await complaints.conclude(report.id, { remedy: 'refund', amount: 10_000n });
  await complaints.approve(report.id).catch(() => undefined);
  fixture.stripe.failNext({ kind: 'error', status: 400, path: '^/v1/refunds$', method: 'POST' });
  await fixture.run(id, 'refund');
  await desk.settle(id, 'refund_by_hand', {});
  expect(await correctedLetter(report.id)).toMatch(/^We returned EUR 100\.00 by bank transfer and not to your card\. /);
});

test('a letter states how much of a correcting payout the bank returned', async () => {
  const id = await desk.createRejected();
  const report = await complaints.report(id, 'not_received');
  await complaints.conclude(report.id, { remedy: 'pay_again' });
  await fixture.database.transaction((em) => moveTransfer(em, id, 'pay_again', { at: fixture.now }));
  await fixture.run(id, 'payout');
  fixture.bank.returnPayout(`${id}-2`, { amount: '1000.00' });
  await sweepBankReturns(fixture.context);
  await sweepCorrections(fixture.context);
  // The fee is refunded before the report is closed.
  await fixture.run(id, 'refund');
  expect(await correctedLetter(report.id)).toMatch(
    /^The bank paid your family, and then returned BOB 1,000\.00 of it\. .* We also returned the fee: EUR 3\.50 to your card\. /,
  );
});
