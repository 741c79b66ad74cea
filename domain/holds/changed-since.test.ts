import { describe, expect, test } from 'vitest';
import { createTestUser } from '../../testing/accounts.ts';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { setBlocked } from '../account-oversight/account-oversight.repository.ts';
import { findRequest } from '../desk/desk-request.repository.ts';
import { syncFraudWarnings } from '../payments/fraud-warnings.ts';
import { syncRefunds } from '../payments/refund.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;

test('a new block of a sender is not covered by the release of the old one', async () => {
  const { id: userId } = await createTestUser(fixture.database);
  const id = await fixture.create({ state: 'captured', userId });
  const block = (blocked: boolean, reason: string) =>
    fixture.database.transaction((em) =>
      setBlocked(em, { userId, blocked, reason, adminId: desk.ana, at: fixture.now }),
    );
  await block(true, 'Tarjeta robada');
  await fixture.run(id, 'payout');
  const requested = await desk.act(id, 'release_hold');
  await desk.decide(requested.request?.id ?? '', desk.luis);
  await block(false, 'Era un error');
  fixture.later(60_000);
  await block(true, 'Lavado de dinero');
  await fixture.run(id, 'payout');
  expect(fixture.payouts(id)).toEqual([]);
});

test('a refund by hand of more than is owed by now is confirmed by a second person', async () => {
  const id = await desk.createUnrefunded();
  const requestId = await desk.reserve(id, 'refund_by_hand');
  const real = fixture.context.stripe;
  const { data: known } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  // Like a successful refund of 40.00 in the dashboard.
  const outside = {
    ...known[0],
    id: 're_outside',
    amount: 4_000,
    status: 'succeeded',
    metadata: {},
    failure_reason: null,
  };
  const list = async () => ({ data: [outside, ...known] });
  const stripe = Object.assign(Object.create(real), { refunds: { list } });
  await syncRefunds({ ...fixture.context, stripe }, await fixture.see(id));
  expect(await fixture.see(id)).toMatchObject({ state: 'refunding', returnedMinor: 4_000n });
  await desk.report(requestId, { amount: '100.00' });
  expect(await findRequest(fixture.database.fork(), requestId)).toMatchObject({ outcome: null });
});

const caseIdOf = async (id: string, reason: string) =>
  (await fixture.cases(id)).find((one) => one.reason === reason && !one.resolvedAt)?.id ?? '';
const refundOutside = async (id: string, amount?: number) => {
  const payment_intent = await fixture.intentId(id);
  const refund = await fixture.stripe.sdk.refunds.create({ payment_intent, ...(amount ? { amount } : {}) });
  await syncPayment(fixture.context, id);
  return refund;
};

describe('a release of holds', () => {
  test('requested for a small outside refund does not cover a large one', async () => {
    const id = await fixture.create({ state: 'captured' });
    await refundOutside(id, 100);
    const requested = await desk.act(id, 'release_hold');
    await refundOutside(id, 9_000);
    await desk.decide(requested.request?.id ?? '', desk.luis).catch(() => null);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
  });

  test('for a partly lost dispute does not cover another dispute', async () => {
    const id = await fixture.create({ state: 'captured' });
    const first = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 100 });
    fixture.stripe.decideDispute(first.id, 'lost');
    await syncDisputes(fixture.context, id);
    const requested = await desk.act(id, 'release_hold', { caseId: await caseIdOf(id, 'dispute_lost') });
    const second = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 9_000 });
    fixture.stripe.decideDispute(second.id, 'lost');
    await syncDisputes(fixture.context, id);
    await desk.decide(requested.request?.id ?? '', desk.luis).catch(() => null);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
  });
});

describe('a release of one fraud warning', () => {
  test('does not cover a later one of the same type', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_createIssuerFraudRecord' });
    await fixture.stripe.idle();
    const { stripe } = fixture.context;
    const given = (data: readonly unknown[]) => {
      const radar = { earlyFraudWarnings: { list: async () => ({ data }) } };
      return { ...fixture.context, stripe: Object.assign(Object.create(stripe), { radar }) };
    };
    const warning = (name: string) => ({ id: name, actionable: true, fraud_type: 'made_with_stolen_card' });
    await syncFraudWarnings(given([warning('issfr_1')]), id);
    const requested = await desk.act(id, 'release_hold');
    await desk.decide(requested.request?.id ?? '', desk.luis);
    await syncFraudWarnings(given([]), id);
    await syncFraudWarnings(given([warning('issfr_2')]), id);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
  });
});
