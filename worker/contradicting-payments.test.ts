import { describe, expect, test, vi } from 'vitest';
import { Email } from '#domain/emails/email.entity';
import type { JobContext } from '#domain/jobs/job-context';
import { StripeEvent } from '#domain/payments/stripe-event.entity';
import { storeStripeEvent } from '#domain/payments/stripe-event.repository';
import { runJob } from './handlers.ts';
import { useTransferFixture } from './testing/transfer-fixture.ts';

const fixture = useTransferFixture();

/** Actions in Stripe's dashboard that bypass the product. */
const captureInDashboard = async (id: string, amount?: number) =>
  fixture.context.stripe.paymentIntents.capture(
    await fixture.intentId(id),
    amount === undefined ? {} : { amount_to_capture: amount },
  );

describe('a payment that was captured in Stripe’s dashboard before the approval', () => {
  test('opens one case, is logged, and moves nothing', async () => {
    const id = await fixture.create({ state: 'in_review' });
    await captureInDashboard(id);
    const before = await fixture.see(id);
    const error = vi.fn();
    const context = { ...fixture.context, log: { ...fixture.context.log, error } } as unknown as JobContext;
    await fixture.runJob('sync-payment', id, context);
    await fixture.runJob('sync-payment', id, context);
    expect(error).toHaveBeenCalledWith(
      expect.objectContaining({ transferId: id }),
      'Stripe contradicts the state of a transfer',
    );
    expect(await fixture.see(id)).toEqual(before);
    expect(await fixture.openCases(id)).toEqual(['contradiction']);
  });

  test('is not retried forever: its event is handled once the case is open', async () => {
    const id = await fixture.create({ state: 'in_review' });
    await captureInDashboard(id);
    const [event] = await fixture.events(id, 'charge.captured');
    if (!event) throw new Error('Stripe has no event about the capture');
    await fixture.database.transaction((em) => storeStripeEvent(em, event, fixture.now));
    const handle = () => runJob(fixture.context, { name: 'handle-stripe-event', data: { id: event.id, dispatch: 1 } });
    // Our own captures are echoed by such events, which are put off a little.
    fixture.later(2_000);
    await handle();
    expect(await fixture.database.fork().findOne(StripeEvent, { id: event.id })).toMatchObject({ outcome: 'handled' });
    await handle();
  });

  test('is refunded when an admin then rejects the transfer', async () => {
    const id = await fixture.create({ state: 'in_review' });
    await captureInDashboard(id);
    await fixture.runJob('sync-payment', id);
    await fixture.reject(id);
    await fixture.run(id, 'void');
    const emails = await fixture.database.fork().find(Email, { kind: 'transfer_rejected', data: { transferId: id } });
    expect(emails.map(({ data }) => data.mayBeCharged)).toEqual([true]);
    const intent = await fixture.intent(id);
    expect(intent).toMatchObject({ amount_received: 10_000, latest_charge: { amount_refunded: 10_000 } });
    expect((await fixture.see(id)).authorizationVoidedAt).not.toBeNull();
  });
});

test('a payment that was captured in part in Stripe’s dashboard does not count as captured', async () => {
  const id = await fixture.create();
  await captureInDashboard(id, 4_000);
  await fixture.run(id, 'capture');
  expect((await fixture.see(id)).state).toBe('approved');
  expect(await fixture.openCases(id)).toEqual(['captured_in_part']);
});

test('a contradiction that another process resolved concurrently is no failure', async () => {
  const id = await fixture.create({ state: 'in_review' });
  const { stripe } = fixture.context;
  const paymentIntents = Object.create(stripe.paymentIntents);
  // Between the reading of the transfer and that of its payment, it is approved and captured.
  paymentIntents.retrieve = async (...args: Parameters<typeof stripe.paymentIntents.retrieve>) => {
    await fixture.approve(id);
    await fixture.run(id, 'capture');
    return stripe.paymentIntents.retrieve(...args);
  };
  const context = { ...fixture.context, stripe: Object.assign(Object.create(stripe), { paymentIntents }) };
  await fixture.runJob('sync-payment', id, context as JobContext);
  await fixture.expectEnd(id, 'completed');
});
