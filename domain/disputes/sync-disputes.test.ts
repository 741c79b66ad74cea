import { afterEach, describe, expect, it } from 'vitest';
import { handleStripeEvent } from '../payments/handle-stripe-event.ts';
import { storeStripeEvent } from '../payments/stripe-event.repository.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { sweepBankReturns } from '../payouts/sweep-bank-returns.ts';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { findDisputes } from './dispute.repository.ts';
import { syncDisputes } from './sync-disputes.ts';

const fixture = usePaymentFixture();
afterEach(() => {
  fixture.stripe.clearFaults();
  fixture.bank.setMode({});
});

const disputesOf = (id: string) => findDisputes(fixture.database.fork(), id);

/** A paid transfer, disputed at Stripe; the product does not know it yet. */
async function createDisputed(options: Parameters<typeof fixture.stripe.openDispute>[1] = {}) {
  const id = await fixture.create({ state: 'captured' });
  await fixture.run(id, 'payout');
  return { id, disputeId: fixture.stripe.openDispute(await fixture.intentId(id), options).id };
}

const decide = async (
  id: string,
  disputeId: string,
  decision: 'won' | 'lost' | 'escalated' | 'expired' | 'appealed',
) => {
  fixture.stripe.decideDispute(disputeId, decision);
  await syncDisputes(fixture.context, id);
};

const paidOut = {
  'bank BOB': '129117',
  'card_processor EUR': '-10000',
  'exchange BOB': '-129117',
  'exchange EUR': '9650',
  'fee_income EUR': '350',
};
const { 'card_processor EUR': _, ...taken } = paidOut;

