import { DriverException } from '@mikro-orm/core';
import type { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { untilLockIsAwaited } from '../../infra/testing/lock-waits.ts';
import type { JobContext } from '../job-context.ts';
import { Operation } from '../operations/operation.entity.ts';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { sumSent } from '../transfers/transfer-figures.repository.ts';
import { handleDueStripeEvents, handleStripeEvent, maxEventAttempts } from './handle-stripe-event.ts';
import { StripeEvent } from './stripe-event.entity.ts';
import { earlyEventMs, insertStripeEvents, storeStripeEvent } from './stripe-event.repository.ts';
import { sweepStripeEvents } from './sweep-stripe-events.ts';

// Port 9 refuses every connection: Stripe has undelivered events.
const fixture = usePaymentFixture({ webhookUrl: 'http://127.0.0.1:9/api/stripe/webhook' });
const held = 'payment_intent.amount_capturable_updated';

const storedEvent = (id: string) => fixture.database.fork().findOne(StripeEvent, { id });
const requested = async (eventId: string) =>
  fixture.database.fork().find(OutboxRow, { kind: 'job', data: { eventId } }, { orderBy: { id: 'asc' } });

const signals = () => fixture.database.fork().find(OutboxRow, { kind: 'job', name: 'handle-due-stripe-events' });

/** A Stripe client that gets no answer. */
const failing: ProxyHandler<JobContext['stripe']> = {
  get: () => ({ retrieve: () => Promise.reject(new Error('no answer')) }),
};

/** Creates a transfer with a held card and stores Stripe's event about it. */
async function receiveHold(): Promise<{ id: string; eventId: string }> {
  const id = await fixture.create({ state: 'held' });
  const [event] = await fixture.events(id, held);
  if (!event) throw new Error('Stripe has no event about the hold');
  await fixture.database.transaction((em) => storeStripeEvent(em, event, fixture.now));
  return { id, eventId: event.id };
}

describe('handleStripeEvent', () => {
  it('brings the transfer of the event to where its payment is, once', async () => {
    const { id, eventId } = await receiveHold();
    await Promise.all([handleStripeEvent(fixture.context, eventId), handleStripeEvent(fixture.context, eventId)]);
    await handleStripeEvent(fixture.context, eventId);
    expect(await fixture.steps(id)).toEqual([null, 'attach_intent', 'hold']);
    expect((await storedEvent(eventId))?.handledAt).toEqual(fixture.now);
  });

  it('attaches the payment intent to a transfer that does not know it yet', async () => {
    const { id, eventId } = await receiveHold();
    const intentId = await fixture.intentId(id);
    await fixture.database.fork().nativeUpdate(Transfer, { id }, { paymentIntentId: null });
    await handleStripeEvent(fixture.context, eventId);
    expect(await fixture.see(id)).toMatchObject({ paymentIntentId: intentId, state: 'in_review' });
  });

  it('handles an event about a payment that is not ours without effect', async () => {
    const intent = await fixture.stripe.sdk.paymentIntents.create({ amount: 500, currency: 'eur' });
    const [event] = fixture.stripe.eventsOf(intent.id, 'payment_intent.created');
    if (!event) throw new Error('Stripe has no event about the new intent');
    await fixture.database.transaction((em) => storeStripeEvent(em, event, fixture.now));
    await handleStripeEvent(fixture.context, event.id);
    expect((await storedEvent(event.id))?.handledAt).toEqual(fixture.now);
  });

  it('ignores an event about a payment that our account does not have', async () => {
    const { eventId } = await receiveHold();
    await fixture.database
      .fork()
      .nativeUpdate(StripeEvent, { id: eventId }, { paymentIntentId: 'pi_of_somebody_else' });
    await handleStripeEvent(fixture.context, eventId);
    expect(await storedEvent(eventId)).toMatchObject({ outcome: 'ignored', handledAt: fixture.now });
  });

  it('leaves an event to a person at once that no repetition can handle', async () => {
    const { id, eventId } = await receiveHold();
    await fixture.stripe.sdk.paymentIntents.update(await fixture.intentId(id), { metadata: { transfer_id: 'other' } });
    await handleStripeEvent(fixture.context, eventId);
    expect(await storedEvent(eventId)).toMatchObject({ outcome: 'abandoned', handledAt: fixture.now });
    expect(await fixture.openCases(id)).toEqual(['contradiction']);
  });

  it('puts an event off while Stripe does not answer, and abandons it with a case in the end', async () => {
    const { id, eventId } = await receiveHold();
    const silent = { ...fixture.context, stripe: new Proxy(fixture.context.stripe, failing) };
    for (let attempt = 1; attempt < maxEventAttempts; attempt += 1) {
      await handleStripeEvent(silent, eventId);
      expect(await storedEvent(eventId)).toMatchObject({ attempts: attempt, outcome: null, lastError: 'no answer' });
    }
    await handleStripeEvent(silent, eventId);
    expect(await storedEvent(eventId)).toMatchObject({ outcome: 'abandoned', handledAt: fixture.now });
    expect(await fixture.openCases(id)).toEqual(['contradiction']);
    await fixture.database.fork().nativeDelete(OutboxRow, { data: { eventId } });
    await sweepStripeEvents(fixture.context);
    expect(await requested(eventId)).toEqual([]);
  });
});

describe('handleDueStripeEvents', () => {
  /** Stores Stripe's events about a held card. */
  const receiveAll = async (id: string) => {
    const types = ['charge.succeeded', held];
    const events = (await Promise.all(types.map((type) => fixture.events(id, type)))).flat();
    await insertStripeEvents(await fixture.database.pool(), events, fixture.now);
    return events.map((event) => event.id);
  };
  const outcomes = async (ids: string[]) => {
    const events = await fixture.database.fork().find(StripeEvent, { id: { $in: ids } });
    return events.map(({ outcome }) => outcome ?? null);
  };
  /** A context that counts how often each payment is read. */
  const counting = () => {
    const reads: string[] = [];
    const retrieve = (id: string, options: object) => {
      reads.push(id);
      return fixture.context.stripe.paymentIntents.retrieve(id, options);
    };
    const stripe = new Proxy(fixture.context.stripe, {
      get: (target, key) => (key === 'paymentIntents' ? { retrieve } : Reflect.get(target, key)),
    });
    return { context: { ...fixture.context, stripe }, reads };
  };

  it('reads every payment once, however many of its events are due, and leaves none of them', async () => {
    fixture.now = new Date();
    const ids = [await fixture.create({ state: 'held' }), await fixture.create({ state: 'held' })];
    const events = (await Promise.all(ids.map(receiveAll))).flat();
    expect(events.length).toBeGreaterThan(ids.length);
    const { context, reads } = counting();
    await handleDueStripeEvents(context);
    const intents = await Promise.all(ids.map((id) => fixture.intentId(id)));
    expect(reads.filter((id) => intents.includes(id)).sort()).toEqual(intents.sort());
    for (const id of ids) expect(await fixture.steps(id)).toEqual([null, 'attach_intent', 'hold']);
    expect(new Set(await outcomes(events))).toEqual(new Set(['handled']));
  });

  it('writes down in the commit of the hold that its events are handled, unless one of them says more', async () => {
    fixture.now = new Date();
    const [plain, declined] = [await fixture.create({ state: 'held' }), await fixture.create({ state: 'held' })];
    const [[event], [other]] = [await fixture.events(plain, held), await fixture.events(declined, held)];
    if (!event || !other) throw new Error('Stripe has no events about the holds');
    const more = structuredClone(other);
    Object.assign(more, { id: 'evt_says_more', type: 'payment_intent.payment_failed' });
    await insertStripeEvents(await fixture.database.pool(), [event, other, more], fixture.now);
    await handleDueStripeEvents(fixture.context);
    expect(await outcomes([event.id, other.id, more.id])).toEqual(['handled', 'handled', 'handled']);
    const together = await fixture.database.fork().execute(
      `select e.id from stripe_event as e join transfer as t on t.payment_intent_id = e.payment_intent_id
       where t.id in (?, ?) and e.xmin::text = t.xmin::text`,
      [plain, declined],
    );
    expect(together).toEqual([{ id: event.id }]);
  });

  it('does not read a payment again for events that say what its transfer is already', async () => {
    fixture.now = new Date();
    const id = await fixture.create({ state: 'approved' });
    const receive = async (type: string) => {
      const events = await fixture.events(id, type);
      expect(events).toHaveLength(1);
      await insertStripeEvents(await fixture.database.pool(), events, fixture.now);
      const { context, reads } = counting();
      await handleDueStripeEvents(context);
      expect(await outcomes(events.map((event) => event.id))).toEqual(['handled']);
      return reads.length;
    };
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    // The answer to a capture may have been lost.
    expect(await receive('charge.captured')).toBe(1);
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await receive('payment_intent.succeeded')).toBe(0);
    for (const type of ['charge.succeeded', held, 'payment_intent.created']) expect(await receive(type)).toBe(0);
    const { latest_charge: charge } = await fixture.intent(id);
    await fixture.stripe.sdk.charges.update(charge?.id ?? '', { description: 'Envío' });
    expect(await receive('charge.updated')).toBe(0);
  });

  it('leaves what Stripe says of a capture to the attempt that is under way, for a second', async () => {
    fixture.now = new Date();
    const id = await fixture.create({ state: 'approved' });
    const ofTransfer = { transferId: id, kind: 'capture' } as const;
    await fixture.database.fork().nativeUpdate(Operation, ofTransfer, { status: 'in_flight' });
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    const events = await fixture.events(id, 'charge.captured');
    await insertStripeEvents(await fixture.database.pool(), events, fixture.now);
    const { context, reads } = counting();
    expect([await handleDueStripeEvents(context), await handleDueStripeEvents(context)]).toEqual([true, false]);
    expect(reads).toEqual([]);
    fixture.now = new Date(fixture.now.getTime() + earlyEventMs);
    expect(await handleDueStripeEvents(context)).toBe(false);
    expect([reads.length, (await fixture.see(id)).state]).toEqual([1, 'captured']);
    expect(await outcomes(events.map((event) => event.id))).toEqual(['handled']);
  });

  it('takes more events than a batch, several processes at once each of them once', async () => {
    const id = await fixture.create({ state: 'held' });
    const [event] = await fixture.events(id, held);
    if (!event) throw new Error('Stripe has no event about the hold');
    const many = Array.from({ length: 100 }, (_, index) => ({ ...event, id: `evt_many_${index}` }));
    await insertStripeEvents(await fixture.database.pool(), many, fixture.now);
    await Promise.all([handleDueStripeEvents(fixture.context), handleDueStripeEvents(fixture.context)]);
    expect(await fixture.steps(id)).toEqual([null, 'attach_intent', 'hold']);
    expect(new Set(await outcomes(many.map((one) => one.id)))).toEqual(new Set(['handled']));
  });

  it('of payments that are found to be held together, by two processes at once, only what the limit allows is held', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => fixture.create({ state: 'held' })));
    const { userId, usdMinor } = await fixture.see(ids[0] as string);
    const sent = await sumSent(fixture.database.fork(), userId, fixture.now);
    const limits = { dayUsdMinor: sent.dayUsdMinor + usdMinor * 3n, monthUsdMinor: sent.monthUsdMinor + usdMinor * 4n };
    const context = { ...fixture.context, limits };
    await receiveAll(ids[0] as string);
    await handleDueStripeEvents(context);
    for (const half of [ids.slice(1, 3), ids.slice(3)]) await Promise.all(half.map(receiveAll));
    await Promise.all([handleDueStripeEvents(context), handleDueStripeEvents(context)]);
    const seen = await Promise.all(ids.map((id) => fixture.see(id)));
    expect(seen.map(({ state }) => state).sort()).toEqual(['failed', 'failed', ...Array(3).fill('in_review')]);
    expect(seen[0]?.state).toBe('in_review');
  });

  it.each([
    ['cannot be read', new Error('no answer'), 'no answer'],
    ['our database does not take', new DriverException(new Error('its data')), 'DriverException (no code)'],
  ])('puts off the events of a payment that %s, and handles the others', async (_, error, lastError) => {
    const [good, bad] = [await fixture.create({ state: 'held' }), await fixture.create({ state: 'held' })];
    const badIntent = await fixture.intentId(bad);
    const [goodEvents, badEvents] = [await receiveAll(good), await receiveAll(bad)];
    const retrieve = async (id: string, options: object) => {
      if (id === badIntent) throw error;
      return fixture.context.stripe.paymentIntents.retrieve(id, options);
    };
    const stripe = new Proxy(fixture.context.stripe, {
      get: (target, key) => (key === 'paymentIntents' ? { retrieve } : Reflect.get(target, key)),
    });
    await handleDueStripeEvents({ ...fixture.context, stripe });
    expect(new Set(await outcomes(goodEvents))).toEqual(new Set(['handled']));
    for (const id of badEvents) {
      expect(await storedEvent(id)).toMatchObject({ attempts: 1, outcome: null, lastError });
      expect((await requested(id)).map(({ name }) => name)).toEqual(['handle-stripe-event']);
    }
    // They are not due any more before their time has come.
    const { context, reads } = counting();
    await handleDueStripeEvents(context);
    expect(reads).not.toContain(badIntent);
  });
});

