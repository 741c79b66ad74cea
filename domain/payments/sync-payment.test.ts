import { describe, expect, it } from 'vitest';
import { NonRetryableError } from '#platform/queues/retry';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { syncPayment } from './sync-payment.ts';

const fixture = usePaymentFixture();

describe('syncPayment', () => {
  it('sends a transfer to review once its card is held, with the card and the end of the authorization', async () => {
    const id = await fixture.create({ state: 'held' });
    await Promise.all([syncPayment(fixture.context, id), syncPayment(fixture.context, id)]);
    await syncPayment(fixture.context, id);
    const intent = await fixture.intent(id);
    const captureBefore = intent.latest_charge?.payment_method_details?.card?.capture_before ?? 0;
    expect(await fixture.see(id)).toMatchObject({
      state: 'in_review',
      paidAt: fixture.now,
      cardBrand: 'visa',
      cardLast4: '4242',
      captureBefore: new Date(captureBefore * 1000),
    });
    expect(await fixture.steps(id)).toEqual([null, 'attach_intent', 'hold']);
  });

  it('leaves an unpaid transfer where it is', async () => {
    const id = await fixture.create({ state: 'awaiting_payment' });
    await syncPayment(fixture.context, id);
    await expect(fixture.pay(id, 'pm_card_chargeDeclined')).rejects.toThrow(/declined/);
    await syncPayment(fixture.context, id);
    expect(await fixture.steps(id)).toEqual([null, 'attach_intent']);
  });

  it('expires a transfer in review whose authorization Stripe dropped', async () => {
    const id = await fixture.create({ state: 'in_review' });
    fixture.stripe.expireHold(await fixture.intentId(id));
    await syncPayment(fixture.context, id);
    await fixture.expectOutcome(id, 'expired');
    expect((await fixture.see(id)).reason).toMatch(/No se cobró nada/);
  });

  it('fails an approved transfer whose authorization Stripe dropped', async () => {
    const id = await fixture.create();
    fixture.stripe.expireHold(await fixture.intentId(id));
    await syncPayment(fixture.context, id);
    await fixture.expectOutcome(id, 'failed');
  });

  it('voids an authorization that was made after the transfer had ended', async () => {
    const id = await fixture.create({ state: 'awaiting_payment' });
    await fixture.cancel(id);
    await fixture.pay(id);
    await syncPayment(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('cancelled');
    await fixture.run(id, 'void');
    await fixture.expectOutcome(id, 'cancelled');
  });

  it('refuses for good a payment intent that is about another transfer or amount', async () => {
    for (const update of [{ metadata: { transfer_id: 'another' } }, { amount: 9_999 }]) {
      const id = await fixture.create({ state: 'awaiting_payment' });
      await fixture.stripe.sdk.paymentIntents.update(await fixture.intentId(id), update);
      await expect(syncPayment(fixture.context, id)).rejects.toBeInstanceOf(NonRetryableError);
      expect((await fixture.see(id)).state).toBe('awaiting_payment');
    }
  });
});
