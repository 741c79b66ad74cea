import { describe, expect, it } from 'vitest';
import { ownReasons } from '#core/transfers/own-reasons';
import { NonRetryableError } from '#platform/queues/retry';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { openTestReminder } from '../../testing/transfers.ts';
import type { JobContext } from '../jobs/job-context.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { sumSent } from '../transfers/transfer-figures.repository.ts';
import { syncPayment } from './sync-payment.ts';

const fixture = usePaymentFixture();

/** Syncs concurrently authorized payments. */
const syncAll = (of: JobContext, ids: string[]) => Promise.all(ids.map((id) => syncPayment(of, id)));

describe('syncPayment', () => {
  it('sends a transfer to review once its card is authorized, with the card and the end of the authorization', async () => {
    const id = await fixture.create({ state: 'held' });
    await Promise.all([syncPayment(fixture.context, id), syncPayment(fixture.context, id)]);
    await syncPayment(fixture.context, id);
    const intent = await fixture.intent(id);
    const card = intent.latest_charge?.payment_method_details?.card;
    const captureBefore = card?.capture_before ?? 0;
    expect(await fixture.see(id)).toMatchObject({
      state: 'in_review',
      paidAt: fixture.now,
      cardBrand: 'visa',
      cardLast4: '4242',
      cardFingerprint: card?.fingerprint ?? 'none',
      captureBefore: new Date(captureBefore * 1000),
    });
    expect(await fixture.steps(id)).toEqual([null, 'attach_intent', 'hold']);
  });

  it('does not change an unpaid transfer', async () => {
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

  it('voids an authorization made after the transfer ended', async () => {
    const id = await fixture.create({ state: 'awaiting_payment' });
    await fixture.cancel(id);
    await fixture.pay(id);
    await syncPayment(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('cancelled');
    await fixture.run(id, 'void');
    await fixture.expectOutcome(id, 'cancelled');
  });

  it('never lets two concurrent payments exceed a limit together', async () => {
    const ids = [await fixture.create({ state: 'held' }), await fixture.create({ state: 'held' })];
    const { userId, usdMinor } = await fixture.see(ids[0] as string);
    const { dayUsdMinor } = await sumSent(fixture.database.fork(), userId, fixture.now);
    // Room for either of them, a cent short of both.
    const limits = { ...fixture.context.limits, dayUsdMinor: dayUsdMinor + 2n * usdMinor - 1n };
    await syncAll({ ...fixture.context, limits }, ids);
    const after = await Promise.all(ids.map((id) => fixture.see(id)));
    expect(after.map(({ state }) => state).sort()).toEqual(['failed', 'in_review']);
    expect((await sumSent(fixture.database.fork(), userId, fixture.now)).dayUsdMinor).toBe(dayUsdMinor + usdMinor);
    const refused = after.find(({ state }) => state === 'failed') as Transfer;
    expect(refused).toMatchObject({ reason: ownReasons.day_limit_reached, paidAt: null });
    await fixture.run(refused.id, 'void');
    await fixture.expectOutcome(refused.id, 'failed');
  });

  it('accepts only one of two concurrent payments of the same reminder', async () => {
    const ids = [await fixture.create({ state: 'held' }), await fixture.create({ state: 'held' })];
    const { userId, recipientId } = await fixture.see(ids[0] as string);
    await fixture.database.transaction((em) =>
      openTestReminder(em, { userId, recipientId: recipientId as string, transferIds: ids }),
    );
    await syncAll(fixture.context, ids);
    const after = await Promise.all(ids.map((id) => fixture.see(id)));
    expect(after.map(({ state }) => state).sort()).toEqual(['failed', 'in_review']);
    const refused = after.find(({ state }) => state === 'failed') as Transfer;
    expect(refused).toMatchObject({ reason: ownReasons.reminder_paid, paidAt: null });
    await fixture.run(refused.id, 'void');
    await fixture.expectOutcome(refused.id, 'failed');
  });

  it('keeps no authorization for a closed account', async () => {
    const id = await fixture.create({ state: 'held' });
    const { userId } = await fixture.see(id);
    const close = (at: Date | null) =>
      fixture.database.fork().execute('update app_user set closed_at = ? where id = ?', [at, userId]);
    await close(fixture.now);
    await syncPayment(fixture.context, id).finally(() => close(null));
    expect(await fixture.see(id)).toMatchObject({ state: 'cancelled', paidAt: null });
    await fixture.run(id, 'void');
    await fixture.expectOutcome(id, 'cancelled');
  });

  it('accepts a payment of a reminder whose earlier payment ended uncharged', async () => {
    const ids = [await fixture.create({ state: 'in_review' }), await fixture.create({ state: 'held' })];
    const [rejected = '', second = ''] = ids;
    const { userId, recipientId } = await fixture.see(rejected);
    await fixture.database.transaction((em) =>
      openTestReminder(em, { userId, recipientId: recipientId as string, transferIds: ids }),
    );
    await fixture.reject(rejected);
    await syncPayment(fixture.context, second);
    expect((await fixture.see(second)).state).toBe('in_review');
  });

  it('permanently rejects a payment intent of another transfer or amount', async () => {
    for (const update of [{ metadata: { transfer_id: 'another' } }, { amount: 9_999 }]) {
      const id = await fixture.create({ state: 'awaiting_payment' });
      await fixture.stripe.sdk.paymentIntents.update(await fixture.intentId(id), update);
      await expect(syncPayment(fixture.context, id)).rejects.toBeInstanceOf(NonRetryableError);
      expect((await fixture.see(id)).state).toBe('awaiting_payment');
    }
  });
});
