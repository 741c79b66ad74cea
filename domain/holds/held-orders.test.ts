import { describe, expect, it } from 'vitest';
import { caseOfHold } from '#core/operations/desk-action';
import { createTestUser } from '../../testing/accounts.ts';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { setBlocked } from '../account-oversight/account-oversight.repository.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { closeMissedCases } from '../desk/close-missed-cases.ts';
import { DeskCase } from '../desk/desk-case.entity.ts';
import { viewCase } from '../desk-actions/desk.ts';
import { syncFraudWarnings } from '../payments/fraud-warnings.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';

// Every operation held by a releasable hold has an open case for the release, even if the hold's own case was closed
// before.

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

const block = async (id: string, blocked: boolean) => {
  const { userId } = await fixture.see(id);
  const change = { userId, blocked, reason: 'Tarjeta robada', adminId: desk.ana, at: fixture.now };
  await fixture.database.transaction((em) => setBlocked(em, change));
};
const openDispute = async (id: string, options: Parameters<typeof fixture.stripe.openDispute>[1]) => {
  const dispute = fixture.stripe.openDispute(await fixture.intentId(id), options);
  await syncDisputes(fixture.context, id);
  return dispute;
};

/** Starts each hold. */
const begins = {
  fraud_warning: async (id: string) => {
    await fixture.stripe.idle();
    await syncFraudWarnings(fixture.context, id);
  },
  refund_outside: async (id: string) => {
    await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 100 });
    await syncPayment(fixture.context, id);
  },
  sender_blocked: (id: string) => block(id, true),
  lost_dispute: async (id: string) => {
    const { id: disputeId } = await openDispute(id, { amount: 100 });
    fixture.stripe.decideDispute(disputeId, 'lost');
    await syncDisputes(fixture.context, id);
  },
} as const;

/** Each hold, with each kind of movement that it holds. */
const held = [
  ['fraud_warning', 'capture', 'fraud_warning'],
  ['fraud_warning', 'payout', 'fraud_warning'],
  ['fraud_warning', 'second_payout', 'fraud_warning'],
  ['refund_outside', 'payout', 'refund_outside'],
  ['refund_outside', 'second_payout', 'refund_outside'],
  ['sender_blocked', 'capture', 'sender_blocked'],
  ['sender_blocked', 'payout', 'sender_blocked'],
  ['sender_blocked', 'second_payout', 'sender_blocked'],
  ['lost_dispute', 'payout', 'dispute_lost'],
  ['lost_dispute', 'second_payout', 'charged_back'],
] as const;

const states = { capture: 'approved', payout: 'captured', second_payout: 'captured' } as const;

async function create(name: keyof typeof begins, movement: keyof typeof states): Promise<string> {
  const { id: userId } = await createTestUser(fixture.database);
  const paymentMethod = name === 'fraud_warning' ? 'pm_card_createIssuerFraudRecord' : 'pm_card_visa';
  const id = await fixture.create({ state: states[movement], paymentMethod, userId });
  if (movement === 'second_payout') await fixture.run(id, 'payout');
  const order = async () => {
    const report = await complaints.report(id);
    await complaints.conclude(report.id, { remedy: 'pay_again', payout: 10_000n });
    await complaints.approve(report.id);
  };
  // No report orders a second payout after the charge was lost.
  const isFirst = movement === 'second_payout' && name === 'lost_dispute';
  if (isFirst) await order();
  await begins[name](id);
  // As if a person had closed them while nothing was held.
  await fixture.database
    .fork()
    .nativeUpdate(DeskCase, { transferId: id, resolvedAt: null }, { resolvedAt: fixture.now, resolution: 'Visto.' });
  if (movement === 'second_payout' && !isFirst) await order();
  return id;
}

describe.each(held)('%s that holds a %s without an open case', (name, movement, reason) => {
  it('gets a case at the next attempt, in which two people release it', async () => {
    const id = await create(name, movement);
    const kind = movement === 'capture' ? 'capture' : 'payout';
    await fixture.run(id, kind);
    const operation = (await fixture.operations(id, kind)).at(-1);
    expect(operation).toMatchObject({ status: 'in_flight', lastError: `held: ${reason}`, sentAt: null });
    expect(await fixture.openCases(id)).toEqual([caseOfHold[reason]]);
    await closeMissedCases(fixture.context);
    fixture.later(3_600_000);
    await fixture.run(id, kind);
    expect(await fixture.openCases(id)).toEqual([caseOfHold[reason]]);
    const { id: caseId, details } = await desk.caseOf(id);
    const closed = (await fixture.cases(id)).find((one) => one.resolvedAt && one.reason === caseOfHold[reason]);
    expect(details).toBe(closed?.details ?? null);
    const view = await viewCase(fixture.database.fork(), caseId, { viewerId: desk.ana, at: fixture.now });
    expect(view.actions).toContain('release_hold');
    expect(view.actions).not.toContain('resolve');
    const { request } = await desk.act(id, 'release_hold');
    await desk.decide(request?.id ?? '', desk.luis);
    await fixture.run(id, kind);
    expect((await fixture.operations(id, kind)).find((one) => one.id === operation?.id)).toMatchObject({
      status: 'succeeded',
    });
    if (movement === 'second_payout') expect(await fixture.openCases(id)).toEqual([]);
    if (name === 'sender_blocked') await block(id, false);
  });
});

describe('a second payout held by the block of its sender', () => {
  it('resumes, and its case closes, once the block is lifted', async () => {
    const id = await create('sender_blocked', 'second_payout');
    await fixture.run(id, 'payout');
    expect(await fixture.openCases(id)).toEqual(['sender_blocked']);
    await block(id, false);
    expect(await fixture.openCases(id)).toEqual([]);
    expect(await fixture.dueKinds(id)).toEqual(['payout']);
    await fixture.run(id, 'payout');
    expect((await fixture.operations(id, 'payout')).at(-1)).toMatchObject({ status: 'succeeded' });
  });
});

describe('the returned payout of a blocked sender’s transfer', () => {
  it('is paid again once two people release the block and a partly lost dispute together', async () => {
    const { id: userId } = await createTestUser(fixture.database);
    const id = await fixture.create({ state: 'captured', userId });
    await fixture.run(id, 'payout');
    await begins.lost_dispute(id);
    await desk.act(id, 'resolve');
    await block(id, true);
    fixture.bank.returnPayout(id, { amount: '500.00' });
    await sweepBankReturns(fixture.context);
    expect(await fixture.openCases(id)).toEqual(['payout_returned_in_part']);
    const { request } = await desk.act(id, 'release_hold');
    await desk.decide(request?.id ?? '', desk.luis);
    const paying = await desk.act(id, 'pay_rest');
    await desk.decide(paying.request?.id ?? '', desk.luis);
    await fixture.run(id, 'payout');
    expect(await fixture.see(id)).toMatchObject({ restPaidMinor: 50_000n });
    expect(await fixture.openCases(id)).toEqual([]);
    await block(id, false);
  });
});
