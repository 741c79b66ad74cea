import { expect, test } from 'vitest';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { type Dispute, findDisputes } from '../disputes/dispute.repository.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { collectEvidence } from './evidence.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

async function createReturned(amount?: string): Promise<string> {
  const id = await complaints.createPaidByCard();
  fixture.bank.returnPayout(id, amount ? { amount } : {});
  await sweepBankReturns(fixture.context);
  return id;
}

async function createPaidByHand(): Promise<string> {
  const id = await desk.createRejected();
  await desk.settle(id, 'pay_by_hand');
  return id;
}

/** A transfer with a second payout after the bank had returned the whole first one. */
async function createPaidTwiceAndReturned(): Promise<string> {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, { remedy: 'pay_again', payout: 50_000n });
  await complaints.approve(report.id);
  await fixture.run(id, 'payout');
  fixture.bank.returnPayout(id);
  await sweepBankReturns(fixture.context);
  return id;
}

test.each([
  [
    'paid it',
    () => complaints.createPaidByCard(),
    '1291.17 BOB paid to',
    '1291.17 BOB',
    /^1291\.17 BOB, reference \S+$/,
    true,
  ],
  [
    'rejected it and an admin paid by other means',
    createPaidByHand,
    '1291.17 BOB paid to',
    '1291.17 BOB',
    /^1291\.17 BOB, reference BNB-991, paid by a person, not necessarily to the account$/,
    true,
  ],
  ['refused it', () => desk.createRejected(), 'not paid.', '0.00 BOB', undefined, false],
  [
    'returned it',
    () => createReturned(),
    'not paid.',
    '0.00 BOB',
    /^1291\.17 BOB, reference \S+; the bank returned 1291\.17 BOB$/,
    false,
  ],
  [
    'returned a part of it',
    () => createReturned('1000.00'),
    'of which 291.17 BOB are paid.',
    '291.17 BOB',
    /^1291\.17 BOB, reference \S+; the bank returned 1000\.00 BOB$/,
    true,
  ],
  [
    'returned it after a second payout',
    createPaidTwiceAndReturned,
    'of which 500.00 BOB are paid.',
    '500.00 BOB',
    /^500\.00 BOB, reference \S+, to the account that ends in \d{4}$/,
    false,
  ],
] as const)(
  'states how much of a payout arrived after the bank %s',
  async (_, create, sold, kept, payout, isDelivered) => {
    const id = await create();
    fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    const [dispute] = await findDisputes(fixture.database.fork(), id);
    const evidence = await collectEvidence(fixture.database.fork(), fixture.context.stripe, dispute as Dispute);
    const facts = Object.fromEntries(evidence.sections.find(({ title }) => title === 'Delivery')?.facts ?? []);
    expect(evidence.product).toContain(sold);
    expect(evidence.product.includes('1291.17 BOB paid to')).toBe(kept === '1291.17 BOB');
    expect(facts['Paid and not returned by the bank']).toBe(kept);
    if (payout) expect(facts.Payout).toMatch(payout);
    else expect(facts).not.toHaveProperty('Payout');
    const deposited = (await fixture.history(id)).find(({ move }) => move === 'pay_out' || move === 'pay_by_hand')?.at;
    expect(evidence.serviceDate).toBe(isDelivered ? deposited?.toISOString().slice(0, 10) : null);
    expect(facts['Paid to the recipient']).toMatch(isDelivered ? /UTC$/ : /^none$/);
  },
);
