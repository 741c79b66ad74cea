import { afterEach, describe, expect, test } from 'vitest';
import { maxAttempts } from '#core/operations/operation';
import { setBlocked } from '../accounts/account-oversight.repository.ts';
import { expirePayment } from '../payments/expire.ts';
import { syncFraudWarnings } from '../payments/fraud-warnings.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { useComplaintFixture } from '../testing/complaint-fixture.ts';
import { viewCase } from './desk.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;
afterEach(() => fixture.stripe.clearFaults());

const casesOf = async (id: string) => {
  const open = (await fixture.cases(id)).filter(({ resolvedAt }) => !resolvedAt);
  return Promise.all(
    open.map((one) => viewCase(fixture.database.fork(), one.id, { viewerId: desk.ana, at: fixture.now })),
  );
};
const actionsOf = async (id: string) => (await casesOf(id)).map(({ reason, actions }) => [reason, ...actions]);
const _caseIdOf = async (id: string, reason: string) =>
  (await fixture.cases(id)).find((one) => one.reason === reason && !one.resolvedAt)?.id ?? '';
const _standingRefunds = async (id: string) => {
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  return data.filter(({ status }) => status === 'succeeded' || status === 'pending').map(({ amount }) => amount);
};
const refundOutside = async (id: string, amount?: number) => {
  const payment_intent = await fixture.intentId(id);
  const refund = await fixture.stripe.sdk.refunds.create({ payment_intent, ...(amount ? { amount } : {}) });
  await syncPayment(fixture.context, id);
  return refund;
};
const _refuseRefunds = (times = 1) =>
  fixture.stripe.failNext({ kind: 'error', status: 400, path: '^/v1/refunds$', method: 'POST', times });

describe('F: a second payout is held by something whose case is closed or was never opened', () => {
  const payAgain = async (id: string) => {
    const report = await complaints.report(id, 'wrong_amount');
    await complaints.conclude(report.id, { remedy: 'pay_again', payout: 10_000n });
    await complaints.approve(report.id);
    await fixture.run(id, 'payout');
    expect((await fixture.operations(id, 'payout')).at(-1)?.lastError).toMatch(/^held: /);
    fixture.later(30 * 86_400_000);
    await fixture.run(id, 'payout');
    return actionsOf(id);
  };

  test('by a fraud warning whose case was resolved', async () => {
    const id = await complaints.createPaidByCard('pm_card_createIssuerFraudRecord');
    await fixture.stripe.idle();
    await syncFraudWarnings(fixture.context, id);
    await desk.act(id, 'resolve');
    expect((await payAgain(id)).some(([, ...actions]) => actions.includes('release_hold'))).toBe(true);
  });

  test('by a refund in the dashboard whose case was resolved', async () => {
    const id = await complaints.createPaidByCard();
    await refundOutside(id, 100);
    await desk.act(id, 'resolve');
    expect((await payAgain(id)).some(([, ...actions]) => actions.includes('release_hold'))).toBe(true);
  });

  test('by the block of its sender', async () => {
    const id = await complaints.createPaidByCard();
    const { userId } = await fixture.see(id);
    const block = (blocked: boolean) =>
      fixture.database.transaction((em) =>
        setBlocked(em, { userId, blocked, reason: 'Tarjeta robada', adminId: desk.ana, at: fixture.now }),
      );
    await block(true);
    const actions = await payAgain(id);
    await block(false);
    expect(actions.some((one) => one.includes('release_hold'))).toBe(true);
  });
});

describe('G: charged in the dashboard before the product knew that the card is held', () => {
  test('the desk can do something about the money of a transfer that nobody approved', async () => {
    const id = await fixture.create({ state: 'held' });
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    await syncPayment(fixture.context, id);
    fixture.later(3_600_000);
    await expirePayment(fixture.context, id);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      fixture.later(2 * 3_600_000);
      await fixture.run(id, 'void');
    }
    expect((await fixture.see(id)).state).toBe('awaiting_payment');
    const actions = (await actionsOf(id)).flatMap(([, ...names]) => names);
    expect(actions.filter((name) => name !== 'resolve')).not.toEqual([]);
  });
});

describe('H: a cancellation after the approval whose void Stripe refuses', () => {
  test('the desk can free the card', async () => {
    const id = await fixture.create();
    await fixture.cancel(id);
    await fixture.run(id, 'capture');
    fixture.stripe.failNext({ kind: 'error', status: 400, path: '/cancel$', method: 'POST' });
    await fixture.run(id, 'void');
    expect(await fixture.openCases(id)).toEqual(['operation_refused']);
    expect((await actionsOf(id)).flatMap(([, ...names]) => names)).not.toEqual([]);
  });
});

describe('I: a refund that stays pending', () => {
  test('is a person’s task after a month', async () => {
    const id = await fixture.createRefunding({ paymentMethod: 'pm_card_pendingRefund' });
    const { stripe } = fixture.context;
    const list = async (query: never) => {
      const page = await stripe.refunds.list(query);
      return { ...page, data: page.data.map((one) => ({ ...one, status: 'pending' })) };
    };
    const refunds = { list, create: stripe.refunds.create.bind(stripe.refunds) };
    const pending = { ...fixture.context, stripe: Object.assign(Object.create(stripe), { refunds }) };
    await fixture.run(id, 'refund', pending);
    for (let day = 0; day < 30; day += 1) {
      fixture.later(86_400_000);
      await fixture.run(id, 'refund', pending);
    }
    expect(await fixture.operations(id, 'refund')).toMatchObject([{ status: 'in_flight' }]);
    expect(await fixture.openCases(id)).not.toEqual([]);
  });
});
