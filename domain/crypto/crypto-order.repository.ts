import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { CryptoOrderView } from '#core/contracts/http/crypto';
import { type CryptoStatus, cryptoSale, formatCoins, mayFollow } from '#core/crypto/crypto-order';
import { formatMinor } from '#core/money/money';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { CryptoOrder } from './crypto-order.entity.ts';

/** What the provider says of a purchase; null where it has not said. */
export type CryptoOrderFacts = Pick<
  CryptoOrder,
  'paidMinor' | 'coins' | 'networkFeeMinor' | 'transactionFeeMinor' | 'transactionId'
>;

/** Writes a purchase down before the provider knows of it. */
export function openCryptoOrder(
  em: EntityManager,
  input: Pick<CryptoOrder, 'userId' | 'amountMinor' | 'walletAddress' | 'inputHash'> & {
    idempotencyKey: string | null;
    at: Date;
  },
): CryptoOrder {
  const { at, ...rest } = input;
  const order = em.create(CryptoOrder, {
    ...rest,
    id: randomUUID(),
    status: 'created',
    version: 1,
    createdAt: at,
    changedAt: at,
  });
  em.persist(order);
  return order;
}

/** Remembers the session made for a purchase. Running it again, or with another session, changes nothing. */
export async function attachOnrampSession(
  em: EntityManager,
  orderId: string,
  sessionId: string,
  at: Date,
): Promise<void> {
  const open = await em.findOne(
    CryptoOrder,
    { id: orderId, status: 'created', sessionId: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (open) await change(em, open, { sessionId, status: 'initialized' }, at);
}

/**
 * Brings a purchase to where the provider says it stands, in the transaction of `em`: a guarded update and a push. A status
 * only goes onwards; facts of the same status that were missing are filled in. Returns whether anything changed.
 */
export async function advanceCryptoOrder(
  em: EntityManager,
  orderId: string,
  news: CryptoOrderFacts & { status: CryptoStatus },
  at: Date,
): Promise<boolean> {
  const order = await em.findOne(CryptoOrder, { id: orderId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!order || order.status === 'created') return false;
  const onwards = mayFollow(order.status, news.status);
  if (!onwards && order.status !== news.status) return false;
  const learnt = Object.fromEntries(
    Object.entries(factsOf(news)).filter(
      ([name, value]) => value !== null && value !== order[name as keyof CryptoOrder],
    ),
  );
  if (!onwards && Object.keys(learnt).length === 0) return false;
  await change(em, order, { ...learnt, status: news.status }, at);
  return true;
}

/** A purchase as its buyer sees it. */
export function toCryptoOrderView(order: CryptoOrder): CryptoOrderView {
  const { networkFeeMinor: network, transactionFeeMinor: transaction } = order;
  const known = network !== null && network !== undefined && transaction !== null && transaction !== undefined;
  return {
    ...cryptoSale,
    id: order.id,
    version: order.version,
    date: order.createdAt.toISOString(),
    amount: formatMinor(order.amountMinor),
    paidAmount: orNull(order.paidMinor, formatMinor),
    walletAddress: order.walletAddress,
    destinationAmount: orNull(order.coins, formatCoins),
    fees: known ? { network: formatMinor(network), transaction: formatMinor(transaction) } : null,
    status: order.status,
    transactionId: order.transactionId ?? null,
    changedAt: order.changedAt.toISOString(),
  };
}

function factsOf({ paidMinor, coins, networkFeeMinor, transactionFeeMinor, transactionId }: CryptoOrderFacts) {
  return { paidMinor, coins, networkFeeMinor, transactionFeeMinor, transactionId };
}

/** The caller holds the row's lock, so the version cannot have moved. */
async function change(em: EntityManager, order: CryptoOrder, changes: Partial<CryptoOrder>, at: Date): Promise<void> {
  await em.nativeUpdate(
    CryptoOrder,
    { id: order.id, version: order.version },
    { ...changes, version: order.version + 1, changedAt: at },
  );
  addPush(em, 'crypto-order-changed', { orderId: order.id });
  await em.flush();
}

function orNull(value: bigint | null | undefined, format: (value: bigint) => string): string | null {
  return value === null || value === undefined ? null : format(value);
}
