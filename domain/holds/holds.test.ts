import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, test } from 'vitest';
import { createTestUser } from '../../testing/accounts.ts';
import { refusal, useDeskFixture } from '../../testing/desk-fixture.ts';
import { setBlocked } from '../account-oversight/account-oversight.repository.ts';
import { viewCase } from '../desk-actions/desk.ts';
import { syncFraudWarnings } from '../payments/fraud-warnings.ts';
import { syncRefunds } from '../payments/refund.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;
const fraudulentCard = 'pm_card_createIssuerFraudRecord';

afterEach(() => fixture.bank.setMode({}));

const stateOf = async (id: string) => (await fixture.see(id)).state;
const caseOf = async (id: string) => {
  const { id: caseId } = await desk.caseOf(id);
  return viewCase(fixture.database.fork(), caseId, { viewerId: desk.luis, at: fixture.now });
};
const lastPayout = async (id: string) => (await desk.payoutsOf(id)).at(-1);

/** Expects that nothing was paid and the payout waits for this reason. */
async function expectHeld(id: string, reason: string): Promise<void> {
  await fixture.run(id, 'payout');
  expect(fixture.payouts(id)).toEqual([]);
  expect(await lastPayout(id)).toMatchObject({ status: 'in_flight', lastError: `held: ${reason}`, sentAt: null });
}

/** Two admins release a transfer despite its case. */
async function release(id: string): Promise<void> {
  const response = await desk.act(id, 'release_hold');
  expect(response.request).toMatchObject({ action: 'release_hold' });
  await expect(desk.decide(response.request?.id ?? '', desk.ana)).rejects.toEqual(refusal('own_request'));
  await expectHeldStill(id);
  await desk.decide(response.request?.id ?? '', desk.luis);
  await fixture.run(id, 'payout');
  expect(await stateOf(id)).toBe('completed');
}

async function expectHeldStill(id: string): Promise<void> {
  await fixture.run(id, 'payout');
  expect(fixture.payouts(id)).toEqual([]);
}

describe('a charge about part of which a dispute was lost', () => {
  async function createLostInPart(): Promise<string> {
    const id = await fixture.create({ state: 'captured' });
    const intentId = await fixture.intentId(id);
    const { id: disputeId } = fixture.stripe.openDispute(intentId, { amount: 5_000 });
    await syncDisputes(fixture.context, id);
    fixture.stripe.decideDispute(disputeId, 'lost');
    await syncDisputes(fixture.context, id);
    return id;
  }

  it('is not paid out as if it were whole', async () => {
    const id = await createLostInPart();
    await expectHeld(id, 'dispute_lost');
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    expect((await caseOf(id)).actions).toEqual(['give_up_and_refund', 'release_hold']);
  });

  it('is paid out exactly once after two admins accept the loss', async () => {
    await release(await createLostInPart());
  });
});

describe('a fraud warning after the approval', () => {
  it('holds the payout until two admins release it', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: fraudulentCard });
    await fixture.stripe.idle();
    await syncFraudWarnings(fixture.context, id);
    await expectHeld(id, 'fraud_warning');
    await release(id);
  });

  it('blocks the capture, and an admin may withdraw the approval', async () => {
    const id = await fixture.create({ paymentMethod: fraudulentCard });
    await fixture.stripe.idle();
    await syncFraudWarnings(fixture.context, id);
    await fixture.run(id, 'capture');
    expect(await fixture.operations(id, 'capture')).toMatchObject([{ lastError: 'held: fraud_warning', sentAt: null }]);
    expect(await stateOf(id)).toBe('approved');
    await desk.act(id, 'give_up_and_refund');
    await fixture.run(id, 'void');
    expect(await fixture.see(id)).toMatchObject({ state: 'rejected', authorizationVoidedAt: expect.any(Date) });
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('refunds the sender when an admin decides so', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: fraudulentCard });
    await fixture.stripe.idle();
    await syncFraudWarnings(fixture.context, id);
    await expectHeld(id, 'fraud_warning');
    await desk.act(id, 'give_up_and_refund');
    await fixture.run(id, 'refund');
    await fixture.expectOutcome(id, 'refunded');
  });

  it('that ends in a dispute never leaves the payout unheld', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: fraudulentCard });
    await fixture.stripe.idle();
    await syncFraudWarnings(fixture.context, id);
    await expectHeld(id, 'fraud_warning');
    fixture.stripe.openDispute(await fixture.intentId(id));
    // The event about the dispute has not been handled yet.
    await syncFraudWarnings(fixture.context, id);
    await expectHeld(id, 'dispute_open');
  });
});

