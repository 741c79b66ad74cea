import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, secondMs } from '#core/time/time';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import { Email } from '../emails/email.entity.ts';
import { syncFraudWarnings } from '../payments/fraud-warnings.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { expireCorrections } from './expire-corrections.ts';

const fixture = usePaymentFixture();
let began: Date;
beforeEach(() => {
  began = new Date();
  fixture.now = began;
});
afterEach(() => fixture.bank.setMode({}));

/** A transfer whose account the bank rejected. */
async function createRefused(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  fixture.bank.setMode({ rejectNext: 1 });
  await fixture.run(id, 'payout');
  return id;
}

/** Runs the sweep this many days after the bank's rejection. */
async function sweepAfter(days: number): Promise<void> {
  fixture.now = new Date(began.getTime() + days * dayMs);
  await expireCorrections(fixture.context);
}

const stateOf = async (id: string) => (await fixture.see(id)).state;
const emailsAbout = async (id: string): Promise<string[]> => {
  const emails = await fixture.database
    .fork()
    .find(Email, { userId: (await fixture.see(id)).userId, key: { $like: `account_%${id}%` } });
  return emails.map(({ kind }) => kind);
};
/** Expects a refund without an e-mail about a missed correction, which the sender could not make. */
async function expectNotBlamed(id: string): Promise<void> {
  const reason = 'El banco no pudo pagar a esa cuenta: tu dinero vuelve completo a tu tarjeta.';
  expect(await fixture.see(id)).toMatchObject({ state: 'refunding', reason });
  const emails = await fixture.database.fork().find(Email, { key: { $like: `account_%${id}%` } });
  expect(emails).toMatchObject([{ kind: 'account_not_corrected', data: { mayCorrect: false } }]);
}
const deadline = () => new Date(began.getTime() + 7 * dayMs);

