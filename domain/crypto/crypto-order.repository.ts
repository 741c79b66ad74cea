import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { Failure } from '#core/contracts/failures';
import { type CryptoStatus, mayFollow } from '#core/crypto/crypto-order';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { addPush } from '#platform/outbox/outbox';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { CryptoOrder } from './crypto-order.entity.ts';

export type { CryptoOrder } from './crypto-order.entity.ts';

/** The provider's facts about a purchase; null where unknown. */
export type CryptoOrderFacts = Pick<
  CryptoOrder,
  'paidMinor' | 'usdcMillionths' | 'networkFeeMinor' | 'transactionFeeMinor' | 'transactionId'
>;

/** The buyer's own order. @throws Failure `not_found`, also for another user's. */
export async function findCryptoOrderOf(em: EntityManager, userId: string, id: string): Promise<CryptoOrder> {
  const order = await em.findOne(CryptoOrder, { id, userId });
  if (!order) throw new Failure('not_found');
  return order;
}

/** The order with an id, or null. */
export function findCryptoOrder(em: EntityManager, id: string): Promise<CryptoOrder | null> {
  return em.findOne(CryptoOrder, { id });
}

/** The orders with these ids, in no order. */
export function findCryptoOrders(em: EntityManager, ids: readonly string[]): Promise<CryptoOrder[]> {
  return em.find(CryptoOrder, { id: { $in: [...ids] } });
}

/** The order that a request with this idempotency key opened, or null. */
export function findCryptoOrderByKey(em: EntityManager, userId: string, key: string): Promise<CryptoOrder | null> {
  return em.findOne(CryptoOrder, { userId, idempotencyKey: key });
}

/** The order of an onramp session, or null. */
export function findCryptoOrderBySession(em: EntityManager, sessionId: string): Promise<CryptoOrder | null> {
  return em.findOne(CryptoOrder, { sessionId });
}

/** A page of a buyer's orders, newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findCryptoOrdersOf(
  em: EntityManager,
  userId: string,
  query: PageQuery,
): Promise<Page<CryptoOrder>> {
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  return toPage(await em.findByCursor(CryptoOrder, { where: { userId }, orderBy, ...pageOptions(query, 'created') }));
}

/**
 * Orders whose session may have changed unnoticed: unchanged since `before`; unpaid ones no older than `unpaidSince`.
 */
export function findOpenCryptoOrders(
  em: EntityManager,
  { before, unpaidSince, limit }: { before: Date; unpaidSince: Date; limit: number },
): Promise<Pick<CryptoOrder, 'id' | 'changedAt'>[]> {
  return em.find(
    CryptoOrder,
    {
      changedAt: { $lte: before },
      $or: [
        { status: 'fulfillment_processing' },
        { status: { $in: ['initialized', 'requires_payment'] }, createdAt: { $gte: unpaidSince } },
      ],
    },
    { orderBy: { changedAt: 'asc' }, limit, fields: ['id', 'changedAt'] },
  );
}

/** Deletes orders opened before a moment for which no session was ever created. */
export async function deleteUnstartedCryptoOrders(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(CryptoOrder, { status: 'created', createdAt: { $lt: before }, ...notOnLegalHold() });
}

/** Stores a purchase before the provider knows of it. */
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

/**
 * Stores the session created for a purchase. Running it again, or with another session, changes nothing. Returns the
 * session of the purchase.
 */
export async function attachOnrampSession(
  em: EntityManager,
  orderId: string,
  sessionId: string,
  at: Date,
): Promise<string> {
  const open = await em.findOne(
    CryptoOrder,
    { id: orderId, status: 'created', sessionId: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (open) await change(em, open, { sessionId, status: 'initialized' }, at);
  const order = await em.findOneOrFail(CryptoOrder, { id: orderId }, { refresh: true });
  return order.sessionId ?? sessionId;
}

/**
 * Updates a purchase to the provider's status, in the transaction of `em`: a guarded update and a push. A status only
 * moves forward; missing facts of the same status are filled in. Returns whether anything changed.
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

function factsOf({ paidMinor, usdcMillionths, networkFeeMinor, transactionFeeMinor, transactionId }: CryptoOrderFacts) {
  return { paidMinor, usdcMillionths, networkFeeMinor, transactionFeeMinor, transactionId };
}

/** The caller holds the row's lock, so the version cannot have changed. */
async function change(em: EntityManager, order: CryptoOrder, changes: Partial<CryptoOrder>, at: Date): Promise<void> {
  await em.nativeUpdate(
    CryptoOrder,
    { id: order.id, version: order.version },
    { ...changes, version: order.version + 1, changedAt: at },
  );
  addPush(em, 'crypto-order-changed', { orderId: order.id });
  await em.flush();
}
