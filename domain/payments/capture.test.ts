import { afterEach, describe, expect, it } from 'vitest';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { capturePayment } from './capture.ts';

const fixture = usePaymentFixture();
afterEach(() => fixture.stripe.clearFaults());

const capturePath = '/capture$';

describe('capturePayment', () => {
  it('captures an approved transfer once and asks for its payout', async () => {
    const id = await fixture.create();
    await fixture.loseJobs(id);
    await Promise.all([capturePayment(fixture.context, id, 0), capturePayment(fixture.context, id, 0)]);
    await capturePayment(fixture.context, id, 1);
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await fixture.intent(id)).toMatchObject({ status: 'succeeded', amount_received: 10_000 });
    expect(await fixture.events(id, 'charge.captured')).toHaveLength(1);
    expect(await fixture.requestedJobs(id)).toEqual(['pay-out']);
  });

  it('does not touch a transfer that is not approved', async () => {
    const id = await fixture.create({ state: 'in_review' });
    await capturePayment(fixture.context, id, 0);
    expect((await fixture.see(id)).state).toBe('in_review');
    expect((await fixture.intent(id)).status).toBe('requires_capture');
  });

  it('fails a transfer whose authorization is gone, without a payout', async () => {
    const id = await fixture.create();
    fixture.stripe.expireHold(await fixture.intentId(id));
    await capturePayment(fixture.context, id, 0);
    await fixture.expectOutcome(id, 'failed');
    expect(await fixture.requestedJobs(id)).not.toContain('pay-out');
  });

  it('captures with the next attempt after Stripe stored a failure under the key of the first', async () => {
    const id = await fixture.create();
    fixture.stripe.failNext({ kind: 'stored_error', path: capturePath });
    await expect(capturePayment(fixture.context, id, 0)).rejects.toThrow();
    expect((await fixture.see(id)).state).toBe('approved');
    await capturePayment(fixture.context, id, 1);
    expect((await fixture.see(id)).state).toBe('captured');
  });

  it('captures once when the answer of the capture is lost', async () => {
    const id = await fixture.create();
    fixture.stripe.failNext({ kind: 'do_then_drop', path: capturePath });
    await capturePayment(fixture.context, id, 0);
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await fixture.events(id, 'charge.captured')).toHaveLength(1);
  });

  it('takes over a capture that was made in Stripe’s dashboard', async () => {
    const id = await fixture.create();
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    await capturePayment(fixture.context, id, 0);
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await fixture.events(id, 'charge.captured')).toHaveLength(1);
  });
});
