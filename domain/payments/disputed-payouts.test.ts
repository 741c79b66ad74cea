import type { Stripe } from 'stripe';
import { describe, expect, it, vi } from 'vitest';
import { chargedBack, paidOut, useDisputeFixture } from '../../testing/dispute-fixture.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { BankUnavailableError } from '../providers/bank.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { syncDisputes } from './sync-disputes.ts';
import { syncPayment } from './sync-payment.ts';

const { fixture, disputesOf, createDisputed, decide } = useDisputeFixture();

describe('a dispute that Stripe settled before it was opened', () => {
  it('before the payout has returned the money: it stops the payout and opens a case', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.stripe.openDispute(await fixture.intentId(id), { prevented: 'resolution' });
    await syncDisputes(fixture.context, id);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    expect(await fixture.balances(id)).toEqual({});
  });

  it('after the payout is our loss and opens a case', async () => {
    const { id } = await createDisputed({ prevented: 'resolution' });
    await syncDisputes(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    expect(await fixture.balances(id)).toEqual({ ...chargedBack, 'loss EUR': '-10000' });
  });

  it('without a withdrawal changes nothing', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.stripe.openDispute(await fixture.intentId(id), { prevented: 'block' });
    await syncDisputes(fixture.context, id);
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await fixture.openCases(id)).toEqual([]);
  });
});

describe('a lost dispute that may be appealed', () => {
  it('stays our loss until the appeal is won', async () => {
    const { id, disputeId } = await createDisputed();
    await decide(id, disputeId, 'lost');
    const lost = await fixture.balances(id);
    await decide(id, disputeId, 'appealable');
    expect(await fixture.balances(id)).toEqual(lost);
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    expect(await disputesOf(id)).toMatchObject([{ status: 'appeal_needs_response', booking: 'lost' }]);
    await decide(id, disputeId, 'won');
    expect(await fixture.balances(id)).toEqual(paidOut);
    expect(await fixture.openCases(id)).toEqual([]);
  });
});

