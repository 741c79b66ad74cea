/** The onramp over HTTP, with the SDK's raw requests and verified webhooks. */
import fc from 'fast-check';
import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { WebhookReceiver } from '../testing/webhook-receiver.ts';
import { priceOf } from './onramp-prices.ts';
import type { OnrampSession } from './onramp-session.ts';

const wallet = 'ChasquiDemo111111111111111111111111111111111';
const sessionParams = {
  source_currency: 'usd',
  source_amount: '100.00',
  destination_currency: 'usdc',
  destination_network: 'solana',
  destination_currencies: ['usdc'],
  destination_networks: ['solana'],
  wallet_addresses: { solana: wallet },
  lock_wallet_address: true,
  metadata: { order_id: 'o1' },
};

let client: SandboxClient;
let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await new WebhookReceiver().open();
  client = await SandboxClient.start({ webhookUrl: receiver.url });
});
afterEach(async () => {
  await client.close();
  await receiver.close();
});

const create = (more: object = {}, idempotencyKey?: string): Promise<OnrampSession> =>
  client.stripe.rawRequest(
    'POST',
    '/v1/crypto/onramp_sessions',
    { ...sessionParams, ...more },
    idempotencyKey ? { idempotencyKey } : {},
  );
const retrieve = (id: string): Promise<OnrampSession> =>
  client.stripe.rawRequest('GET', `/v1/crypto/onramp_sessions/${id}`);
const push = (id: string, status: string) => client.control('POST', `/stripe/onramp_sessions/${id}/status`, { status });

