import { randomUUID } from 'node:crypto';
import type { SendCurrency } from '#core/money/money';
import type { Rate } from '#core/rates/rate';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { RateAlert } from './rate.entity.ts';

export type { RateAlert } from './rate.entity.ts';

export async function insertRateAlert(
  em: EntityManager,
  alert: Pick<RateAlert, 'userId' | 'currency' | 'rate' | 'createdAt'>,
): Promise<RateAlert> {
  const created = em.create(RateAlert, { id: randomUUID(), ...alert });
  await em.persist(created).flush();
  return created;
}

/** The number of a user's unfired alerts. */
export function countWaitingAlerts(em: EntityManager, userId: string): Promise<number> {
  return em.count(RateAlert, { userId, firedAt: null });
}

/** A page of a user's alerts, newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findAlertPage(em: EntityManager, userId: string, query: PageQuery): Promise<Page<RateAlert>> {
  const found = await em.findByCursor(RateAlert, {
    where: { userId },
    orderBy: { createdAt: 'desc', id: 'desc' },
    ...pageOptions(query, 'created'),
  });
  return toPage(found);
}

/** @returns false when the user has no such alert. */
export async function deleteRateAlert(em: EntityManager, userId: string, id: string): Promise<boolean> {
  return (await em.nativeDelete(RateAlert, { id, userId })) > 0;
}

/** Fired alerts by their ids. */
export function findFiredAlerts(em: EntityManager, ids: readonly string[]): Promise<RateAlert[]> {
  return em.find(RateAlert, { id: { $in: [...ids] }, firedAt: { $ne: null } });
}

/**
 * Marks at most `limit` waiting alerts that a rate has reached as fired, lowest first. Skips alerts that another
 * transaction is firing or deleting; those of a closed account on legal hold never fire.
 */
export async function markReachedAlerts(
  em: EntityManager,
  { currency, rate, at, limit }: { currency: SendCurrency; rate: Rate; at: Date; limit: number },
): Promise<{ id: string; userId: string; rate: Rate }[]> {
  const rows: { id: string; user_id: string; rate: string }[] = await em.execute(
    `update rate_alert set fired_at = ?, fired_rate = ? where fired_at is null and id in (
       select id from rate_alert where currency = ? and fired_at is null and rate <= ?
         and not exists (select from app_user where app_user.id = rate_alert.user_id and closed_at is not null)
       order by rate limit ? for update skip locked
     ) returning id, user_id, rate`,
    [at, String(rate), currency, String(rate), limit],
  );
  return rows.map((row) => ({ id: row.id, userId: row.user_id, rate: BigInt(row.rate) as Rate }));
}
