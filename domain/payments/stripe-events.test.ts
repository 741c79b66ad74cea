import { DriverException } from '@mikro-orm/core';
import type { Stripe } from 'stripe';
import { beforeEach, describe, expect, it } from 'vitest';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { dispatchAgain } from '#platform/outbox/row-jobs';
import { NonRetryableError } from '#platform/queues/retry';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { handleStoredEvent } from '../../testing/row-jobs.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { sumSent } from '../transfers/transfer-figures.repository.ts';
import { handleStripeEvent, maxEventAttempts } from './handle-stripe-event.ts';
import { StripeEvent } from './stripe-event.entity.ts';
import { echoDelayMs, storeStripeEvent, stripeEventRows } from './stripe-event.repository.ts';
import { sweepStripeEvents } from './sweep-stripe-events.ts';

// Port 9 refuses every connection, so that Stripe has undelivered events.
const fixture = usePaymentFixture({ webhookUrl: 'http://127.0.0.1:9/api/stripe/webhook' });
const held = 'payment_intent.amount_capturable_updated';

const storedEvent = (id: string) => fixture.database.fork().findOne(StripeEvent, { id });
const store = (event: Stripe.Event) => fixture.database.transaction((em) => storeStripeEvent(em, event, fixture.now));
const jobsOf = async (id: string) =>
  fixture.database
    .fork()
    .find(OutboxRow, { kind: 'job', name: 'handle-stripe-event', data: { id } }, { orderBy: { id: 'asc' } });

/** A context that reads payments by `retrieve`. */
const reading = (retrieve: (id: string, options: object) => Promise<unknown>): JobContext => {
  const stripe = new Proxy(fixture.context.stripe, {
    get: (target, key) => (key === 'paymentIntents' ? { retrieve } : Reflect.get(target, key)),
  });
  return { ...fixture.context, stripe };
};
const failing = (error: Error) => reading(() => Promise.reject(error));
const retrieve = (id: string, options: object) => fixture.context.stripe.paymentIntents.retrieve(id, options);

/** Creates a transfer with an authorized card and stores Stripe's event about it. */
async function receiveHold(): Promise<{ id: string; eventId: string }> {
  const id = await fixture.create({ state: 'held' });
  const [event] = await fixture.events(id, held);
  if (!event) throw new Error('Stripe has no event about the hold');
  await store(event);
  return { id, eventId: event.id };
}