/** A request of the form in the buyer's browser. */
async function checkout(session: OnrampSession, more: Record<string, string>, key = 'pk_test_sandbox') {
  const response = await fetch(`${client.sandbox.url}/sandbox/stripe/onramp_sessions/${session.id}/checkout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, origin: 'http://localhost:3000' },
    body: new URLSearchParams({ client_secret: session.client_secret, ...more }),
  });
  return { status: response.status, body: (await response.json()) as OnrampSession & { error: Stripe.StripeRawError } };
}
const card = (number: string) => ({
  step: 'pay',
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': '2040',
  'payment_method_data[card][cvc]': '123',
});
const onrampEvents = () => receiver.received.filter(({ event }) => event.type.startsWith('crypto.'));
const statuses = () => onrampEvents().map(({ event }) => (event.data.object as unknown as OnrampSession).status);

describe('an onramp session', () => {
  it('an onramp session is created, retrieved and listed, and emits no event on creation', async () => {
    const session = await create();
    expect(session).toMatchObject({
      object: 'crypto.onramp_session',
      livemode: false,
      status: 'initialized',
      metadata: { order_id: 'o1' },
      transaction_details: {
        source_amount: '100.00',
        destination_currency: 'usdc',
        destination_network: 'solana',
        lock_wallet_address: true,
        wallet_address: wallet,
        transaction_id: null,
        fees: null,
      },
    });
    expect(session.client_secret).toMatch(/^cos_\w+_secret_\w+$/);
    const other = await create({ source_amount: '20.00' });
    expect(await retrieve(session.id)).toEqual(session);
    const list = await client.stripe.rawRequest('GET', '/v1/crypto/onramp_sessions?limit=1');
    expect(list).toMatchObject({ object: 'list', has_more: true, data: [{ id: other.id }] });
    await client.idle();
    expect(onrampEvents()).toEqual([]);
  });

  it('an onramp session is returned again for the same idempotency key, which refuses other parameters', async () => {
    const first = await create({}, 'onramp:1');
    expect(await create({}, 'onramp:1')).toEqual(first);
    await expect(create({ source_amount: '11.00' }, 'onramp:1')).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    });
  });

  it('an onramp session is shown to a browser only with its client secret and without the merchant’s data', async () => {
    const session = await create();
    const other = await create();
    const retrieveAs = async (secret: string) => {
      const query = new URLSearchParams({ client_secret: secret });
      const response = await fetch(`${client.sandbox.url}/v1/crypto/onramp_sessions/${session.id}?${query}`, {
        headers: { authorization: 'Bearer pk_test_sandbox' },
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const { status, body } = await retrieveAs(session.client_secret);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('metadata');
    expect(body.transaction_details).not.toHaveProperty('wallet_addresses');
    expect((await retrieveAs(other.client_secret)).status).toBe(404);
    expect((await retrieveAs('')).status).toBe(400);
  });

  const refused: [string, object, string][] = [
    [
      'currency without network',
      { destination_network: undefined },
      'crypto_onramp_incomplete_destination_currency_and_network_pair',
    ],
    [
      'a pair that is not sold',
      { destination_currency: 'btc', destination_currencies: ['btc'] },
      'crypto_onramp_invalid_source_destination_pair',
    ],
    ['an amount without its currency', { source_currency: undefined }, 'crypto_onramp_missing_source_currency'],
    ['no wallet to lock', { wallet_addresses: undefined }, 'crypto_onramp_no_wallet_address_to_lock'],
    [
      'a currency outside the offered ones',
      { destination_currencies: ['sol'] },
      'crypto_onramp_conflicting_destination_currency',
    ],
    [
      'a network outside the offered ones',
      { destination_networks: ['ethereum'] },
      'crypto_onramp_conflicting_destination_network',
    ],
    [
      'a network without a wallet',
      { destination_networks: ['solana', 'ethereum'] },
      'crypto_onramp_wallet_addresses_not_all_networks_supported',
    ],
    ['a country that is not served', { customer_ip_address: '190.129.0.1' }, 'crypto_onramp_unsupported_country'],
    ['an unsupportable customer', { customer_ip_address: '203.0.113.9' }, 'crypto_onramp_unsupportable_customer'],
    ['both amounts', { destination_amount: '5.00' }, 'parameters_exclusive'],
    ['what does not exist', { wallets: 'x' }, 'parameter_unknown'],
  ];
  it.each(refused)('an onramp session is refused with %s', async (_what, more, code) => {
    await expect(create(more)).rejects.toMatchObject({ statusCode: 400, code });
  });

  it('an onramp session is refused while the account is disabled', async () => {
    await client.control('PUT', '/stripe/onramp_mode', { disabled: true });
    await expect(create()).rejects.toMatchObject({ statusCode: 400, code: 'crypto_onramp_disabled' });
  });
});

describe('an onramp purchase', () => {
  it('an onramp purchase goes from the form to delivery and emits one event per status under the documented name', async () => {
    const session = await create();
    const started = await checkout(session, { step: 'start' });
    expect(started.body).toMatchObject({
      status: 'requires_payment',
      transaction_details: {
        destination_amount: '100.00',
        fees: { network_fee_amount: '0.01', transaction_fee_amount: '1.50' },
      },
    });
    expect(started.body).not.toHaveProperty('metadata');
    await checkout(session, { step: 'start' });
    expect((await checkout(session, card('4242424242424242'))).body.status).toBe('fulfillment_processing');
    await receiver.until(() => statuses().length === 3);
    await client.idle();
    expect(statuses().toSorted()).toEqual(['fulfillment_complete', 'fulfillment_processing', 'requires_payment']);
    expect(new Set(onrampEvents().map(({ event }) => event.type))).toEqual(new Set(['crypto.onramp_session_updated']));
    expect(receiver.refused).toBe(0);
    const done = await retrieve(session.id);
    expect(done.transaction_details.transaction_id).toMatch(/^\w{88}$/);
  });

  it('an onramp purchase emits its events under the other name when the mode says so', async () => {
    await client.control('PUT', '/stripe/onramp_mode', { eventName: 'crypto.onramp_session.updated' });
    const session = await create();
    await push(session.id, 'requires_payment');
    await receiver.until(() => onrampEvents().length === 1);
    expect(onrampEvents()[0]?.event.type).toBe('crypto.onramp_session.updated');
  });

  it('an onramp purchase stays open after a declined card and ends as rejected after a blocked one', async () => {
    const session = await create();
    await checkout(session, { step: 'start' });
    const declined = await checkout(session, card('4000000000009995'));
    expect(declined.status).toBe(402);
    expect(declined.body.error).toMatchObject({ type: 'card_error', decline_code: 'insufficient_funds' });
    expect((await retrieve(session.id)).status).toBe('requires_payment');
    expect((await checkout(session, card('4100000000000019'))).body.status).toBe('rejected');
    expect((await checkout(session, card('4242424242424242'))).body.error.code).toBe('intent_invalid_state');
  });

  it('an onramp purchase refuses a card with another client secret or another key', async () => {
    const session = await create();
    const other = await create();
    await checkout(session, { step: 'start' });
    const mixed = { ...session, client_secret: other.client_secret };
    expect((await checkout(mixed, card('4242424242424242'))).status).toBe(404);
    expect((await checkout(session, card('4242424242424242'), 'pk_test_other')).status).toBe(401);
    expect((await retrieve(session.id)).status).toBe('requires_payment');
  });

  it('an onramp purchase can be moved into every status, also backwards, with an event each time', async () => {
    const session = await create();
    const way = ['fulfillment_complete', 'requires_payment', 'rejected', 'fulfillment_processing', 'initialized'];
    for (const status of way) {
      await push(session.id, status);
      expect((await retrieve(session.id)).status).toBe(status);
    }
    await receiver.until(() => statuses().length >= way.length);
    await client.idle();
    // A status set by hand stays.
    expect((await retrieve(session.id)).status).toBe('initialized');
    expect(statuses().toSorted()).toEqual(way.toSorted());
  });
});

describe('onramp quotes', () => {
  it('onramp quotes list the price of each currency on each network', async () => {
    const quotes = await client.stripe.rawRequest(
      'GET',
      '/v1/crypto/onramp/quotes?source_currency=usd&source_amount=50.00&destination_network=solana',
    );
    expect(quotes.destination_network_quotes).toMatchObject({
      solana: [
        { destination_currency: 'usdc', destination_amount: '50.00', source_total_amount: '50.76' },
        { destination_currency: 'sol' },
      ],
    });
  });

  it('onramp quotes never deliver more than was paid for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (cents) => {
        const source = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        const price = priceOf({ currency: 'usd', destination: 'usdc', network: 'solana', source_amount: source });
        expect(price?.source_amount).toBe(source);
        expect(price?.destination_amount).toBe(source);
        const back = priceOf({ currency: 'eur', destination: 'sol', network: 'solana', source_amount: source });
        if (!back) return;
        const again = priceOf({
          currency: 'eur',
          destination: 'sol',
          network: 'solana',
          destination_amount: back.destination_amount,
        });
        expect(Number(again?.source_amount)).toBeLessThanOrEqual(Number(source));
      }),
    );
  });
});
