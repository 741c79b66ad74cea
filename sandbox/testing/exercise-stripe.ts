/** Calls everything that the Stripe simulator can do, so that each kind of answer and event exists. */
import type Stripe from 'stripe';
import { API_VERSION } from '../stripe/events.ts';
import { TEST_CARDS } from '../stripe/test-cards.ts';
import type { SandboxClient } from './sandbox-client.ts';
import { stripeFor } from './start-stripe.ts';

interface Callers {
  readonly client: SandboxClient;
  /** The SDK whose answers are recorded. */
  readonly stripe: Stripe;
  /** The same client for further keys. */
  readonly httpClient: Stripe.StripeConfig['httpClient'];
}

/** @throws when the simulator refuses what it should do. */
export async function exerciseStripe(callers: Callers): Promise<void> {
  await payWithEveryCard(callers);
  await everythingElse(callers);
  await preventAndAppeal(callers, await dispute(callers));
  await lackFunds(callers);
  await payOutAndConvert(callers);
  await warnOfFraud(callers);
  await review(callers);
  await callers.client.idle();
  await readEverything(callers);
  await callers.client.idle();
}

async function payWithEveryCard({ client, stripe }: Callers): Promise<void> {
  for (const { names, dispute } of TEST_CARDS) {
    const intent = await stripe.paymentIntents.create({
      amount: 10_000,
      currency: 'eur',
      capture_method: 'manual',
      allowed_payment_method_types: ['card'],
      description: 'Envío',
      metadata: { transfer_id: names[0] },
    });
    const params = { payment_method: `pm_card_${names[0]}`, expand: ['latest_charge.balance_transaction'] };
    const confirmed = await stripe.paymentIntents
      .confirm(intent.id, params)
      .catch((error) => error as Stripe.StripeRawError);
    if ('status' in confirmed && confirmed.status === 'requires_action') {
      await client.control('POST', `/stripe/payment_intents/${intent.id}/challenge`, { outcome: 'complete' });
    }
    const now = await stripe.paymentIntents.retrieve(intent.id, { expand: ['payment_method', 'latest_charge'] });
    if (now.status !== 'requires_capture') continue;
    await stripe.paymentIntents.capture(intent.id);
    if (dispute !== 'none') continue;
    await stripe.refunds.create({
      payment_intent: intent.id,
      expand: ['charge.payment_intent', 'balance_transaction'],
    });
  }
}

async function everythingElse({ client, stripe, httpClient }: Callers): Promise<void> {
  const redirects = { payment_method: 'pm_card_authenticationRequired', return_url: 'https://merchant.test/back' };
  const waiting = await stripe.paymentIntents.create({ amount: 500, currency: 'usd', confirm: true, ...redirects });
  await client.control('POST', `/stripe/payment_intents/${waiting.id}/challenge`, { outcome: 'fail' });
  await stripe.paymentIntents.update(waiting.id, { metadata: { a: 'b' }, payment_method: 'pm_card_mastercard' });
  await stripe.paymentIntents.cancel(waiting.id, { cancellation_reason: 'abandoned' });
  const released = await client.pay('pm_card_visa');
  await stripe.paymentIntents.cancel(released.id);
  const expired = await client.pay('pm_card_visa');
  await client.control('POST', `/stripe/payment_intents/${expired.id}/expire_hold`);
  const customer = await stripe.customers.create({ email: 'persona@example.com', payment_method: 'pm_card_visa' });
  await stripe.customers.update(customer.id, { name: 'Persona' });
  const method = await stripe.paymentMethods.attach('pm_card_amex', { customer: customer.id });
  await stripe.paymentMethods.update(method.id, { metadata: { a: 'b' } });
  const paid = await stripe.paymentIntents.create({
    ...{ amount: 900, currency: 'eur', confirm: true, payment_method: method.id, customer: customer.id },
    ...{ off_session: true, setup_future_usage: 'off_session', capture_method: 'automatic_async' },
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    shipping: { name: 'Persona', address: { line1: 'Calle 1', city: 'La Paz', country: 'BO' } },
    expand: ['customer', 'payment_method.customer'],
  });
  const partial = await stripe.refunds.create({
    payment_intent: paid.id,
    amount: 100,
    reason: 'requested_by_customer',
  });
  await stripe.refunds.update(partial.id, { metadata: { why: 'test' } });
  await stripe.refunds.cancel(partial.id).catch(() => {});
  await stripe.paymentMethods.detach(method.id);
  await stripe.customers.del(customer.id);
  const endpoint = await stripe.webhookEndpoints.create({
    url: 'https://merchant.test/hook',
    enabled_events: ['charge.captured'],
  });
  await stripe.webhookEndpoints.update(endpoint.id, { disabled: true });
  await stripe.webhookEndpoints.retrieve(endpoint.id);
  await stripe.webhookEndpoints.del(endpoint.id);
  await stripe.paymentIntents.retrieve('pi_nothing').catch(() => {});
  await stripe.paymentIntents.create({ amount: 1, currency: 'eur' }).catch(() => {});
  await stripeFor(client.sandbox.url, 'sk_test_wrong', httpClient ? { httpClient } : {})
    .balance.retrieve()
    .catch(() => {});
}

async function warnOfFraud({ client, stripe }: Callers): Promise<void> {
  const { id } = await client.pay('pm_card_createIssuerFraudRecord');
  await stripe.paymentIntents.capture(id);
  await client.idle();
  const { data } = await stripe.radar.earlyFraudWarnings.list({ payment_intent: id, expand: ['data.charge'] });
  await stripe.radar.earlyFraudWarnings.retrieve(data[0]?.id ?? '');
  await stripe.refunds.create({ payment_intent: id });
}