describe('handleStripeEvent', () => {
  it('updates the event’s transfer to the state of its payment, once', async () => {
    const { id, eventId } = await receiveHold();
    const job = { id: eventId, dispatch: 1 };
    await Promise.all([handleStripeEvent(fixture.context, job), handleStripeEvent(fixture.context, job)]);
    expect(await handleStripeEvent(failing(new Error('read again')), job)).toBeUndefined();
    expect(await fixture.steps(id)).toEqual([null, 'attach_intent', 'hold']);
    expect(await storedEvent(eventId)).toMatchObject({
      outcome: 'handled',
      handledAt: fixture.now,
      nextAttemptAt: null,
    });
  });

  it('has the transfer’s id in its job', async () => {
    const { id, eventId } = await receiveHold();
    expect(await jobsOf(eventId)).toMatchObject([{ data: { id: eventId, dispatch: 1, transferId: id } }]);
  });

  it('attaches the payment intent to a transfer that does not have it yet', async () => {
    const { id, eventId } = await receiveHold();
    const intentId = await fixture.intentId(id);
    await fixture.database.fork().nativeUpdate(Transfer, { id }, { paymentIntentId: null });
    await handleStoredEvent(fixture.context, eventId);
    expect(await fixture.see(id)).toMatchObject({ paymentIntentId: intentId, state: 'in_review' });
  });

  it('waits for the response to opening a payment, and then reads the payment only if no transfer has it', async () => {
    const intent = await fixture.stripe.sdk.paymentIntents.create({ amount: 500, currency: 'eur' });
    const [event] = fixture.stripe.eventsOf(intent.id, 'payment_intent.created') as [Stripe.Event];
    await store(event);
    const job = { id: event.id, dispatch: 1 };
    const at = new Date(fixture.now.getTime() + echoDelayMs);
    expect(await handleStripeEvent(failing(new Error('read early')), job)).toEqual({ at });
    expect(await storedEvent(event.id)).toMatchObject({ attempts: 0, handledAt: null });
    fixture.now = at;
    await handleStripeEvent(fixture.context, job);
    expect(await storedEvent(event.id)).toMatchObject({ outcome: 'ignored', handledAt: at });
  });

  it('ignores an event about a payment that our account does not have', async () => {
    const { eventId } = await receiveHold();
    await fixture.database
      .fork()
      .nativeUpdate(StripeEvent, { id: eventId }, { paymentIntentId: 'pi_of_somebody_else' });
    await handleStoredEvent(fixture.context, eventId);
    expect(await storedEvent(eventId)).toMatchObject({ outcome: 'ignored', handledAt: fixture.now });
  });

  it('opens a case at once for an event that no retry can handle', async () => {
    const { id, eventId } = await receiveHold();
    await fixture.stripe.sdk.paymentIntents.update(await fixture.intentId(id), { metadata: { transfer_id: 'other' } });
    const handling = handleStripeEvent(fixture.context, { id: eventId, dispatch: 1 });
    await expect(handling).rejects.toThrow(NonRetryableError);
    expect(await storedEvent(eventId)).toMatchObject({ outcome: 'abandoned', handledAt: fixture.now });
    expect(await fixture.openCases(id)).toEqual(['contradiction']);
  });

  it('postpones an event while Stripe does not answer, and finally abandons it with a case', async () => {
    const { id, eventId } = await receiveHold();
    const job = { id: eventId, dispatch: 1 };
    const silent = failing(new Error('no answer'));
    for (let attempt = 1; attempt < maxEventAttempts; attempt += 1) {
      const again = await handleStripeEvent(silent, job);
      expect(again).toEqual({ at: expect.any(Date), error: 'no answer' });
      const at = again?.at as Date;
      expect(at > fixture.now).toBe(true);
      expect(await storedEvent(eventId)).toMatchObject({ attempts: attempt, outcome: null, nextAttemptAt: at });
      // Too early, it does nothing.
      expect(await handleStripeEvent(silent, job)).toEqual({ at });
      fixture.now = at;
    }
    await expect(handleStripeEvent(silent, job)).rejects.toThrow(NonRetryableError);
    expect(await storedEvent(eventId)).toMatchObject({ outcome: 'abandoned', handledAt: fixture.now });
    expect(await fixture.openCases(id)).toEqual(['contradiction']);
    expect(await handleStripeEvent(fixture.context, job)).toBeUndefined();
    expect((await fixture.see(id)).state).toBe('awaiting_payment');
  });

  it('reports a database error to operators without its data', async () => {
    const { eventId } = await receiveHold();
    const refusing = failing(new DriverException(new Error('its data')));
    const again = await handleStoredEvent(refusing, eventId);
    expect(again?.error).toBe('DriverException (no code)');
    expect(await storedEvent(eventId)).toMatchObject({ lastError: 'DriverException (no code)' });
  });

  it('abandons an event whose every attempt crashed the process', async () => {
    const { id, eventId } = await receiveHold();
    await fixture.database.fork().nativeUpdate(StripeEvent, { id: eventId }, { attempts: maxEventAttempts });
    await expect(handleStripeEvent(fixture.context, { id: eventId, dispatch: 1 })).rejects.toThrow(NonRetryableError);
    expect(await fixture.openCases(id)).toEqual(['contradiction']);
  });

  it('writes nothing in an overtaken attempt, whether it failed or not', async () => {
    for (const end of ['failed', 'answered'] as const) {
      const { id, eventId } = await receiveHold();
      const job = { id: eventId, dispatch: 1 };
      const overtaken = reading(async (intentId, options) => {
        // Its process seemed dead, and its job was given to another one.
        await expect(handleStripeEvent(failing(new Error('no answer')), job)).resolves.toMatchObject({
          error: 'no answer',
        });
        if (end === 'failed') throw new Error('too late');
        return retrieve(intentId, options);
      });
      expect(await handleStripeEvent(overtaken, job)).toBeUndefined();
      expect(await storedEvent(eventId)).toMatchObject({ attempts: 2, lastError: 'no answer', handledAt: null });
      expect((await fixture.see(id)).state).toBe(end === 'failed' ? 'awaiting_payment' : 'in_review');
    }
  });

  it('writes nothing in an attempt during which another job was added', async () => {
    const { eventId } = await receiveHold();
    const { now: at } = fixture;
    const slow = reading(async (intentId, options) => {
      await fixture.database.transaction((em) => dispatchAgain(em, stripeEventRows, eventId, { at, now: at }));
      return retrieve(intentId, options);
    });
    await handleStripeEvent(slow, { id: eventId, dispatch: 1 });
    expect(await storedEvent(eventId)).toMatchObject({ dispatch: 2, handledAt: null, nextAttemptAt: at });
    await handleStripeEvent(fixture.context, { id: eventId, dispatch: 2 });
    expect(await storedEvent(eventId)).toMatchObject({ outcome: 'handled' });
  });

  it('does nothing in a job that was replaced by a later one', async () => {
    const { id, eventId } = await receiveHold();
    const now = { at: fixture.now, now: fixture.now };
    await fixture.database.transaction((em) => dispatchAgain(em, stripeEventRows, eventId, now));
    expect((await jobsOf(eventId)).at(-1)).toMatchObject({ data: { id: eventId, dispatch: 2, transferId: id } });
    expect(await handleStripeEvent(fixture.context, { id: eventId, dispatch: 1 })).toBeUndefined();
    expect((await fixture.see(id)).state).toBe('awaiting_payment');
    await handleStripeEvent(fixture.context, { id: eventId, dispatch: 2 });
    expect((await fixture.see(id)).state).toBe('in_review');
  });

  it('does not read a payment again for events already reflected in its transfer', async () => {
    const id = await fixture.create({ state: 'approved' });
    const receive = async (type: string) => {
      const events = await fixture.events(id, type);
      expect(events).toHaveLength(1);
      let reads = 0;
      for (const event of events) {
        await store(event);
        const counting = reading((intentId, options) => {
          reads += 1;
          return retrieve(intentId, options);
        });
        await handleStoredEvent(counting, event.id);
        expect((await storedEvent(event.id))?.outcome).toBe('handled');
      }
      return reads;
    };
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    // The response to a capture may have been lost.
    expect(await receive('charge.captured')).toBe(1);
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await receive('payment_intent.succeeded')).toBe(0);
    for (const type of ['charge.succeeded', held, 'payment_intent.created']) expect(await receive(type)).toBe(0);
    const { latest_charge: charge } = await fixture.intent(id);
    await fixture.stripe.sdk.charges.update(charge?.id ?? '', { description: 'Envío' });
    expect(await receive('charge.updated')).toBe(0);
  });

  it('authorizes only payments within the limit when their events are handled concurrently', async () => {
    const received = [await receiveHold(), await receiveHold(), await receiveHold(), await receiveHold()];
    const { userId, usdMinor } = await fixture.see(received[0]?.id ?? '');
    const sent = await sumSent(fixture.database.fork(), userId, fixture.now);
    const limits = { dayUsdMinor: sent.dayUsdMinor + usdMinor * 2n, monthUsdMinor: sent.monthUsdMinor + usdMinor * 3n };
    await Promise.all(received.map(({ eventId }) => handleStoredEvent({ ...fixture.context, limits }, eventId)));
    const seen = await Promise.all(received.map(({ id }) => fixture.see(id)));
    expect(seen.map(({ state }) => state).sort()).toEqual(['failed', 'failed', 'in_review', 'in_review']);
  });
});

