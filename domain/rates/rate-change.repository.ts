import type { RequiredEntityData } from '@mikro-orm/core';
import { Failure } from '#core/contracts/failures';
import type { SendCurrency } from '#core/money/money';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { RateChange } from './rate.entity.ts';

export type { RateChange } from './rate.entity.ts';

/** The fields of a change that a decision or the time sets. */
export type RateChangeOutcome = Partial<
  Pick<RateChange, 'state' | 'guardRails' | 'awaitingSince' | 'decidedById' | 'decidedAt' | 'activatedAt'>
>;

const openStates = { $in: ['awaiting_confirmation', 'scheduled'] } as const;

/**
 * Serializes transactions that propose, decide or activate changes. One lock for both currencies, because a euro
 * without a separate rate follows the dollar.
 */
export async function lockRateChanges(em: EntityManager): Promise<void> {
  await em.execute("select pg_advisory_xact_lock(hashtext('chasqui-rate-changes'))");
}

/** Freezes rates until the transaction of `em` ends, so that later reads in it see final rates. */
export async function keepRates(em: EntityManager): Promise<void> {
  await em.execute("select pg_advisory_xact_lock_shared(hashtext('chasqui-rate-changes'))");
}

export async function insertRateChange(em: EntityManager, data: RequiredEntityData<RateChange>): Promise<RateChange> {
  const change = em.create(RateChange, data);
  await em.persist(change).flush();
  return change;
}

/** The change of a currency that awaits confirmation or its time; there is at most one. */
export function findOpenRateChange(em: EntityManager, currency: SendCurrency): Promise<RateChange | null> {
  return em.findOne(RateChange, { currency, state: openStates });
}

/** The current change with an id, or null. */
export function findRateChange(em: EntityManager, id: bigint): Promise<RateChange | null> {
  return em.findOne(RateChange, { id }, { refresh: true });
}

/** Changes by their ids, oldest first. */
export function findRateChanges(em: EntityManager, ids: readonly bigint[]): Promise<RateChange[]> {
  return em.find(RateChange, { id: { $in: [...ids] } }, { orderBy: { id: 'asc' } });
}

/** A page of all changes, or of a currency's, newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findRateChangePage(
  em: EntityManager,
  { currency, ...query }: PageQuery & { currency?: SendCurrency | undefined },
): Promise<Page<RateChange>> {
  const where = currency ? { currency } : {};
  return toPage(
    await em.findByCursor(RateChange, { where, orderBy: { id: 'desc' }, ...pageOptions(query, 'numbered') }),
  );
}

/** Scheduled changes that are due by `at`, oldest first. */
export function findDueRateChanges(em: EntityManager, at: Date): Promise<RateChange[]> {
  return em.find(RateChange, { state: 'scheduled', activateAt: { $lte: at } }, { orderBy: { id: 'asc' } });
}

/** Closes changes that have awaited confirmation since `since` or longer. @returns their ids. */
export function expireUnconfirmed(em: EntityManager, since: Date): Promise<bigint[]> {
  return expireWhere(em, { awaitingSince: { $lte: since } });
}

/** Closes a user's changes that await confirmation. @returns their ids. */
export function expireUnconfirmedOf(em: EntityManager, proposedById: string): Promise<bigint[]> {
  return expireWhere(em, { proposedById });
}

async function expireWhere(
  em: EntityManager,
  where: { proposedById: string } | { awaitingSince: { $lte: Date } },
): Promise<bigint[]> {
  const expired: { id: string | bigint }[] = await em
    .createQueryBuilder(RateChange)
    .update({ state: 'expired' })
    .where({ state: 'awaiting_confirmation', ...where })
    .returning('id')
    .execute('all');
  return expired.map(({ id }) => BigInt(id));
}

/** A guarded update: happens only if the change is still in the state `from`. @throws Failure `rate_change_closed` otherwise. */
export async function moveRateChange(
  em: EntityManager,
  change: RateChange,
  from: RateChange['state'],
  outcome: RateChangeOutcome,
): Promise<void> {
  const moved = await em.nativeUpdate(RateChange, { id: change.id, state: from }, outcome);
  await em.refresh(change);
  if (moved === 0) throw new Failure('rate_change_closed', { changeId: String(change.id) });
}
