import { expect } from 'vitest';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { endpoints } from '#core/contracts/http/endpoints';
import type { TransferState } from '#core/transfers/states';
import { pick, seededRandom, within } from '../../infra/testing/soak.ts';
import { requestJson, SandboxRefused } from '../../sandbox/testing/control-client.ts';
import { openPayment, payWithCard } from '../api-client.ts';
import { bolivianosOf, feeOf, marginOf, type SendCurrency, toText } from './books.ts';
import { adminsFor, bolivianosIn, netOf, type Sent, type World } from './world.ts';

/** Cards of Stripe's test mode that hold an amount, some after 3-D Secure. */
export const goodCards = [
  '4242424242424242',
  '4000056655665556',
  '5555555555554444',
  '5200828282828210',
  '378282246310005',
  '6011111111111117',
  '4000000000009235',
  '4000000000000077',
  '4000000000003220',
  '4000002760003184',
  '4000000000003055',
] as const;

/** Cards that hold nothing: declined at once, by Radar, or after 3-D Secure. */
export const badCards = [
  '4000000000000002',
  '4000000000009995',
  '4000000000009987',
  '4000000000009979',
  '4000000000006975',
  '4000000000000069',
  '4000000000000127',
  '4000000000000119',
  '4100000000000019',
  '4000008400001629',
  '4000008260003178',
] as const;

/** Test cards by their behaviour after a charge. */
export const cards = {
  disputed: ['4000000000000259', '4000000000002685'],
  disputedTwice: '4000000404000079',
  inquiry: '4000000000001976',
  fraudWarning: '4000000000005423',
  lateRefund: '4000000000007726',
  failingRefund: '4000000000005126',
  european: '4000002760003184',
} as const;

/** A sender freezes a quote, which must match our own arithmetic. */
export async function open(world: World, index: number, wanted?: SendCurrency): Promise<Sent> {
  const { market, senders } = world;
  const random = seededRandom(world.seed, `transfer-${index}`);
  const sender = pick(random, senders);
  const usual = random() < 0.7 ? 'EUR' : 'USD';
  const currency = wanted ?? usual;
  const large = random() < 0.03;
  const amount = BigInt(Math.floor(within(random, large ? [130_000, 240_000] : [1_500, 90_000])));
  const { rate, reference } = market[currency];
  const payment = await openPayment(sender.person, {
    ...{ amount: toText(amount), currency: currency === 'EUR' ? 'eur' : 'usd' },
    ...{ recipientId: sender.recipientId, key: `month-${index}` },
  });
  const net = amount - feeOf(amount);
  expect(payment.quote).toMatchObject({
    ...{ amount: toText(amount), fee: toText(feeOf(amount)), netAmount: toText(net) },
    ...{ bs: toText(bolivianosOf(net, rate)), markupPercent: toText(((reference - rate) * 10_000n) / reference) },
  });
  const { transferId: id, paymentIntentId: intentId } = payment;
  const openedOn = world.clock.day;
  const sent: Sent = {
    index,
    sender,
    id,
    intentId,
    openedOn,
    currency,
    amount,
    rate,
    reference,
    random,
    expected: 'expired',
  };
  world.sent.push(sent);
  clientSecrets.set(sent, payment.clientSecret);
  return sent;
}

const clientSecrets = new WeakMap<Sent, string>();

/** Pays at Stripe as a browser does, with 3-D Secure where the card wants it. Returns whether the card holds the amount. */
export async function pay({ app }: World, sent: Sent, card: string): Promise<boolean> {
  const { sandboxUrl } = app.stack;
  const payment = { paymentIntentId: sent.intentId, clientSecret: clientSecrets.get(sent) ?? '' };
  const { body } = await payWithCard(sandboxUrl, payment, card);
  if (body.status === 'requires_action') {
    const path = `/sandbox/stripe/payment_intents/${sent.intentId}/challenge`;
    await requestJson(sandboxUrl, 'POST', path, { outcome: 'complete' });
  }
  const now = await askStripe<{ status: string }>(sandboxUrl, `/v1/payment_intents/${sent.intentId}`);
  return now.status === 'requires_capture';
}