describe('a dispute that was won and returned only a part', () => {
  /** Makes Stripe return 40 EUR of the withdrawn amount. */
  function inPart() {
    const { stripe } = fixture.context;
    const list = async (query: Stripe.DisputeListParams) => {
      const page = await stripe.disputes.list(query);
      const partly = (one: Stripe.BalanceTransaction) => (one.amount > 0 ? { ...one, amount: 4_000 } : one);
      const data = page.data.map((one) => ({ ...one, balance_transactions: one.balance_transactions.map(partly) }));
      return { ...page, data };
    };
    return { ...fixture.context, stripe: Object.assign(Object.create(stripe), { disputes: { list } }) };
  }

  it('after the payout opens a case and is not closed as won', async () => {
    const { id, disputeId } = await createDisputed();
    await syncDisputes(fixture.context, id);
    fixture.stripe.decideDispute(disputeId, 'won');
    await syncDisputes(inPart(), id);
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    const opened = (await fixture.cases(id)).find(({ reason }) => reason === 'dispute_opened');
    expect(opened).toMatchObject({ outcome: 'dispute_lost' });
    await syncDisputes(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('before the payout holds it, with a case to decide', async () => {
    const id = await fixture.create({ state: 'captured' });
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    fixture.stripe.decideDispute(disputeId, 'won');
    await syncDisputes(inPart(), id);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
  });
});

describe('a dispute before the payout', () => {
  it('holds the payout and resumes it when won', async () => {
    const id = await fixture.create({ state: 'captured' });
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
    await decide(id, disputeId, 'won');
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await fixture.balances(id)).toEqual(paidOut);
  });

  it('does not forget a payout that the bank made although its answer was lost', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/' });
    await fixture.run(id, 'payout');
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    fixture.now = new Date(fixture.now.getTime() + 2_000);
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    await decide(id, disputeId, 'won');
    expect(await fixture.balances(id)).toEqual(paidOut);
  });

  it('is not booked as a refund when the payout was sent after the reading', async () => {
    const id = await fixture.create({ state: 'captured' });
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    fixture.stripe.decideDispute(disputeId, 'lost');
    const { database } = fixture.context;
    let isFirst = true;
    const transaction: typeof database.transaction = async (work) => {
      if (isFirst) {
        isFirst = false;
        fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
        await fixture.run(id, 'payout');
      }
      return database.transaction(work);
    };
    await syncDisputes({ ...fixture.context, database: Object.assign(Object.create(database), { transaction }) }, id);
    expect(fixture.payouts(id)).toMatchObject([{ status: 'paid' }]);
    expect(await fixture.see(id)).toMatchObject({ state: 'completed' });
    expect(await disputesOf(id)).toMatchObject([{ booking: 'lost' }]);
  });

  it('resumes the payout at once when the dispute is won during a held attempt', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'drop', path: '^/bank/' });
    await fixture.run(id, 'payout');
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    fixture.now = new Date(fixture.now.getTime() + 2_000);
    const find = vi.spyOn(fixture.context.bank, 'find').mockImplementationOnce(async () => {
      await decide(id, disputeId, 'won');
      return null;
    });
    await fixture.run(id, 'payout');
    find.mockRestore();
    expect(await fixture.operations(id, 'payout')).toMatchObject([
      { status: 'in_flight', lastError: 'held: dispute_open' },
    ]);
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await fixture.balances(id)).toEqual(paidOut);
  });

  it('ends the transfer as refunded without a payout when it is lost', async () => {
    const id = await fixture.create({ state: 'captured' });
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    await decide(id, disputeId, 'lost');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
    expect(await fixture.balances(id)).toEqual({});
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
  });

  it('is possible after the bank returned the payment, too', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.setMode({ rejectNext: 1 });
    await fixture.run(id, 'payout');
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    await fixture.database.transaction((em) => moveTransfer(em, id, 'give_up_payout', { at: fixture.now }));
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunding');
    await decide(id, disputeId, 'lost');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.balances(id)).toEqual({});
  });
});

describe('a dispute that is lost while the outcome of the payout is unknown', () => {
  it('is settled by the bank’s answer once it arrives', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
    await fixture.run(id, 'payout');
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    fixture.stripe.decideDispute(disputeId, 'lost');
    fixture.bank.failNext({ kind: 'drop', path: '^/bank/', method: 'GET' });
    await expect(syncDisputes(fixture.context, id)).rejects.toBeInstanceOf(BankUnavailableError);
    expect((await fixture.see(id)).state).toBe('captured');
    await syncDisputes(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await disputesOf(id)).toMatchObject([{ status: 'lost', booking: 'lost' }]);
    expect(await fixture.balances(id)).toEqual({ ...chargedBack, 'loss EUR': '-10000' });
  });
});

describe('a dispute during a refund', () => {
  /** A transfer whose payout the bank refused, disputed before its refund. */
  async function createRefunding() {
    const id = await fixture.createRefunding();
    const disputeId = fixture.stripe.openDispute(await fixture.intentId(id)).id;
    await syncDisputes(fixture.context, id);
    await fixture.run(id, 'refund');
    return { id, disputeId };
  }

  it('holds the refund, with the reason, until it is won', async () => {
    const { id, disputeId } = await createRefunding();
    expect(await fixture.operations(id, 'refund')).toMatchObject([
      { status: 'in_flight', attempts: 0, lastError: 'held: dispute_open' },
    ]);
    expect(fixture.stripe.calls.filter(({ path, method }) => path === '/v1/refunds' && method === 'POST')).toEqual([]);
    await decide(id, disputeId, 'won');
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.balances(id)).toEqual({});
  });

  it('is the refund when it is lost: the sender has the money back once, and nothing is left in the books', async () => {
    const { id, disputeId } = await createRefunding();
    await decide(id, disputeId, 'lost');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.balances(id)).toEqual({});
    await fixture.run(id, 'refund');
    await syncPayment(fixture.context, id);
    expect((await fixture.intent(id)).latest_charge?.amount_refunded).toBe(0);
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.openCases(id)).toContain('dispute_lost');
  });
});

