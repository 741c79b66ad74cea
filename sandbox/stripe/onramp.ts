/** The crypto onramp: sessions, what they cost, and their way from the first look to coins in a wallet. */
import { z } from 'zod';
import { newId, randomText } from '../ids.ts';
import { invalidRequest, missingObject, StripeError, wrongState } from '../server/errors.ts';
import {
  expand,
  flag,
  ignored,
  listOf,
  metadata,
  oneOf,
  pages,
  text,
  timeRange,
  withMetadata,
} from '../server/parameters.ts';
import type { Call, World } from '../world.ts';
import { emit } from './events.ts';
import { type Page, pageOf } from './lists.ts';
import { onrampMode } from './onramp-modes.ts';
import { COIN_NAMES, coinsOn, isSold, NETWORK_NAMES, priceOf } from './onramp-prices.ts';
import { ONRAMP_STATUSES, type OnrampSession, type OnrampStatus } from './onramp-session.ts';
import { behaviourOf, createFromData, type MethodData } from './payment-methods.ts';

/** What a person buys who was offered no amount. */
const AMOUNT_DEFAULT = '100.00';
/** Addresses whose owners the seller does not serve: one in Bolivia, and one of a person on a list. */
const REFUSED_ADDRESSES: Record<string, string> = {
  '190.129.0.1': 'crypto_onramp_unsupported_country',
  '203.0.113.9': 'crypto_onramp_unsupportable_customer',
};

const network = oneOf(NETWORK_NAMES);
const walletAddresses = z.strictObject({
  ...Object.fromEntries(NETWORK_NAMES.map((name) => [name, text(200).optional()])),
  destination_tags: z.strictObject({ stellar: text(100).optional() }).optional(),
});

export const createParameters = z.strictObject({
  ...expand,
  wallet_addresses: walletAddresses.optional(),
  lock_wallet_address: flag.optional(),
  source_currency: oneOf(['usd', 'eur']).optional(),
  source_amount: text(20).optional(),
  destination_amount: text(30).optional(),
  destination_currency: oneOf(COIN_NAMES).optional(),
  destination_network: network.optional(),
  destination_currencies: listOf(oneOf(COIN_NAMES), 20).optional(),
  destination_networks: listOf(network, 20).optional(),
  customer_ip_address: text(60).optional(),
  customer_information: ignored.optional(),
  settlement_speed: oneOf(['instant', 'standard']).optional(),
  metadata: metadata.optional(),
});
type CreateInput = z.infer<typeof createParameters>;

function refuse(code: string, message: string, param?: string): StripeError {
  return invalidRequest(message, { code, ...(param ? { param } : {}) });
}

function checkCustomer({ world }: Call, input: CreateInput): void {
  if (onrampMode(world).disabled) {
    throw refuse('crypto_onramp_disabled', 'The onramp is currently disabled for your account.');
  }
  const code = REFUSED_ADDRESSES[input.customer_ip_address ?? ''];
  if (code) throw refuse(code, 'This customer cannot be served.', 'customer_ip_address');
}

function checkDestination(input: CreateInput): void {
  const { destination_currency: coin, destination_network: on } = input;
  if ((coin === undefined) !== (on === undefined)) {
    throw refuse(
      'crypto_onramp_incomplete_destination_currency_and_network_pair',
      'Pass destination_currency and destination_network together, or neither.',
    );
  }
  if (coin && input.destination_currencies && !input.destination_currencies.includes(coin)) {
    throw refuse(
      'crypto_onramp_conflicting_destination_currency',
      'destination_currency is not among destination_currencies.',
    );
  }
  if (on && input.destination_networks && !input.destination_networks.includes(on)) {
    throw refuse(
      'crypto_onramp_conflicting_destination_network',
      'destination_network is not among destination_networks.',
    );
  }
  if (coin && on && !isSold(coin, on)) {
    throw refuse('crypto_onramp_invalid_source_destination_pair', `${coin} is not sold on ${on}.`);
  }
}

function checkAmounts(input: CreateInput): void {
  const { source_amount: source, destination_amount: destination } = input;
  if (source && destination) {
    throw refuse(
      'parameters_exclusive',
      'You may only specify one of these parameters: source_amount, destination_amount.',
      'source_amount',
    );
  }
  if (source && !input.source_currency) {
    throw refuse('crypto_onramp_missing_source_currency', 'source_amount needs source_currency.', 'source_currency');
  }
  if (destination && !input.destination_currency) {
    throw refuse('parameter_missing', 'destination_amount needs destination_currency.', 'destination_currency');
  }
  const price = priceOf({
    currency: input.source_currency ?? 'usd',
    coin: input.destination_currency ?? 'usdc',
    network: input.destination_network ?? 'solana',
    source_amount: source ?? AMOUNT_DEFAULT,
    ...(destination ? { destination_amount: destination } : {}),
  });
  if (!price) throw invalidRequest('Invalid amount.', { param: source ? 'source_amount' : 'destination_amount' });
}

