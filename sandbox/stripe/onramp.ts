/** The way of an onramp session: from the first look to coins in a wallet. */
import { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { randomText } from '../ids.ts';
import { missingObject, StripeError, wrongState } from '../server/errors.ts';
import { expand, oneOf, pages, text, timeRange } from '../server/parameters.ts';
import { emit } from './events.ts';
import { type Page, pageOf } from './lists.ts';
import { onrampMode } from './onramp-modes.ts';
import { AMOUNT_DEFAULT, COIN_NAMES, NETWORK_NAMES, priceOf } from './onramp-prices.ts';
import { ONRAMP_STATUSES, type OnrampSession, type OnrampStatus } from './onramp-session.ts';
import { behaviourOf, createFromData, type MethodData } from './payment-methods.ts';

export const retrieveParameters = z.strictObject({ ...expand, client_secret: text().optional() });

/** The stored session. @throws 404; for a publishable key also when the client secret is not its own. */
export function findSession(call: Call, id: string, clientSecret?: string): OnrampSession {
  const session = call.context.storage.find('onramp_session', id);
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
  destination_network: oneOf(NETWORK_NAMES).optional(),
});

export function listSessions(call: Call, input: z.infer<typeof listParameters>): Page<OnrampSession> {
  return pageOf(call.context, 'onramp_session', '/v1/crypto/onramp_sessions', input, {
    equal: {
      status: input.status,
      'transaction_details.destination_currency': input.destination_currency,
      'transaction_details.destination_network': input.destination_network,
    },
  });
}

/** Puts a session into a status and tells it; it stays there. The same status again is no news. */
export function moveSession(call: Call, session: OnrampSession, status: OnrampStatus): OnrampSession {
  if (session.status === status) return session;
  const { context } = call;
  const moved: OnrampSession = { ...session, status, transaction_details: detailsAt(session, status) };
  context.storage.save('onramp_session', moved);
  emit(call, onrampMode(context).eventName as Parameters<typeof emit>[1], moved);
  // Whatever was to follow by itself from where it was, does not any more.
  context.tasks.remove('fulfil_onramp', moved.id);
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
  const card = behaviourOf(call.context, method.id);
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
  const { tasks, clock, asyncDelayMs } = call.context;
  tasks.add('fulfil_onramp', paid.id, clock.millis() + asyncDelayMs);
  return paid;
}

/** The coins arrive. */
export function fulfilSession(call: Call, id: string): void {
  const session = call.context.storage.find('onramp_session', id);
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

export function onrampViews(context: SandboxContext, limit: number): OnrampView[] {
  return context.storage.list('onramp_session', { limit }).data.map(onrampView);
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
