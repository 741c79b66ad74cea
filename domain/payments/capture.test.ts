import { afterEach, describe, expect, it } from 'vitest';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';

const fixture = usePaymentFixture();
afterEach(() => fixture.stripe.clearFaults());

const capturePath = '/capture$';

describe('a capture', () => {
  it('captures an approved transfer once and requests its payout', async () => {
    const id = await fixture.create();
    await fixture.loseJobs(id);
    await Promise.all([fixture.run(id, 'capture'), fixture.run(id, 'capture')]);
    await fixture.run(id, 'capture');
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await fixture.intent(id)).toMatchObject({ status: 'succeeded', amount_received: 10_000 });
    expect(await fixture.events(id, 'charge.captured')).toHaveLength(1);
    expect(await fixture.dueKinds(id)).toEqual(['payout']);
  });

  it('is abandoned when its sender has cancelled', async () => {
    const id = await fixture.create();
    await fixture.cancel(id);
    await fixture.run(id, 'capture');
    expect((await fixture.intent(id)).status).toBe('requires_capture');
    expect(await fixture.operations(id, 'capture')).toMatchObject([{ status: 'abandoned' }]);
  });

  it('fails a transfer whose authorization has ended, without a payout', async () => {
    const id = await fixture.create();
    fixture.stripe.expireHold(await fixture.intentId(id));
    await fixture.run(id, 'capture');
    await fixture.expectOutcome(id, 'failed');
    expect(await fixture.dueKinds(id)).not.toContain('payout');
  });

  it('captures under the key of a new sequence after Stripe stored a failure under the first', async () => {
    const id = await fixture.create();
    fixture.stripe.failNext({ kind: 'stored_error', path: capturePath });
    await fixture.run(id, 'capture');
    expect((await fixture.see(id)).state).toBe('approved');
    fixture.now = new Date(fixture.now.getTime() + 2_000);
    await fixture.run(id, 'capture');
    expect(await fixture.operations(id, 'capture')).toMatchObject([
      { sequence: 1, status: 'failed', idempotencyKey: `capture:${id}:1` },
      { sequence: 2, status: 'succeeded', idempotencyKey: `capture:${id}:2`, attempts: 2 },
    ]);
    expect((await fixture.see(id)).state).toBe('captured');
  });

  it('captures once when the answer of the capture is lost', async () => {
    const id = await fixture.create();
    fixture.stripe.failNext({ kind: 'do_then_drop', path: capturePath });
    await fixture.run(id, 'capture');
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await fixture.events(id, 'charge.captured')).toHaveLength(1);
  });

  it('adopts a capture made in Stripe’s dashboard', async () => {
    const id = await fixture.create();
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    await fixture.run(id, 'capture');
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await fixture.events(id, 'charge.captured')).toHaveLength(1);
  });
});
