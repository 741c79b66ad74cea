import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start();
});
afterAll(() => client.close());

/** A payment that its card's bank reports, charged or only held. */
async function reported({ captured }: { captured: boolean }): Promise<string> {
  const { id } = await client.pay('pm_card_createIssuerFraudRecord');
  if (captured) await client.stripe.paymentIntents.capture(id);
  await client.idle();
  return id;
}

async function warningOf(intentId: string): Promise<Stripe.Radar.EarlyFraudWarning | undefined> {
  return (await client.stripe.radar.earlyFraudWarnings.list({ payment_intent: intentId })).data[0];
}

const warnings = async (intentId: string) =>
  (await client.eventTypes(intentId)).filter((type) => type.startsWith('radar.'));

test('a card reports its payment as fraud once it is authorized', async () => {
  const id = await reported({ captured: false });
  expect(await warningOf(id)).toMatchObject({ actionable: true, fraud_type: 'made_with_stolen_card' });
  expect(await warnings(id)).toEqual(['radar.early_fraud_warning.created']);
});

test.each([
  ['a refund of all', (id: string) => client.stripe.refunds.create({ payment_intent: id })],
  ['a dispute', (id: string) => client.control('POST', `/stripe/payment_intents/${id}/dispute`, {})],
])('an early fraud warning is no longer actionable after %s', async (_, act) => {
  const id = await reported({ captured: true });
  await act(id);
  expect(await warningOf(id)).toMatchObject({ actionable: false });
  expect(await warnings(id)).toEqual(['radar.early_fraud_warning.created', 'radar.early_fraud_warning.updated']);
});

test('a payment that Radar sends to people is open for review until one approves it, and then not twice', async () => {
  const { stripe } = client;
  const { id, review } = await client.pay('pm_card_riskLevelElevated');
  const charge = (await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
    .latest_charge as Stripe.Charge;
  expect((await stripe.reviews.list()).data).toMatchObject([{ id: review, open: true, charge: charge.id }]);
  expect(charge.review).toBe(review);
  expect(await stripe.reviews.approve(review as string)).toMatchObject({ open: false, closed_reason: 'approved' });
  expect((await stripe.reviews.list()).data).toEqual([]);
  await expect(stripe.reviews.approve(review as string)).rejects.toThrow(/already closed/);
  const types = (await client.eventTypes(id)).filter((type) => type.startsWith('review.'));
  expect(types).toEqual(['review.opened', 'review.closed']);
});

test.each([
  ['refunded', true, (id: string) => client.stripe.refunds.create({ payment_intent: id })],
  ['canceled', false, (id: string) => client.stripe.paymentIntents.cancel(id)],
  ['disputed', true, (id: string) => client.control('POST', `/stripe/payment_intents/${id}/dispute`, {})],
])('a review closes as %s with its payment', async (reason, captured, act) => {
  const { id, review } = await client.pay('pm_card_riskLevelElevated');
  if (captured) await client.stripe.paymentIntents.capture(id);
  await act(id);
  expect(await client.stripe.reviews.retrieve(review as string)).toMatchObject({ open: false, closed_reason: reason });
});

test.each([
  ['a partial refund', true, (id: string) => client.stripe.refunds.create({ payment_intent: id, amount: 100 })],
  ['a release, which is no refund,', false, (id: string) => client.stripe.paymentIntents.cancel(id)],
])('%s leaves the early fraud warning as it is', async (_, captured, act) => {
  const id = await reported({ captured });
  await act(id);
  expect(await warningOf(id)).toMatchObject({ actionable: true });
  expect(await warnings(id)).toEqual(['radar.early_fraud_warning.created']);
});
