import { describe, expect, it } from 'vitest';
import { hourMs, minuteMs } from '#core/time/time';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { testMoment } from '../../testing/transfers.ts';
import { authorizationMarginMs } from '../transfers/transfer.repository.ts';
import { expireAuthorization, expirePayment } from './expire.ts';

const fixture = usePaymentFixture();
const afterOpening = (ms: number) => new Date(testMoment.getTime() + ms);

describe('expirePayment', () => {
  it('expires an unpaid quote, whose payment intent can no longer be paid', async () => {
    const id = await fixture.create({ state: 'awaiting_payment' });
    fixture.now = afterOpening(30 * minuteMs);
    await expirePayment(fixture.context, id);
    await expirePayment(fixture.context, id);
    await fixture.run(id, 'void');
    await fixture.expectOutcome(id, 'expired');
    await expect(fixture.pay(id)).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' });
  });

  it('sends a transfer that was paid at the last moment to review', async () => {
    const id = await fixture.create({ state: 'held' });
    fixture.now = afterOpening(hourMs);
    await expirePayment(fixture.context, id);
    await fixture.run(id, 'void');
    expect((await fixture.see(id)).state).toBe('in_review');
    expect((await fixture.intent(id)).status).toBe('requires_capture');
  });

  it('waits until the quote has expired', async () => {
    const id = await fixture.create({ state: 'awaiting_payment' });
    fixture.now = afterOpening(30 * minuteMs - 1);
    await expirePayment(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('awaiting_payment');
  });
});

describe('expireAuthorization', () => {
  it('expires an undecided transfer near the end of its authorization and requests a void', async () => {
    fixture.now = new Date();
    const id = await fixture.create({ state: 'in_review' });
    const end = (await fixture.see(id)).captureBefore?.getTime() ?? 0;
    fixture.now = new Date(end - authorizationMarginMs - 1);
    await expireAuthorization(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('in_review');
    fixture.now = new Date(end - authorizationMarginMs);
    await expireAuthorization(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('expired');
    expect(await fixture.dueKinds(id)).toEqual(['void']);
    expect((await fixture.intent(id)).amount_received).toBe(0);
  });

  it('does not expire a transfer that was approved', async () => {
    fixture.now = new Date();
    const id = await fixture.create();
    fixture.now = (await fixture.see(id)).captureBefore ?? fixture.now;
    await expireAuthorization(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('approved');
  });
});
