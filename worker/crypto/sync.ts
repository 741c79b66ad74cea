import { type CryptoStatus, cryptoStatusRanks, isFinalCryptoStatus, parseCoins } from '#core/crypto';
import { parseMinor } from '#core/money';
import { advanceCryptoOrder, attachOnrampSession, type CryptoOrderFacts } from '#platform/database/crypto-orders';
import { CryptoOrder } from '#platform/database/schema/crypto';
import { type OnrampSession, readOnrampSession } from '#platform/onramp';
import type { Engine } from '../engine.ts';
import { Hopeless } from '../retry.ts';

/**
 * Brings a purchase to where its session stands at Stripe, whoever asks: webhook, the buyer's page or the sweep, once, often
 * or all at the same time. Only what Stripe says now counts, never what an event said.
 */
export async function syncCryptoOrder(engine: Engine, orderId: string): Promise<void> {
  const order = await engine.database.read().findOne(CryptoOrder, { id: orderId });
  if (!order?.sessionId) return;
  // A delivered purchase may still be told its transaction; a refused one has nothing more to say.
  if (isFinalCryptoStatus(order.status) && (order.status === 'rejected' || order.transactionId)) return;
  const session = await readOnrampSession(engine.stripe, order.sessionId);
  refuseMismatch(session, order);
  const { status } = session;
  if (!isKnown(status)) {
    engine.log.warn({ orderId, status }, 'an onramp session has a status we do not know');
    return;
  }
  await engine.database.transaction((em) =>
    advanceCryptoOrder(em, order.id, { ...factsOf(session), status }, engine.now()),
  );
}

/**
 * The purchase an onramp session belongs to, or null for one that is not ours. If the api died between making the session
 * and noting it, it is noted now.
 */
export async function cryptoOrderOf(engine: Engine, sessionId: string): Promise<string | null> {
  const em = engine.database.read();
  const known = await em.findOne(CryptoOrder, { sessionId }, { fields: ['id'] });
  if (known) return known.id;
  const { metadata } = await readOnrampSession(engine.stripe, sessionId);
  const orderId = metadata?.order_id;
  if (!orderId || !/^[0-9a-f-]{36}$/.test(orderId)) return null;
  await engine.database.transaction((em) => attachOnrampSession(em, orderId, sessionId, engine.now()));
  const noted = await engine.database.read().findOne(CryptoOrder, { sessionId }, { fields: ['id'] });
  return noted?.id ?? null;
}

/** @throws Hopeless when the session is of another purchase, or would deliver elsewhere. */
function refuseMismatch({ metadata, transaction_details: details }: OnrampSession, order: CryptoOrder): void {
  if (metadata?.order_id !== order.id) throw new Hopeless('the onramp session does not match the purchase');
  const elsewhere = details?.wallet_address && details.wallet_address !== order.walletAddress;
  if (elsewhere) throw new Hopeless('the onramp session delivers to another wallet');
}

function isKnown(status: string): status is CryptoStatus {
  return status !== 'created' && Object.hasOwn(cryptoStatusRanks, status);
}

/** Amounts that Stripe writes finer than cents are not ours to round: they stay unknown. */
function factsOf({ transaction_details: details }: OnrampSession): CryptoOrderFacts {
  const cents = (text: string | null | undefined) => (text ? parseMinor(text) : null);
  return {
    paidMinor: cents(details?.source_amount),
    coins: details?.destination_amount ? parseCoins(details.destination_amount) : null,
    networkFeeMinor: cents(details?.fees?.network_fee_amount),
    transactionFeeMinor: cents(details?.fees?.transaction_fee_amount),
    transactionId: details?.transaction_id ?? null,
  };
}
