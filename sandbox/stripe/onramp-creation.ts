/** Creation of onramp sessions: parameters and refusals. */
import { z } from 'zod';
import type { Call } from '../context.ts';
import { newId, randomText } from '../ids.ts';
import { invalidRequest, type StripeError } from '../server/errors.ts';
import { expand, flag, ignored, listOf, metadata, oneOf, text, withMetadata } from '../server/parameters.ts';
import { onrampMode } from './onramp-modes.ts';
import { AMOUNT_DEFAULT, CRYPTO_CURRENCY_NAMES, isSold, NETWORK_NAMES, priceOf } from './onramp-prices.ts';
import type { OnrampSession } from './onramp-session.ts';

/** IP addresses that are refused: one for an unsupported country, one for an unsupportable customer. */
const REFUSED_ADDRESSES: Record<string, string> = {
  '190.129.0.1': 'crypto_onramp_unsupported_country',
  '203.0.113.9': 'crypto_onramp_unsupportable_customer',
};

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
  destination_currency: oneOf(CRYPTO_CURRENCY_NAMES).optional(),
  destination_network: oneOf(NETWORK_NAMES).optional(),
  destination_currencies: listOf(oneOf(CRYPTO_CURRENCY_NAMES), 20).optional(),
  destination_networks: listOf(oneOf(NETWORK_NAMES), 20).optional(),
  customer_ip_address: text(60).optional(),
  customer_information: ignored.optional(),
  settlement_speed: oneOf(['instant', 'standard']).optional(),
  metadata: metadata.optional(),
});
type CreateInput = z.infer<typeof createParameters>;

function refuse(code: string, message: string, param?: string): StripeError {
  return invalidRequest(message, { code, ...(param ? { param } : {}) });
}

function checkCustomer({ context }: Call, input: CreateInput): void {
  if (onrampMode(context).disabled) {
    throw refuse('crypto_onramp_disabled', 'The onramp is currently disabled for your account.');
  }
  const code = REFUSED_ADDRESSES[input.customer_ip_address ?? ''];
  if (code) throw refuse(code, 'This customer cannot be served.', 'customer_ip_address');
}

function checkDestination(input: CreateInput): void {
  const { destination_currency: destination, destination_network: network } = input;
  if ((destination === undefined) !== (network === undefined)) {
    throw refuse(
      'crypto_onramp_incomplete_destination_currency_and_network_pair',
      'Pass destination_currency and destination_network together, or neither.',
    );
  }
  if (destination && input.destination_currencies && !input.destination_currencies.includes(destination)) {
    throw refuse(
      'crypto_onramp_conflicting_destination_currency',
      'destination_currency is not among destination_currencies.',
    );
  }
  if (network && input.destination_networks && !input.destination_networks.includes(network)) {
    throw refuse(
      'crypto_onramp_conflicting_destination_network',
      'destination_network is not among destination_networks.',
    );
  }
  if (destination && network && !isSold(destination, network)) {
    throw refuse('crypto_onramp_invalid_source_destination_pair', `${destination} is not sold on ${network}.`);
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
    destination: input.destination_currency ?? 'usdc',
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
  const { context } = call;
  const id = newId('cos_1');
  const wallets = (input.wallet_addresses ?? null) as Record<string, unknown> | null;
  const network = input.destination_network ?? null;
  const session: OnrampSession = {
    id,
    object: 'crypto.onramp_session',
    client_secret: `${id}_secret_${randomText(32)}`,
    created: context.clock.seconds(),
    kyc_details_provided: false,
    livemode: false,
    metadata: withMetadata({}, input.metadata),
    redirect_url: null,
    status: 'initialized',
    transaction_details: {
      destination_amount: input.destination_amount ?? null,
      destination_currencies: input.destination_currencies ?? CRYPTO_CURRENCY_NAMES,
      destination_currency: input.destination_currency ?? null,
      destination_network: network,
      destination_networks: input.destination_networks ?? NETWORK_NAMES,
      fees: null,
      lock_wallet_address: input.lock_wallet_address ?? false,
      settlement_speed: input.settlement_speed ?? 'instant',
      source_amount: input.source_amount ?? null,
      source_currency: input.source_currency ?? null,
      transaction_id: null,
      wallet_address: network && wallets ? ((wallets[network] as string | undefined) ?? null) : null,
      wallet_addresses: wallets,
    },
  };
  context.storage.insert('onramp_session', session, {});
  return session;
}