/** The sender pays, some after a card that was declined; the product holds the amount for review afterwards. */
export async function payForReview(world: World, sent: Sent, card?: string): Promise<void> {
  const { watch } = world;
  const { random } = sent;
  if (random() < 0.08) expect(await pay(world, sent, pick(random, badCards))).toBe(false);
  expect(await pay(world, sent, card ?? pick(random, goodCards))).toBe(true);
  // Half of the browsers are closed right after paying.
  if (random() < 0.5) {
    const body = { paymentIntentId: sent.intentId };
    await sent.sender.person.call(endpoints.confirmTransaction, { body });
  }
  await watch.wait(sent.id, 'it is in review', ({ state }) => state === 'in_review');
}

/** One admin approves, two above a threshold; a colleague may have claimed the transfer in the meantime. */
export async function approve(world: World, sent: Sent): Promise<void> {
  const [first, second] = adminsFor(world, sent);
  const params = { id: sent.id };
  if (sent.index % 5 === 0) {
    await first.call(endpoints.claimReview, { params, body: { mine: true } });
    await expect(second.call(endpoints.approve, { params })).rejects.toMatchObject({ code: 'claimed' });
  }
  const { transaction } = await first.call(endpoints.approve, { params });
  if (transaction.state !== 'in_review') return takeBetterRate(world, sent, transaction);
  await expect(first.call(endpoints.approve, { params })).rejects.toMatchObject({ code: 'own_request' });
  if (sent.index % 5 === 0) await first.call(endpoints.claimReview, { params, body: { mine: false } });
  const { review } = await second.call(endpoints.review, { params });
  const body = { approval_request_id: review.approval?.id ?? null };
  const approved = await second.call(endpoints.approve, { params, body });
  takeBetterRate(world, sent, approved.transaction);
}

/** Applies the approval's rate: the better of the accepted one and today's. */
function takeBetterRate({ market }: World, sent: Sent, approved: AdminTransferView): void {
  const accepted = { rate: sent.rate, bolivianos: bolivianosIn(sent) };
  const { rate, reference } = market[sent.currency];
  const isBetter = bolivianosOf(netOf(sent), rate) > accepted.bolivianos;
  if (isBetter) Object.assign(sent, { rate, reference });
  expect(approved).toMatchObject({
    amount_bs: toText(bolivianosIn(sent)),
    margin: toText(marginOf(netOf(sent), sent.rate, sent.reference)),
    accepted: isBetter ? { bolivianos: toText(accepted.bolivianos) } : null,
  });
}

/** Waits until nothing of it is under way, and says where it is. */
export async function rest({ watch }: World, sent: Sent): Promise<TransferState> {
  const { state } = await watch.wait(
    sent.id,
    'nothing of it is under way',
    ({ open, state }) => open === 0 && !['awaiting_payment', 'in_review', 'approved'].includes(state),
  );
  return state;
}

/** Refunds a payment in Stripe's dashboard, in full unless an amount is given. */
export async function refundInDashboard({ app }: World, sent: Sent, amount?: bigint): Promise<void> {
  const body = new URLSearchParams({
    payment_intent: sent.intentId,
    ...(amount === undefined ? {} : { amount: String(amount) }),
  });
  await askStripe(app.stack.sandboxUrl, '/v1/refunds', { body, key: `dashboard-${sent.index}` });
}

/** Asks Stripe past the product. @throws SandboxRefused */
export async function askStripe<Answer>(
  url: string,
  path: string,
  write?: { body: URLSearchParams; key: string },
): Promise<Answer> {
  const authorization = { authorization: 'Bearer sk_test_sandbox' };
  const request = write
    ? { method: 'POST', body: write.body, headers: { ...authorization, 'idempotency-key': write.key } }
    : { headers: authorization };
  const response = await fetch(`${url}${path}`, request);
  if (!response.ok) throw new SandboxRefused(path, response.status, await response.text());
  return (await response.json()) as Answer;
}