describe('sweepStripeEvents', () => {
  it('stores events that Stripe could not deliver and asks for their handling', async () => {
    const id = await fixture.create({ state: 'held' });
    await fixture.stripe.idle();
    await sweepStripeEvents(fixture.context);
    const [event] = await fixture.events(id, held);
    const eventId = event?.id ?? '';
    expect((await requested(eventId)).map(({ name }) => name)).toEqual(['handle-stripe-event']);
    await handleStripeEvent(fixture.context, eventId);
    expect((await fixture.see(id)).state).toBe('in_review');
  });

  it('stores every event that Stripe could not deliver, also those beyond its first page of newest ones', async () => {
    const id = await fixture.create({ state: 'held' });
    const others = Array.from({ length: 101 }, () => ({ amount: 500, currency: 'eur' }));
    for (const other of others) await fixture.stripe.sdk.paymentIntents.create(other);
    await sweepStripeEvents(fixture.context);
    const [event] = await fixture.events(id, held);
    expect((await requested(event?.id ?? '')).map(({ name }) => name)).toEqual(['handle-stripe-event']);
    // So many events that wait would come before those of other tests.
    await fixture.database.fork().nativeUpdate(StripeEvent, { handledAt: null }, { handledAt: fixture.now });
  });

  it('leaves an undelivered event alone that is stored already', async () => {
    const { id, eventId } = await receiveHold();
    await handleStripeEvent(fixture.context, eventId);
    const before = await storedEvent(eventId);
    const requestedBefore = await requested(eventId);
    await sweepStripeEvents(fixture.context);
    expect(await storedEvent(eventId)).toEqual(before);
    expect(await requested(eventId)).toEqual(requestedBefore);
    expect(await fixture.steps(id)).toEqual([null, 'attach_intent', 'hold']);
  });

  it('stores events that are being stored by the webhook at the same time, in whatever order Stripe lists them', async () => {
    const [event] = await fixture.events(await fixture.create({ state: 'held' }), held);
    if (!event) throw new Error('Stripe has no event about the hold');
    const renamed = (id: string) => {
      const copy = structuredClone(event);
      copy.id = id;
      return copy;
    };
    const [first, second] = [renamed('evt_order_1'), renamed('evt_order_2')];
    const list = async () => ({ data: [second, first], has_more: false });
    const stripe = { events: { list } } as unknown as Stripe;
    let sweeping = Promise.resolve();
    await fixture.database.transaction(async (em) => {
      await storeStripeEvent(em, first, fixture.now);
      sweeping = sweepStripeEvents({ ...fixture.context, stripe });
      await untilLockIsAwaited(fixture.database);
      await storeStripeEvent(em, second, fixture.now);
    });
    await sweeping;
    expect(await storedEvent(second.id)).toMatchObject({ id: second.id, outcome: null });
    await fixture.database.fork().nativeUpdate(StripeEvent, { handledAt: null }, { handledAt: fixture.now });
  });

  it('asks again for an event whose job was lost, after a sweep interval and once a minute', async () => {
    fixture.now = new Date();
    const { eventId } = await receiveHold();
    await fixture.database.fork().nativeDelete(OutboxRow, { data: { eventId } });
    await sweepStripeEvents(fixture.context);
    expect(await requested(eventId)).toEqual([]);
    fixture.now = new Date(fixture.now.getTime() + fixture.context.sweepEveryMs);
    await sweepStripeEvents(fixture.context);
    await sweepStripeEvents(fixture.context);
    const [first, second] = await signals();
    expect(first?.jobKey).toBeTruthy();
    expect(second?.jobKey).toBe(first?.jobKey);
    await handleDueStripeEvents(fixture.context);
    expect((await storedEvent(eventId))?.outcome).toBe('handled');
    await fixture.database.fork().nativeDelete(OutboxRow, { kind: 'job' });
    fixture.now = new Date(fixture.now.getTime() + 2 * 60_000);
    await sweepStripeEvents(fixture.context);
    expect(await signals()).toEqual([]);
  });
});