describe('sweepStripeEvents', () => {
  // The simulator's events are from the present.
  beforeEach(() => {
    fixture.now = new Date();
  });

  it('stores events that Stripe could not deliver, with their jobs', async () => {
    const id = await fixture.create({ state: 'held' });
    await fixture.stripe.idle();
    await sweepStripeEvents(fixture.context);
    const [event] = await fixture.events(id, held);
    const eventId = event?.id ?? '';
    expect(await jobsOf(eventId)).toHaveLength(1);
    await handleStoredEvent(fixture.context, eventId);
    expect((await fixture.see(id)).state).toBe('in_review');
  });

  it('stores every event that Stripe could not deliver, even beyond the first page', async () => {
    const id = await fixture.create({ state: 'held' });
    const others = Array.from({ length: 101 }, () => ({ amount: 500, currency: 'eur' }));
    for (const other of others) await fixture.stripe.sdk.paymentIntents.create(other);
    await sweepStripeEvents(fixture.context);
    const [event] = await fixture.events(id, held);
    expect(await jobsOf(event?.id ?? '')).toHaveLength(1);
  });

  it('does not change an undelivered event that is already stored', async () => {
    const { id, eventId } = await receiveHold();
    await handleStoredEvent(fixture.context, eventId);
    const before = await storedEvent(eventId);
    await sweepStripeEvents(fixture.context);
    expect(await storedEvent(eventId)).toEqual(before);
    expect(await jobsOf(eventId)).toHaveLength(1);
    expect(await fixture.steps(id)).toEqual([null, 'attach_intent', 'hold']);
  });
});
