import { afterEach, describe, expect, it } from 'vitest';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { voidAuthorization } from './void-authorization.ts';

const fixture = usePaymentFixture();
afterEach(() => fixture.stripe.clearFaults());

async function createRejected(): Promise<string> {
  const id = await fixture.create({ state: 'in_review' });
  await fixture.reject(id);
  return id;
}

describe('voidAuthorization', () => {
  it('cancels the payment intent of a rejected transfer and notes that nothing is held', async () => {
    const id = await createRejected();
    await voidAuthorization(fixture.context, id, 0);
    await voidAuthorization(fixture.context, id, 1);
    await fixture.expectOutcome(id, 'rejected');
    expect((await fixture.intent(id)).cancellation_reason).toBe('abandoned');
  });

  it('tells Stripe when the sender asked for the cancellation', async () => {
    const id = await fixture.create({ state: 'in_review' });
    await fixture.cancel(id);
    await voidAuthorization(fixture.context, id, 0);
    await fixture.expectOutcome(id, 'cancelled');
    expect((await fixture.intent(id)).cancellation_reason).toBe('requested_by_customer');
  });

  it('only notes an authorization that is gone already', async () => {
    const id = await createRejected();
    fixture.stripe.expireHold(await fixture.intentId(id));
    await voidAuthorization(fixture.context, id, 0);
    await fixture.expectOutcome(id, 'rejected');
  });

  it('refunds a rejected transfer that was captured in Stripe’s dashboard', async () => {
    const id = await createRejected();
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    await voidAuthorization(fixture.context, id, 0);
    expect((await fixture.intent(id)).latest_charge).toMatchObject({ amount_refunded: 10_000, refunded: true });
    expect((await fixture.see(id)).authorizationVoidedAt).not.toBeNull();
  });

  it('leaves a transfer that has not ended alone', async () => {
    const id = await fixture.create({ state: 'in_review' });
    await voidAuthorization(fixture.context, id, 0);
    expect((await fixture.intent(id)).status).toBe('requires_capture');
  });

  it('notes nothing while Stripe does not answer, and voids with the next attempt', async () => {
    const id = await createRejected();
    fixture.stripe.failNext({ kind: 'stored_error', path: '/cancel$' });
    await expect(voidAuthorization(fixture.context, id, 0)).rejects.toThrow();
    expect((await fixture.see(id)).authorizationVoidedAt ?? null).toBeNull();
    await voidAuthorization(fixture.context, id, 1);
    await fixture.expectOutcome(id, 'rejected');
  });
});