describe('a dispute of a completed transfer', () => {
  it('opens a case and books what the card’s bank took', async () => {
    const { id, disputeId } = await createDisputed({ reason: 'product_not_received' });
    await syncDisputes(fixture.context, id);
    expect(await disputesOf(id)).toMatchObject([
      {
        ...{ id: disputeId, status: 'needs_response', reason: 'product_not_received', amountMinor: 10_000n },
        ...{ booking: 'withdrawn', refundable: false, feeMinor: 1_500n, submittedAt: null },
      },
    ]);
    expect((await disputesOf(id))[0]?.evidenceDueBy).toBeInstanceOf(Date);
    expect(await fixture.openCases(id)).toEqual(['dispute_opened']);
    expect(await fixture.balances(id)).toEqual({ ...taken, 'disputed EUR': '-10000' });
    expect((await fixture.see(id)).state).toBe('completed');
  });

  it('is read again by each event about it, in any order and number, with the same end', async () => {
    const { id, disputeId } = await createDisputed();
    fixture.stripe.decideDispute(disputeId, 'won');
    const types = ['created', 'funds_withdrawn', 'closed', 'funds_reinstated'];
    const events = (await Promise.all(types.map((type) => fixture.events(id, `charge.dispute.${type}`)))).flat();
    expect(events).toHaveLength(4);
    await fixture.database.transaction(async (em) => {
      for (const event of events.toReversed()) await storeStripeEvent(em, event, fixture.now);
    });
    await Promise.all(events.map((event) => handleStripeEvent(fixture.context, event.id)));
    for (const event of events) await handleStripeEvent(fixture.context, event.id);
    expect(await disputesOf(id)).toMatchObject([{ status: 'won', booking: 'none' }]);
    expect(await fixture.balances(id)).toEqual(paidOut);
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('is found by the sweep when every event about it got lost', async () => {
    const { id } = await createDisputed();
    await syncPayment(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual(['dispute_opened']);
  });

  it('gives the amount back and closes its case when it is won', async () => {
    const { id, disputeId } = await createDisputed();
    await syncDisputes(fixture.context, id);
    await decide(id, disputeId, 'won');
    expect(await fixture.balances(id)).toEqual(paidOut);
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it.each(['lost', 'expired'] as const)('is our loss with a case for a person when it is %s', async (decision) => {
    const { id, disputeId } = await createDisputed();
    await syncDisputes(fixture.context, id);
    await decide(id, disputeId, decision);
    expect(await disputesOf(id)).toMatchObject([{ status: 'lost', booking: 'lost' }]);
    expect(await fixture.balances(id)).toEqual({ ...taken, 'loss EUR': '-10000' });
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
  });

  it('may concern parts of the amount, each with its own end', async () => {
    const { id, disputeId } = await createDisputed({ amount: 4_000 });
    const other = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 6_000 }).id;
    await syncDisputes(fixture.context, id);
    expect(await fixture.balances(id)).toEqual({ ...taken, 'disputed EUR': '-10000' });
    await decide(id, disputeId, 'lost');
    expect(await fixture.openCases(id)).toEqual(['dispute_lost', 'dispute_opened']);
    await decide(id, other, 'won');
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    expect(await fixture.balances(id)).toEqual({ ...taken, 'card_processor EUR': '-6000', 'loss EUR': '-4000' });
  });
});

describe('an inquiry', () => {
  it('opens a case, moves no money, and closes it when it comes to nothing', async () => {
    const { id, disputeId } = await createDisputed({ inquiry: true });
    await syncDisputes(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual(['dispute_inquiry']);
    expect(await fixture.balances(id)).toEqual(paidOut);
    await decide(id, disputeId, 'won');
    expect(await disputesOf(id)).toMatchObject([{ status: 'warning_closed', booking: 'none' }]);
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('becomes a dispute when the bank is not content', async () => {
    const { id, disputeId } = await createDisputed({ inquiry: true });
    await syncDisputes(fixture.context, id);
    await decide(id, disputeId, 'escalated');
    expect(await fixture.openCases(id)).toEqual(['dispute_opened']);
    expect(await fixture.balances(id)).toEqual({ ...taken, 'disputed EUR': '-10000' });
  });
});

describe('a dispute of money that is on its way back', () => {
  /** A transfer whose payout the bank refused, disputed before its refund. */
  async function createRefunding() {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.setMode({ rejectNext: 1, rejection: { code: 'refused', message: 'No.' } });
    await fixture.run(id, 'payout');
    const disputeId = fixture.stripe.openDispute(await fixture.intentId(id)).id;
    await syncDisputes(fixture.context, id);
    await fixture.run(id, 'refund');
    return { id, disputeId };
  }

  it('holds the refund back, with the reason, until it is won', async () => {
    const { id, disputeId } = await createRefunding();
    expect(await fixture.operations(id, 'refund')).toMatchObject([
      { status: 'in_flight', attempts: 0, lastError: 'the holder of the card disputes the charge' },
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

describe('a dispute before the family was paid', () => {
  it('holds the payout back, and lets it go on when it is won', async () => {
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

  it('ends the transfer as returned when it is lost, and nobody is paid', async () => {
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

describe('a dispute that is lost while nobody knows what became of the payout', () => {
  it('is decided by what the bank says, once it says it', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
    await fixture.run(id, 'payout');
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    fixture.stripe.decideDispute(disputeId, 'lost');
    fixture.bank.failNext({ kind: 'drop', path: '^/bank/', method: 'GET' });
    await expect(syncDisputes(fixture.context, id)).rejects.toThrow('the bank does not tell');
    expect((await fixture.see(id)).state).toBe('captured');
    await syncDisputes(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await disputesOf(id)).toMatchObject([{ status: 'lost', booking: 'lost' }]);
    expect(await fixture.balances(id)).toEqual({ ...taken, 'loss EUR': '-10000' });
  });
});

describe('a payment that the bank returns after the dispute of its charge was lost', () => {
  /** A paid transfer of which a part or all (minor units) was lost in a dispute and which came back whole afterwards. */
  async function createReturned(amount?: number) {
    const { id, disputeId } = await createDisputed(amount ? { amount } : {});
    await decide(id, disputeId, 'lost');
    fixture.bank.returnPayout(id);
    await sweepBankReturns(fixture.context);
    return { id, disputeId };
  }

  it('ends as refunded: the chargeback gave the sender everything back, and nobody is owed anything', async () => {
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
    // Stripe refunds nothing of a charge that was charged back: a person has to pay the rest by other means.
    await fixture.run(id, 'refund');
    expect(await fixture.openCases(id)).toEqual(['dispute_lost', 'operation_refused']);
    expect(await fixture.balances(id)).toEqual({ 'card_processor EUR': '-6000', 'refund_due EUR': '6000' });
  });

  it('is still our loss when only a part of the payment came back', async () => {
    const { id, disputeId } = await createDisputed();
    await decide(id, disputeId, 'lost');
    fixture.bank.returnPayout(id, { amount: '1000.00' });
    await sweepBankReturns(fixture.context);
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await disputesOf(id)).toMatchObject([{ status: 'lost', booking: 'lost' }]);
    expect(await fixture.balances(id)).toEqual({
      ...{ ...taken, 'bank BOB': '29117', 'payout_due BOB': '100000', 'loss EUR': '-10000' },
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

describe('a dispute of a charge that nobody here asked for', () => {
  /** A rejected transfer that was captured in Stripe's dashboard and is disputed. */
  async function createRejected(amount?: number) {
    const id = await fixture.create({ state: 'in_review' });
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id), amount ? { amount } : {});
    await syncDisputes(fixture.context, id);
    await fixture.reject(id);
    await fixture.run(id, 'void');
    return { id, disputeId };
  }

  it('is a case, stays out of the books, and holds the money back until it is won', async () => {
    const { id, disputeId } = await createRejected();
    expect(await fixture.openCases(id)).toEqual(['dispute_opened']);
    expect(await fixture.balances(id)).toEqual({});
    expect(await fixture.operations(id, 'void')).toMatchObject([{ status: 'in_flight' }]);
    await decide(id, disputeId, 'won');
    await fixture.run(id, 'void');
    expect((await fixture.intent(id)).latest_charge?.amount_refunded).toBe(10_000);
    expect((await fixture.see(id)).authorizationVoidedAt).not.toBeNull();
  });

  it('has returned the money when it is lost', async () => {
    const { id, disputeId } = await createRejected();
    await decide(id, disputeId, 'lost');
    await fixture.run(id, 'void');
    expect((await fixture.see(id)).authorizationVoidedAt).not.toBeNull();
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
  });

  it('leaves the rest to a person when a part is lost', async () => {
    const { id, disputeId } = await createRejected(4_000);
    await decide(id, disputeId, 'lost');
    await fixture.run(id, 'void');
    expect((await fixture.see(id)).authorizationVoidedAt ?? null).toBeNull();
    expect(await fixture.openCases(id)).toEqual(['contradiction', 'dispute_lost']);
  });
});

describe('a lost dispute that is won on appeal', () => {
  it('of a completed transfer is no loss any more', async () => {
    const { id, disputeId } = await createDisputed();
    await decide(id, disputeId, 'lost');
    await decide(id, disputeId, 'appealed');
    expect(await disputesOf(id)).toMatchObject([{ status: 'won', booking: 'none' }]);
    expect(await fixture.balances(id)).toEqual(paidOut);
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('of a transfer that ended as refunded by it owes its sender the money again, with a case', async () => {
    const id = await fixture.create({ state: 'captured' });
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await decide(id, disputeId, 'lost');
    expect((await fixture.see(id)).state).toBe('refunded');
    await decide(id, disputeId, 'appealed');
    expect((await fixture.see(id)).state).toBe('refunding');
    expect(await disputesOf(id)).toMatchObject([{ status: 'won', booking: 'none' }]);
    expect(await fixture.operations(id, 'refund')).toMatchObject([{ status: 'failed' }]);
    expect(await fixture.balances(id)).toEqual({ 'card_processor EUR': '-10000', 'refund_due EUR': '10000' });
    expect(await fixture.openCases(id)).toEqual(['refund_failed']);
  });
});
