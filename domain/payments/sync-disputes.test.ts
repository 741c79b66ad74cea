import { describe, expect, it } from 'vitest';
import { chargedBack, paidOut, useDisputeFixture } from '../../testing/dispute-fixture.ts';
import { handleStoredEvent } from '../../testing/row-jobs.ts';
import { storeStripeEvent } from './stripe-event.repository.ts';
import { syncDisputes } from './sync-disputes.ts';
import { syncPayment } from './sync-payment.ts';

const { fixture, disputesOf, createDisputed, decide } = useDisputeFixture();

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
    expect(await fixture.balances(id)).toEqual({ ...chargedBack, 'disputed EUR': '-10000' });
    expect((await fixture.see(id)).state).toBe('completed');
  });

  it('is read again at each event about it, with the same result in any order and number', async () => {
    const { id, disputeId } = await createDisputed();
    fixture.stripe.decideDispute(disputeId, 'won');
    const types = ['created', 'funds_withdrawn', 'closed', 'funds_reinstated'];
    const events = (await Promise.all(types.map((type) => fixture.events(id, `charge.dispute.${type}`)))).flat();
    expect(events).toHaveLength(4);
    await fixture.database.transaction(async (em) => {
      for (const event of events.toReversed()) await storeStripeEvent(em, event, fixture.now);
    });
    await Promise.all(events.map((event) => handleStoredEvent(fixture.context, event.id)));
    for (const event of events) await handleStoredEvent(fixture.context, event.id);
    expect(await disputesOf(id)).toMatchObject([{ status: 'won', booking: 'none' }]);
    expect(await fixture.balances(id)).toEqual(paidOut);
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('is found by the sweep when every event about it got lost', async () => {
    const { id } = await createDisputed();
    await syncPayment(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual(['dispute_opened']);
  });

  it('returns the amount and closes its case when it is won', async () => {
    const { id, disputeId } = await createDisputed();
    await syncDisputes(fixture.context, id);
    await decide(id, disputeId, 'won');
    expect(await fixture.balances(id)).toEqual(paidOut);
    expect(await fixture.openCases(id)).toEqual([]);
    expect(await fixture.cases(id)).toMatchObject([{ resolution: null, outcome: 'dispute_won' }]);
  });

  it.each(['lost', 'expired'] as const)('is our loss with a case for a person when it is %s', async (decision) => {
    const { id, disputeId } = await createDisputed();
    await syncDisputes(fixture.context, id);
    await decide(id, disputeId, decision);
    expect(await disputesOf(id)).toMatchObject([{ status: 'lost', booking: 'lost' }]);
    expect(await fixture.balances(id)).toEqual({ ...chargedBack, 'loss EUR': '-10000' });
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
  });

  it('may concern parts of the amount, each with its own end', async () => {
    const { id, disputeId } = await createDisputed({ amount: 4_000 });
    const other = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 6_000 }).id;
    await syncDisputes(fixture.context, id);
    expect(await fixture.balances(id)).toEqual({ ...chargedBack, 'disputed EUR': '-10000' });
    await decide(id, disputeId, 'lost');
    expect(await fixture.openCases(id)).toEqual(['dispute_lost', 'dispute_opened']);
    await decide(id, other, 'won');
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    expect(await fixture.balances(id)).toEqual({ ...chargedBack, 'card_processor EUR': '-6000', 'loss EUR': '-4000' });
  });
});

describe('an inquiry', () => {
  it('opens a case, moves no money, and closes it when the inquiry is dropped', async () => {
    const { id, disputeId } = await createDisputed({ inquiry: true });
    await syncDisputes(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual(['dispute_inquiry']);
    expect(await fixture.balances(id)).toEqual(paidOut);
    await decide(id, disputeId, 'won');
    expect(await disputesOf(id)).toMatchObject([{ status: 'warning_closed', booking: 'none' }]);
    expect(await fixture.openCases(id)).toEqual([]);
    expect(await fixture.cases(id)).toMatchObject([{ outcome: 'dispute_dropped' }]);
  });

  it('becomes a dispute when the bank escalates it', async () => {
    const { id, disputeId } = await createDisputed({ inquiry: true });
    await syncDisputes(fixture.context, id);
    await decide(id, disputeId, 'escalated');
    expect(await fixture.openCases(id)).toEqual(['dispute_opened']);
    expect(await fixture.balances(id)).toEqual({ ...chargedBack, 'disputed EUR': '-10000' });
  });
});

describe('a dispute of a charge made outside our system', () => {
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

  it('opens a case, stays out of the books, and holds the money until it is won', async () => {
    const { id, disputeId } = await createRejected();
    expect(await fixture.openCases(id)).toEqual(['dispute_opened']);
    expect(await fixture.balances(id)).toEqual({});
    expect(await fixture.operations(id, 'void')).toMatchObject([{ status: 'in_flight' }]);
    await decide(id, disputeId, 'won');
    await fixture.run(id, 'void');
    expect((await fixture.intent(id)).latest_charge?.amount_refunded).toBe(10_000);
    expect((await fixture.see(id)).authorizationVoidedAt).not.toBeNull();
  });

  it('counts as the refund when it is lost', async () => {
    const { id, disputeId } = await createRejected();
    await decide(id, disputeId, 'lost');
    await fixture.run(id, 'void');
    expect((await fixture.see(id)).authorizationVoidedAt).not.toBeNull();
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
  });

  it('opens a case for the rest when a part is lost', async () => {
    const { id, disputeId } = await createRejected(4_000);
    await decide(id, disputeId, 'lost');
    await fixture.run(id, 'void');
    expect((await fixture.see(id)).authorizationVoidedAt ?? null).toBeNull();
    expect(await fixture.openCases(id)).toEqual(['dispute_lost', 'operation_refused']);
  });
});

describe('a lost dispute that is won on appeal', () => {
  it('of a completed transfer is no longer a loss', async () => {
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
