import { type CryptoStatus, cryptoStatusRanks, isFinalCryptoStatus, parseUsdc } from '#core/crypto/crypto-order';
import { parseMinor } from '#core/money/money';
import { NonRetryableError } from '#platform/queues/retry';
import type { JobContext } from '../jobs/job-context.ts';
import {
  advanceCryptoOrder,
  attachOnrampSession,
  type CryptoOrder,
  type CryptoOrderFacts,
  findCryptoOrder,
  findCryptoOrderBySession,
} from './crypto-order.repository.ts';
import { type OnrampSession, readOnrampSession } from './onramp-session.ts';

/**
 * Updates a purchase to the status of its session at Stripe. Called by the webhook, the buyer's page and the sweep any
 * number of times, also concurrently. Only Stripe's current state counts, never an event's content.
 */
export async function syncCryptoOrder(context: JobContext, orderId: string): Promise<void> {
  const order = await findCryptoOrder(context.database.fork(), orderId);
  if (!order?.sessionId) return;
  // A delivered purchase may still get its transaction id; a rejected one does not change any more.
  if (isFinalCryptoStatus(order.status) && (order.status === 'rejected' || order.transactionId)) return;
  const session = await readOnrampSession(context.stripe, order.sessionId);
  refuseMismatch(session, order);
  const { status } = session;
  if (!isKnown(status)) {
    context.log.warn({ orderId, status }, 'an onramp session has a status we do not know');
    return;
  }
  await context.database.transaction((em) =>
    advanceCryptoOrder(em, order.id, { ...factsOf(session), status }, context.now()),
  );
}

/**
 * The purchase of an onramp session, or null if it is not ours. If the api crashed between creating the session and
 * storing it, it is stored now.
 */
export async function cryptoOrderOf(context: JobContext, sessionId: string): Promise<string | null> {
  const em = context.database.fork();
  const known = await findCryptoOrderBySession(em, sessionId);
  if (known) return known.id;
  const { metadata } = await readOnrampSession(context.stripe, sessionId);
  const orderId = metadata?.order_id;
  if (!orderId || !/^[0-9a-f-]{36}$/.test(orderId)) return null;
  await context.database.transaction((em) => attachOnrampSession(em, orderId, sessionId, context.now()));
  const noted = await findCryptoOrderBySession(context.database.fork(), sessionId);
  return noted?.id ?? null;
}

/** @throws NonRetryableError when the session belongs to another purchase, or would deliver elsewhere. */
function refuseMismatch({ metadata, transaction_details: details }: OnrampSession, order: CryptoOrder): void {
  if (metadata?.order_id !== order.id) throw new NonRetryableError('the onramp session does not match the purchase');
  const elsewhere = details?.wallet_address && details.wallet_address !== order.walletAddress;
  if (elsewhere) throw new NonRetryableError('the onramp session delivers to another wallet');
}

function isKnown(status: string): status is CryptoStatus {
  return status !== 'created' && Object.hasOwn(cryptoStatusRanks, status);
}

/** Amounts finer than cents are not rounded: they stay unknown. */
function factsOf({ transaction_details: details }: OnrampSession): CryptoOrderFacts {
  const cents = (text: string | null | undefined) => (text ? parseMinor(text) : null);
  return {
    paidMinor: cents(details?.source_amount),
    usdcMillionths: details?.destination_amount ? parseUsdc(details.destination_amount) : null,
    networkFeeMinor: cents(details?.fees?.network_fee_amount),
    transactionFeeMinor: cents(details?.fees?.transaction_fee_amount),
    transactionId: details?.transaction_id ?? null,
  };
}