describe('a payment that the bank returns after the dispute of its charge was lost', () => {
  /**
   * A paid transfer of which all or a part (minor units) was lost in a dispute and whose payout the bank then returned
   * in full.
   */
  async function createReturned(amount?: number) {
    const { id, disputeId } = await createDisputed(amount ? { amount } : {});
    await decide(id, disputeId, 'lost');
    fixture.bank.returnPayout(id);
    await sweepBankReturns(fixture.context);
    return { id, disputeId };
  }

  it('ends as refunded: the chargeback returned everything to the sender, and nothing is owed', async () => {
    const { id } = await createReturned();
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await disputesOf(id)).toMatchObject([{ status: 'lost', booking: 'refund' }]);
    expect(await fixture.balances(id)).toEqual({});
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    await syncPayment(fixture.context, id);
    expect(await fixture.balances(id)).toEqual({});
  });

  it('waits for another account when a part was lost, and owes its sender only the rest', async () => {
    const { id, disputeId } = await createReturned(4_000);
    expect((await fixture.see(id)).state).toBe('payout_failed');
    expect(await fixture.balances(id)).toMatchObject({ 'card_processor EUR': '-6000', 'loss EUR': '-4000' });
    await fixture.cancel(id);
    expect((await fixture.see(id)).state).toBe('refunding');
    expect(await fixture.balances(id)).toEqual({ 'card_processor EUR': '-6000', 'refund_due EUR': '6000' });
    expect(await fixture.operations(id, 'refund')).toMatchObject([
      { status: 'succeeded', amountMinor: 4_000n, providerReference: disputeId },
      { status: 'pending', amountMinor: 6_000n },
    ]);
    // Stripe refunds nothing of a charged-back charge: a person has to pay the rest by other means.
    await fixture.run(id, 'refund');
    expect(await fixture.openCases(id)).toEqual(['dispute_lost', 'operation_refused']);
    expect(await fixture.balances(id)).toEqual({ 'card_processor EUR': '-6000', 'refund_due EUR': '6000' });
  });

  it('is still our loss when only a part of the payment was returned', async () => {
    const { id, disputeId } = await createDisputed();
    await decide(id, disputeId, 'lost');
    fixture.bank.returnPayout(id, { amount: '1000.00' });
    await sweepBankReturns(fixture.context);
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await disputesOf(id)).toMatchObject([{ status: 'lost', booking: 'lost' }]);
    expect(await fixture.balances(id)).toEqual({
      ...{ ...chargedBack, 'bank BOB': '29117', 'payout_due BOB': '100000', 'loss EUR': '-10000' },
    });
    fixture.bank.returnPayout(id, { amount: '291.17' });
    await sweepBankReturns(fixture.context);
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.balances(id)).toEqual({});
  });

  it('while the dispute is open waits for its end: lost, it is the refund', async () => {
    const { id, disputeId } = await createDisputed();
    await syncDisputes(fixture.context, id);
    fixture.bank.returnPayout(id);
    await sweepBankReturns(fixture.context);
    await fixture.cancel(id);
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunding');
    await decide(id, disputeId, 'lost');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.balances(id)).toEqual({});
  });

  it('while the dispute is open waits for its end: won, the card is refunded', async () => {
    const { id, disputeId } = await createDisputed();
    await syncDisputes(fixture.context, id);
    fixture.bank.returnPayout(id);
    await sweepBankReturns(fixture.context);
    await fixture.cancel(id);
    await fixture.run(id, 'refund');
    await decide(id, disputeId, 'won');
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect((await fixture.intent(id)).latest_charge?.amount_refunded).toBe(10_000);
    expect(await fixture.balances(id)).toEqual({});
  });
});