describe('a refund in Stripe’s dashboard before the payout', () => {
  const refundOutside = async (id: string, amount: number) => {
    await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount });
    await syncPayment(fixture.context, id);
  };

  it('in part holds the whole payout', async () => {
    const id = await fixture.create({ state: 'captured' });
    await refundOutside(id, 9_900);
    await expectHeld(id, 'refund_outside');
    expect((await caseOf(id)).actions).toEqual(['give_up_and_refund', 'release_hold']);
    await desk.act(id, 'give_up_and_refund');
    await fixture.run(id, 'refund');
    await fixture.expectOutcome(id, 'refunded');
  });

  it('that is still pending holds the payout', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_pendingRefund' });
    const { stripe } = fixture.context;
    const refund = await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id) });
    // Stripe reports it as pending for days; the simulator's refund succeeds at once.
    const list = async () => ({ data: [{ ...refund, status: 'pending' }] });
    const pending = Object.assign(Object.create(stripe), { refunds: { list } });
    await syncRefunds({ ...fixture.context, stripe: pending }, await fixture.see(id));
    await expectHeld(id, 'refund_outside');
  });
});

test('an inquiry of the card’s bank holds the payout until it is closed', async () => {
  const id = await fixture.create({ state: 'captured' });
  const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id), { inquiry: true });
  await syncDisputes(fixture.context, id);
  await expectHeld(id, 'inquiry_open');
  expect((await caseOf(id)).actions).toEqual(['give_up_and_refund', 'release_hold']);
  fixture.stripe.decideDispute(disputeId, 'won');
  await syncDisputes(fixture.context, id);
  await fixture.run(id, 'payout');
  expect(await stateOf(id)).toBe('completed');
});

describe('a blocked sender', () => {
  const block = (userId: string, blocked: boolean) =>
    fixture.database.transaction((em) =>
      setBlocked(em, { userId, blocked, reason: 'Tarjeta robada', adminId: desk.ana, at: fixture.now }),
    );

  async function createOwn(): Promise<{ id: string; userId: string }> {
    const { id: userId } = await createTestUser(fixture.database);
    return { id: await fixture.create({ state: 'captured', userId }), userId };
  }

  it('has their money held with a case, and it resumes once the block is lifted', async () => {
    const { id, userId } = await createOwn();
    await block(userId, true);
    await expectHeld(id, 'sender_blocked');
    expect(await fixture.openCases(id)).toEqual(['sender_blocked']);
    await block(userId, false);
    expect(await fixture.openCases(id)).toEqual([]);
    await fixture.run(id, 'payout');
    expect(await stateOf(id)).toBe('completed');
  });

  it('can be refunded', async () => {
    const { id, userId } = await createOwn();
    await block(userId, true);
    await desk.act(id, 'give_up_and_refund');
    await fixture.run(id, 'refund');
    await fixture.expectOutcome(id, 'refunded');
    expect(await fixture.openCases(id)).toEqual([]);
  });
});

test('a hold is recorded as released only for a request that a second person approved', async () => {
  const id = await fixture.create({ state: 'captured' });
  const insert = fixture.database
    .fork()
    .execute(
      `insert into hold_release (transfer_id, reason, subject, request_id, at) values (?, 'fraud_warning', 'misc', ?, now())`,
      [id, randomUUID()],
    );
  await expect(insert).rejects.toThrow('a hold is released by two people only');
});
