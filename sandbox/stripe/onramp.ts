/** Onramp sessions: retrieval and status changes from the opened form to delivery. */
import { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { randomText } from '../ids.ts';
import { missingObject, StripeError, wrongState } from '../server/errors.ts';
import { expand, oneOf, pages, text, timeRange } from '../server/parameters.ts';
import { emit } from './events.ts';
import { type Page, pageOf } from './lists.ts';
import { onrampMode } from './onramp-modes.ts';
import { AMOUNT_DEFAULT, CRYPTO_CURRENCY_NAMES, NETWORK_NAMES, priceOf } from './onramp-prices.ts';
import { ONRAMP_STATUSES, type OnrampSession, type OnrampStatus } from './onramp-session.ts';
import { behaviourOf, createFromData, type MethodData } from './payment-methods.ts';

export const retrieveParameters = z.strictObject({ ...expand, client_secret: text().optional() });

/** The stored session. Throws 404 when unknown, and with a publishable key also for another client secret. */
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
  destination_currency: oneOf(CRYPTO_CURRENCY_NAMES).optional(),
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

/** Moves a session into a status and emits its event; does nothing when it has that status already. */
export function moveSession(call: Call, session: OnrampSession, status: OnrampStatus): OnrampSession {
  if (session.status === status) return session;
  const { context } = call;
  const moved: OnrampSession = { ...session, status, transaction_details: detailsAt(session, status) };
  context.storage.save('onramp_session', moved);
  emit(call, onrampMode(context).eventName as Parameters<typeof emit>[1], moved);
  // Cancels the delivery scheduled from the earlier status.
  context.tasks.remove('fulfil_onramp', moved.id);
  return moved;
}

function detailsAt({ transaction_details: details }: OnrampSession, status: OnrampStatus) {
  if (status === 'initialized' || status === 'rejected') return details;
  const destination = details.destination_currency ?? 'usdc';
  const network = details.destination_network ?? 'solana';
  const currency = details.source_currency ?? 'usd';
  const { source_amount, destination_amount } = details;
  const amounts = source_amount ? { source_amount } : { source_amount: AMOUNT_DEFAULT, destination_amount };
  const price = priceOf({ currency, destination, network, ...amounts });
  return {
    ...details,
    destination_currency: destination,
    destination_network: network,
    source_currency: currency,
    wallet_address: details.wallet_address ?? (details.wallet_addresses?.[network] as string | undefined) ?? null,
    ...(price && {
      source_amount: price.source_amount,
      destination_amount: price.destination_amount,
      fees: price.fees,
    }),
    transaction_id: status === 'fulfillment_complete' ? (details.transaction_id ?? randomText(88)) : null,
  };
}

/** The buyer opened the form. The simulator needs no customer details, so payment is next. */
export function startSession(call: Call, session: OnrampSession): OnrampSession {
  return session.status === 'initialized' ? moveSession(call, session, 'requires_payment') : session;
}

const AUTHENTICATION = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
} as const;

/**
 * Pays with a card; delivery follows after `asyncDelayMs`. A declined card leaves the session open, a blocked one
 * rejects it. Throws the card error, or 400 for a session that does not wait for payment.
 */
export function paySession(call: Call, session: OnrampSession, data: MethodData): OnrampSession {
  if (session.status !== 'requires_payment') {
    throw wrongState(`This onramp session has a status of ${session.status}.`, 'intent_invalid_state');
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

/** Delivers a paid session. */
export function fulfilSession(call: Call, id: string): void {
  const session = call.context.storage.find('onramp_session', id);
  if (session?.status === 'fulfillment_processing') moveSession(call, session, 'fulfillment_complete');
}

/** A session as the control pages see it, without the wallet. */
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