function checkWallets(input: CreateInput): void {
  const wallets = (input.wallet_addresses ?? {}) as Record<string, unknown>;
  const given = NETWORK_NAMES.filter((name) => wallets[name] !== undefined);
  if (input.lock_wallet_address && given.length === 0) {
    throw refuse(
      'crypto_onramp_no_wallet_address_to_lock',
      'lock_wallet_address needs wallet_addresses.',
      'lock_wallet_address',
    );
  }
  const networks = input.destination_networks ?? (input.destination_network ? [input.destination_network] : given);
  if (input.lock_wallet_address && networks.some((name) => !given.includes(name))) {
    throw refuse(
      'crypto_onramp_wallet_addresses_not_all_networks_supported',
      'With a locked wallet every destination network needs a wallet address.',
      'wallet_addresses',
    );
  }
}

export function createSession(call: Call, input: CreateInput): OnrampSession {
  checkCustomer(call, input);
  checkDestination(input);
  checkAmounts(input);
  checkWallets(input);
  const { world } = call;
  const id = newId('cos_1');
  const wallets = (input.wallet_addresses ?? null) as Record<string, unknown> | null;
  const on = input.destination_network ?? null;
  const session: OnrampSession = {
    id,
    object: 'crypto.onramp_session',
    client_secret: `${id}_secret_${randomText(32)}`,
    created: world.clock.seconds(),
    kyc_details_provided: false,
    livemode: false,
    metadata: withMetadata({}, input.metadata),
    redirect_url: null,
    status: 'initialized',
    transaction_details: {
      destination_amount: input.destination_amount ?? null,
      destination_currencies: input.destination_currencies ?? COIN_NAMES,
      destination_currency: input.destination_currency ?? null,
      destination_network: on,
      destination_networks: input.destination_networks ?? NETWORK_NAMES,
      fees: null,
      lock_wallet_address: input.lock_wallet_address ?? false,
      settlement_speed: input.settlement_speed ?? 'instant',
      source_amount: input.source_amount ?? null,
      source_currency: input.source_currency ?? null,
      transaction_id: null,
      wallet_address: on && wallets ? ((wallets[on] as string | undefined) ?? null) : null,
      wallet_addresses: wallets,
    },
  };
  world.storage.insert('onramp_session', session, {});
  return session;
}

export const retrieveParameters = z.strictObject({ ...expand, client_secret: text().optional() });

/** The stored session. @throws 404; for a publishable key also when the client secret is not its own. */
export function findSession(call: Call, id: string, clientSecret?: string): OnrampSession {
  const session = call.world.storage.find('onramp_session', id);
  const known = session && (call.key === 'secret' || clientSecret === session.client_secret);
  if (!known) throw missingObject('crypto.onramp_session', id);
  return session;
}

export function retrieveSession(call: Call, id: string, input: z.infer<typeof retrieveParameters>): OnrampSession {
  return findSession(call, id, input.client_secret);
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  created: timeRange.optional(),
  status: oneOf(ONRAMP_STATUSES).optional(),
  destination_currency: oneOf(COIN_NAMES).optional(),
  destination_network: network.optional(),
});

export function listSessions(call: Call, input: z.infer<typeof listParameters>): Page<OnrampSession> {
  return pageOf(call.world, 'onramp_session', '/v1/crypto/onramp_sessions', input, {
    equal: {
      status: input.status,
      'transaction_details.destination_currency': input.destination_currency,
      'transaction_details.destination_network': input.destination_network,
    },
  });
}

export const quoteParameters = z.strictObject({
  ...expand,
  source_currency: oneOf(['usd', 'eur']).optional(),
  source_amount: text(20).optional(),
  destination_amount: text(30).optional(),
  destination_currency: oneOf(COIN_NAMES).optional(),
  destination_currencies: listOf(oneOf(COIN_NAMES), 20).optional(),
  destination_network: network.optional(),
  destination_networks: listOf(network, 20).optional(),
});

/** What each coin on each network would cost now. */
export function listQuotes({ world }: Call, input: z.infer<typeof quoteParameters>): object {
  const { destination_currency: coin, destination_network: only } = input;
  const currency = input.source_currency ?? 'usd';
  const quotesOn = (on: string) =>
    coinsOn(on)
      .filter((one) => (coin ? one === coin : (input.destination_currencies?.includes(one) ?? true)))
      .flatMap((one) => {
        const amounts = {
          source_amount: input.source_amount ?? AMOUNT_DEFAULT,
          destination_amount: input.destination_amount ?? null,
        };
        const price = priceOf({ currency, coin: one, network: on, ...amounts });
        if (!price) throw invalidRequest('Invalid amount.', { param: 'source_amount' });
        const { fees, ...rest } = price;
        return {
          id: newId('coq_1'),
          destination_currency: one,
          destination_network: on,
          ...rest,
          fees: {
            network_fee_monetary: fees.network_fee_amount,
            transaction_fee_monetary: fees.transaction_fee_amount,
          },
        };
      });
  const networks = NETWORK_NAMES.filter((name) =>
    only ? name === only : (input.destination_networks?.includes(name) ?? true),
  );
  return {
    id: newId('coqs_1'),
    object: 'crypto.onramp.quotes',
    destination_network_quotes: Object.fromEntries(networks.map((name) => [name, quotesOn(name)])),
    livemode: false,
    rate_fetched_at: world.clock.seconds(),
    source_currency: currency,
  };
}