describe('a rejected account that is not corrected', () => {
  it('causes three reminders, then a refund with an e-mail to the sender', async () => {
    const id = await createRefused();
    expect(await toTransferView(fixture.database.fork(), await fixture.see(id), fixture.now)).toMatchObject({
      correctAccountBy: deadline().toISOString(),
    });
    const [request] = await fixture.database
      .fork()
      .find(Email, { kind: 'payout_failed' }, { orderBy: { createdAt: 'desc' } });
    expect(request?.data).toMatchObject({ correctBy: deadline().toISOString() });
    const seen: number[] = [];
    for (const days of [0.5, 1, 1.5, 3, 4, 6, 6.9]) {
      await sweepAfter(days);
      await expireCorrections(fixture.context);
      seen.push((await emailsAbout(id)).length);
    }
    expect(seen).toEqual([0, 1, 1, 2, 2, 3, 3]);
    expect(await stateOf(id)).toBe('payout_failed');
    fixture.now = deadline();
    await Promise.all([expireCorrections(fixture.context), expireCorrections(fixture.context)]);
    await expireCorrections(fixture.context);
    expect(await fixture.see(id)).toMatchObject({
      state: 'refunding',
      reason: 'La cuenta no se corrigió a tiempo: tu dinero vuelve completo a tu tarjeta.',
    });
    expect((await emailsAbout(id)).filter((kind) => kind === 'account_not_corrected')).toHaveLength(1);
    await fixture.run(id, 'refund');
    await fixture.expectOutcome(id, 'refunded');
    expect(await fixture.openCases(id)).toEqual([]);
    const view = await toTransferView(fixture.database.fork(), await fixture.see(id), fixture.now);
    expect(view.correctAccountBy).toBeNull();
  });

  it('gets a new deadline when the bank returns the payment to the corrected account', async () => {
    const id = await createRefused();
    fixture.now = new Date(began.getTime() + 5 * dayMs);
    await fixture.database.transaction((em) => moveTransfer(em, id, 'pay_again', { at: fixture.now }));
    await fixture.run(id, 'payout');
    fixture.bank.returnPayout(`${id}-2`);
    await sweepBankReturns(fixture.context);
    await sweepAfter(11.9);
    expect(await stateOf(id)).toBe('payout_failed');
    await sweepAfter(12);
    expect(await stateOf(id)).toBe('refunding');
  });

  it('is left alone once its sender corrected it', async () => {
    const id = await createRefused();
    await fixture.database.transaction((em) => moveTransfer(em, id, 'pay_again', { at: fixture.now }));
    await sweepAfter(8);
    expect(await stateOf(id)).toBe('captured');
    expect(await emailsAbout(id)).toEqual([]);
  });

  it('waits while the charge is disputed, and is refunded once the dispute is won', async () => {
    const id = await createRefused();
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    await sweepAfter(8);
    expect(await stateOf(id)).toBe('payout_failed');
    expect(await emailsAbout(id)).toEqual([]);
    fixture.stripe.decideDispute(disputeId, 'won');
    await syncDisputes(fixture.context, id);
    await sweepAfter(8);
    expect(await stateOf(id)).toBe('refunding');
  });

  it('waits while a case of another kind is open, which decides about the money', async () => {
    const id = await createRefused();
    await fixture.database.transaction((em) =>
      openCase(em, { transferId: id, reason: 'contradiction', at: fixture.now }),
    );
    await sweepAfter(8);
    expect(await stateOf(id)).toBe('payout_failed');
  });

  it('does not mention a deadline that has passed', async () => {
    const id = await createRefused();
    const later = new Date(deadline().getTime() + secondMs);
    expect((await toTransferView(fixture.database.fork(), await fixture.see(id), later)).correctAccountBy).toBeNull();
  });

  it('does not offer a correction after a fraud warning, and refunds at the deadline', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_createIssuerFraudRecord' });
    fixture.bank.setMode({ rejectNext: 1 });
    await fixture.run(id, 'payout');
    await fixture.stripe.idle();
    await syncFraudWarnings(fixture.context, id);
    const view = await toTransferView(fixture.database.fork(), await fixture.see(id), fixture.now);
    expect(view).toMatchObject({ state: 'payout_failed', correctAccountBy: null, cancellable: true });
    for (const days of [1, 3, 6]) await sweepAfter(days);
    expect(await emailsAbout(id)).toEqual([]);
    await sweepAfter(8);
    await expectNotBlamed(id);
  });

  it('does not ask for another account when the bank returns a payment after a fraud warning', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_createIssuerFraudRecord' });
    await fixture.run(id, 'payout');
    await fixture.stripe.idle();
    await syncFraudWarnings(fixture.context, id);
    fixture.bank.returnPayout(id);
    await sweepBankReturns(fixture.context);
    expect(await stateOf(id)).toBe('payout_failed');
    const emails = await fixture.database.fork().find(Email, { kind: 'payout_failed', data: { transferId: id } });
    expect(emails.map(({ data }) => data)).toMatchObject([{ returned: true, correctBy: null }]);
  });

  it('N9: sends a blocked sender no reminder, and refunds at the deadline', async () => {
    const id = await fixture.create({ state: 'captured' });
    await fixture.run(id, 'payout');
    const { userId } = await fixture.see(id);
    const block = (moment: string) =>
      fixture.database.fork().execute(`update app_user set blocked_at = ${moment} where id = ?`, [userId]);
    await block('now()');
    try {
      fixture.bank.returnPayout(id);
      await sweepBankReturns(fixture.context);
      expect(await fixture.openCases(id)).toEqual(['payout_returned']);
      expect(await fixture.database.fork().count(Email, { kind: 'payout_failed', data: { transferId: id } })).toBe(0);
      for (const days of [1, 3, 6]) await sweepAfter(days);
      expect(await emailsAbout(id)).toEqual([]);
      await sweepAfter(8);
      await expectNotBlamed(id);
    } finally {
      await block('null');
    }
  });
});