async function review({ client, stripe }: Callers): Promise<void> {
  await client.pay('pm_card_riskLevelElevated');
  const { data } = await stripe.reviews.list({ expand: ['data.charge', 'data.payment_intent'] });
  const [{ id }] = data as [Stripe.Review];
  await stripe.reviews.approve(id, { expand: ['payment_intent.latest_charge.review'] });
  await stripe.reviews.retrieve(id);
}

/** Returns the id of a file with evidence. */
async function dispute({ client, stripe }: Callers): Promise<string> {
  const receipt = { data: Buffer.from('%PDF-1.7\n'), name: 'recibo.pdf', type: 'application/pdf' };
  const file = await stripe.files.create({ purpose: 'dispute_evidence', file: receipt });
  await stripe.files.retrieve(file.id);
  await stripe.files.list({ purpose: 'dispute_evidence' });
  const answers = [
    ['pm_card_createDispute', 'winning_evidence'],
    ['pm_card_createDisputeProductNotReceived', 'losing_evidence'],
    ['pm_card_createDisputeInquiry', 'escalate_inquiry_evidence'],
    ['pm_card_createMultipleDisputes', 'Pagamos.'],
  ] as const;
  for (const [card, uncategorized_text] of answers) {
    const { id } = await client.pay(card);
    await stripe.paymentIntents.capture(id);
    await client.idle();
    const { data } = await stripe.disputes.list({ payment_intent: id, expand: ['data.charge', 'data.payment_intent'] });
    const [opened] = data as [Stripe.Dispute];
    if (!opened.is_charge_refundable) await stripe.refunds.create({ payment_intent: id }).catch(() => {});
    await stripe.disputes.update(opened.id, {
      evidence: { customer_name: 'Ana' },
      submit: false,
      metadata: { a: 'b' },
    });
    await stripe.disputes.update(opened.id, { evidence: { uncategorized_text, uncategorized_file: file.id } });
    await client.idle();
    await stripe.disputes.retrieve(opened.id);
    await stripe.disputes.close(opened.id).catch(() => {});
  }
  return file.id;
}

async function preventAndAppeal({ client, stripe }: Callers, fileId: string): Promise<void> {
  for (const prevented of ['resolution', 'block']) {
    const { id } = await client.pay('pm_card_visa');
    await stripe.paymentIntents.capture(id);
    await client.control('POST', `/stripe/payment_intents/${id}/dispute`, { prevented });
    await stripe.disputes.list({ payment_intent: id });
  }
  const { id: lost } = await client.pay('pm_card_createDispute');
  await stripe.paymentIntents.capture(lost);
  await client.idle();
  const { data } = await stripe.disputes.list({ payment_intent: lost });
  const [{ id }] = data as [Stripe.Dispute];
  const decide = (decision: string) => client.control('POST', `/stripe/disputes/${id}/decide`, { decision });
  await stripe.disputes.update(id, { intended_submission_method: 'manual' });
  await decide('lost');
  await decide('appealable');
  const card = { reason_for_filing: 'Pagamos.', supporting_files: [fileId] };
  await stripe.disputes.update(id, { evidence: { appeal: { card } } });
  await decide('won');
}

async function lackFunds({ client, stripe }: Callers): Promise<void> {
  const refund = async () => {
    const { id } = await client.pay('pm_card_visa');
    await stripe.paymentIntents.capture(id);
    return stripe.refunds.create({ payment_intent: id });
  };
  await client.control('PUT', '/stripe/account', { uncoveredRefunds: 'pending' });
  await client.control('POST', `/stripe/refunds/${(await refund()).id}/fail`);
  await refund();
  await client.control('PUT', '/stripe/account', { uncoveredRefunds: 'refused' });
  await refund().catch(() => {});
  await client.control('PUT', '/stripe/account', { uncoveredRefunds: 'none' });
}

async function payOutAndConvert({ client, stripe }: Callers): Promise<void> {
  const { id } = await client.pay('pm_card_bypassPending');
  await stripe.paymentIntents.capture(id);
  const payout = await client.control<{ id: string }>('POST', '/stripe/payouts', { currency: 'eur', amount: 100 });
  await client.idle();
  await client.control('POST', `/stripe/payouts/${payout.id}/fail`);
  await client.control('POST', '/stripe/payouts', { currency: 'eur', amount: 100 });
  await stripe.payouts.list({ expand: ['data.balance_transaction', 'data.failure_balance_transaction'] });
  await stripe.payouts.retrieve(payout.id);
  await client.control('PUT', '/stripe/account', { settlement: { currency: 'usd', rate: 1.15 } });
  const converted = await client.pay('pm_card_visa');
  await stripe.paymentIntents.capture(converted.id, { expand: ['latest_charge.balance_transaction'] });
  await client.control('PUT', '/stripe/account', { settlement: null });
}

async function readEverything({ stripe }: Callers): Promise<void> {
  const all = { limit: 100 };
  await stripe.paymentIntents.list({
    ...all,
    expand: ['data.latest_charge.balance_transaction', 'data.payment_method'],
  });
  await stripe.charges.list({ ...all, expand: ['data.refunds', 'data.payment_intent'] });
  await stripe.refunds.list({ ...all, expand: ['data.failure_balance_transaction'] });
  await stripe.balanceTransactions.list({ ...all, expand: ['data.source'] });
  await stripe.balance.retrieve();
  await stripe.paymentMethods.list(all);
  await stripe.webhookEndpoints.list();
  for await (const event of stripe.events.list(all)) {
    if (event.api_version !== API_VERSION) throw new Error(`an event of version ${event.api_version}`);
  }
  const { data } = await stripe.charges.list({ limit: 1 });
  await stripe.charges.update(data[0]?.id ?? '', { description: 'Otro' });
}
