import fc from 'fast-check';
import type { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import { createLogger } from '#platform/logging';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { handleStoredEvent } from '../../testing/row-jobs.ts';
import { confirmPayment, readPaymentStatus } from './confirm-payment.ts';
import { CardPayments } from './payment-intents.ts';
import { storeStripeEvent } from './stripe-event.repository.ts';
import { sweepTransfers } from './sweep-transfers.ts';
import { syncConfirmedPayment, syncPayment } from './sync-payment.ts';

const fixture = usePaymentFixture();
const store = (event: Stripe.Event) => fixture.database.transaction((em) => storeStripeEvent(em, event, fixture.now));

/** A payment from the card form to the payout, step by step, with the requests of its browser and Stripe's webhooks. */
async function newPayment() {
  const id = await fixture.create({ state: 'awaiting_payment' });
  await fixture.database
    .fork()
    .execute(`update transfer set quote_expires_at = now() + interval '1 day' where id = ?`, [id]);
  const paymentIntentId = await fixture.intentId(id);
  const { userId } = await fixture.see(id);
  const cards = new CardPayments(fixture.database, fixture.context.stripe, createLogger('api', 'silent'));
  const services = { database: fixture.database, cards };
  const received = new Set<string>();
  const path = `/v1/payment_intents/${paymentIntentId}`;
  const before = fixture.stripe.calls.length;
  return {
    id,
    /** How often the payment was read from Stripe since it was opened. */
    reads: () =>
      fixture.stripe.calls.slice(before).filter((call) => call.method === 'GET' && call.path === path).length,
    pay: () => fixture.pay(id),
    /** The page's request after Stripe.js has confirmed the card, and its job. */
    confirm: async () => {
      await readPaymentStatus(services, { userId, paymentIntentId });
      await confirmPayment(services, { userId, paymentIntentId });
      const jobs = await fixture.requestedJobs(id);
      await fixture.loseJobs(id);
      if (jobs.includes('sync-confirmed-payment')) await syncConfirmedPayment(fixture.context, id);
    },
    /**
     * Stores and handles Stripe's events about the payment that were not received yet; `pick` selects and orders them.
     */
    receive: async (pick = (events: Stripe.Event[]) => events) => {
      const all = await fixture.stripe.sdk.events.list({ limit: 100 });
      const own = all.data.filter(({ data: { object } }) => {
        const { id: objectId, payment_intent } = object as { id?: string; payment_intent?: string };
        return objectId === paymentIntentId || payment_intent === paymentIntentId;
      });
      const events = pick(own.filter((event) => !received.has(event.id)).reverse());
      for (const event of events) {
        received.add(event.id);
        await store(event);
        await handleStoredEvent(fixture.context, event.id);
      }
      return events.length;
    },
    /** A sweep, and the readings that it queues. */
    sweep: async () => {
      fixture.now = new Date(fixture.now.getTime() + fixture.context.sweepEveryMs);
      await sweepTransfers(fixture.context);
      const jobs = await fixture.requestedJobs(id);
      await fixture.loseJobs(id);
      if (jobs.includes('sync-payment')) await syncPayment(fixture.context, id);
    },
    decideAndPayOut: async () => {
      await fixture.approve(id);
      await fixture.run(id, 'capture');
      await fixture.run(id, 'payout');
    },
  };
}

describe('a payment from authorization to payout', () => {
  it('is read once when Stripe’s events arrive before its browser’s request', async () => {
    const payment = await newPayment();
    await payment.receive();
    await payment.pay();
    await payment.receive();
    await payment.confirm();
    await payment.decideAndPayOut();
    expect(await payment.receive()).toBeGreaterThan(0);
    await fixture.expectOutcome(payment.id, 'completed');
    // expectOutcome reads it, too.
    expect(payment.reads()).toBe(1 + 1);
  });

  it('is read twice when its browser’s request arrives before Stripe’s events', async () => {
    const payment = await newPayment();
    await payment.pay();
    await payment.confirm();
    await payment.receive();
    await payment.decideAndPayOut();
    await payment.receive();
    expect(payment.reads()).toBe(2);
  });

  it('is read once when Stripe’s event arrives between its browser’s request and the resulting job, handled or not', async () => {
    for (const isHandled of [true, false]) {
      const id = await fixture.create({ state: 'held' });
      const [event] = (await fixture.events(id, 'payment_intent.amount_capturable_updated')) as [Stripe.Event];
      await store(event);
      fixture.stripe.calls.length = 0;
      if (isHandled) await handleStoredEvent(fixture.context, event.id);
      await syncConfirmedPayment(fixture.context, id);
      await handleStoredEvent(fixture.context, event.id);
      expect((await fixture.see(id)).state).toBe('in_review');
      expect(fixture.stripe.calls).toHaveLength(1);
    }
  });

  it('is not read by sweeps while it waits for the card, nor for a challenge or a declined card', async () => {
    const payment = await newPayment();
    await payment.receive();
    for (let sweep = 0; sweep < 4; sweep += 1) await payment.sweep();
    await expect(fixture.pay(payment.id, 'pm_card_chargeDeclined')).rejects.toThrow(/declined/);
    await fixture.pay(payment.id, 'pm_card_authenticationRequired');
    expect(await payment.receive()).toBeGreaterThan(2);
    expect(payment.reads()).toBe(0);
  });

  it('is read by the sweep when every event is lost and its browser is closed', async () => {
    const payment = await newPayment();
    await payment.pay();
    await payment.sweep();
    expect((await fixture.see(payment.id)).state).toBe('in_review');
    expect(payment.reads()).toBe(1);
  });

  it('is read at most twice for any order, delay, loss or repetition of browser requests, events and sweeps', async () => {
    const step = fc.constantFrom('receive', 'receive one', 'lose one', 'confirm', 'sweep', 'nothing');
    const order = fc.tuple(fc.array(step, { maxLength: 4 }), fc.array(step, { maxLength: 3 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(order, async ([afterPaying, afterDeciding, reversed]) => {
        fixture.now = new Date();
        const payment = await newPayment();
        const inOrder = (events: Stripe.Event[]) => (reversed ? events.toReversed() : events);
        const take = async (name: string) => {
          if (name === 'receive') await payment.receive(inOrder);
          if (name === 'receive one') await payment.receive((events) => inOrder(events).slice(0, 1));
          if (name === 'lose one') await payment.receive((events) => events.slice(0, 0));
          if (name === 'confirm') await payment.confirm();
          if (name === 'sweep') await payment.sweep();
        };
        await payment.pay();
        for (const name of afterPaying) await take(name);
        if ((await fixture.see(payment.id)).state === 'awaiting_payment') await payment.sweep();
        await payment.decideAndPayOut();
        for (const name of afterDeciding) await take(name);
        await payment.receive(inOrder);
        expect((await fixture.see(payment.id)).state).toBe('completed');
        expect(payment.reads()).toBeLessThanOrEqual(2);
      }),
      { numRuns: 12 },
    );
  }, 60_000);
});