/** Puts a session into a status and tells it; it stays there. The same status again is no news. */
export function moveSession(call: Call, session: OnrampSession, status: OnrampStatus): OnrampSession {
  if (session.status === status) return session;
  const { world } = call;
  const moved: OnrampSession = { ...session, status, transaction_details: detailsAt(session, status) };
  world.storage.save('onramp_session', moved);
  emit(call, onrampMode(world).eventName as Parameters<typeof emit>[1], moved);
  // Whatever was to follow by itself from where it was, does not any more.
  world.schedule.remove('fulfil_onramp', moved.id);
  return moved;
}

function detailsAt({ transaction_details: details }: OnrampSession, status: OnrampStatus) {
  if (status === 'initialized' || status === 'rejected') return details;
  const coin = details.destination_currency ?? 'usdc';
  const on = details.destination_network ?? 'solana';
  const currency = details.source_currency ?? 'usd';
  const { source_amount, destination_amount } = details;
  const asked = source_amount ? { source_amount } : { source_amount: AMOUNT_DEFAULT, destination_amount };
  const price = priceOf({ currency, coin, network: on, ...asked });
  return {
    ...details,
    destination_currency: coin,
    destination_network: on,
    source_currency: currency,
    wallet_address: details.wallet_address ?? (details.wallet_addresses?.[on] as string | undefined) ?? null,
    ...(price && {
      source_amount: price.source_amount,
      destination_amount: price.destination_amount,
      fees: price.fees,
    }),
    transaction_id: status === 'fulfillment_complete' ? (details.transaction_id ?? randomText(88)) : null,
  };
}

/** The buyer has the form before them: what is known of the customer suffices here, so the card is what is missing. */
export function startSession(call: Call, session: OnrampSession): OnrampSession {
  return session.status === 'initialized' ? moveSession(call, session, 'requires_payment') : session;
}

const AUTHENTICATION = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
} as const;

/**
 * Pays with a card; the coins arrive a moment later. One that is declined leaves the session waiting for another; one that Radar blocks ends it as rejected.
 * @throws the card error; 400 for a session that takes no card now.
 */
export function paySession(call: Call, session: OnrampSession, data: MethodData): OnrampSession {
  if (session.status !== 'requires_payment') {
    throw wrongState(
      `This onramp session has a status of ${session.status}.`,
      'crypto_onramp_session_unexpected_state',
    );
  }
  const method = createFromData(call, data);
  const card = behaviourOf(call.world, method.id);
  if (card.decline?.blocked) return moveSession(call, session, 'rejected');
  if (card.decline) {
    const { code, declineCode, message } = card.decline;
    throw new StripeError(402, 'card_error', message, { code, decline_code: declineCode });
  }
  if (card.authentication === 'required') {
    throw new StripeError(
      402,
      'card_error',
      'Your card was declined. This transaction requires authentication.',
      AUTHENTICATION,
    );
  }
  const paid = moveSession(call, session, 'fulfillment_processing');
  const { schedule, clock, settleMs } = call.world;
  schedule.add('fulfil_onramp', paid.id, clock.millis() + settleMs);
  return paid;
}

/** The coins arrive. */
export function fulfilSession(call: Call, id: string): void {
  const session = call.world.storage.find('onramp_session', id);
  if (session?.status === 'fulfillment_processing') moveSession(call, session, 'fulfillment_complete');
}

/** As the control pages see it: never the wallet. */
export interface OnrampView {
  id: string;
  status: OnrampStatus;
  sourceAmount: string | null;
  sourceCurrency: string | null;
  destinationAmount: string | null;
  destinationCurrency: string | null;
  orderId: string | null;
  created: number;
}

export function onrampViews(world: World, limit: number): OnrampView[] {
  return world.storage.list('onramp_session', { limit }).data.map(onrampView);
}

export function onrampView({ id, status, created, metadata, transaction_details: details }: OnrampSession): OnrampView {
  return {
    id,
    status,
    sourceAmount: details.source_amount,
    sourceCurrency: details.source_currency,
    destinationAmount: details.destination_amount,
    destinationCurrency: details.destination_currency,
    orderId: metadata.order_id ?? null,
    created,
  };
}
