import type { SendCurrency } from '#core/money/money';
import type { Rate } from '#core/rates/rate';
import type { EntityManager } from '#platform/database/database';
import { RateEntry, RatePause } from './rate.entity.ts';

/** The last rate set for a currency, or null. */
export function newestRate(em: EntityManager, currency: SendCurrency): Promise<RateEntry | null> {
  return em.findOne(RateEntry, { currency }, { orderBy: { id: 'desc' } });
}

/** SQL: the id of the last rate set, of any currency. */
export const newestRateIdSql = '(select max(id) from rate)';

/** SQL: the last rate set for a currency, as JSON, or null. */
export const newestRateSql = (currency: SendCurrency): string => `(
  select jsonb_build_object('rate', rate::text, 'createdAt', created_at) from rate where currency = '${currency}' order by id desc limit 1)`;

/** Whether any rate was ever set. */
export async function hasRates(em: EntityManager): Promise<boolean> {
  return (await em.count(RateEntry)) > 0;
}

/** Adds a rate that is in force from `createdAt` on. */
export function addRate(
  em: EntityManager,
  rate: { currency: SendCurrency; rate: Rate; setById: string; createdAt: Date; changeId: bigint },
): void {
  em.persist(em.create(RateEntry, rate));
}

/** A rate that was in force, and whether two people had approved it. */
interface PastEntry {
  readonly id: bigint;
  readonly rate: Rate;
  readonly agreedByTwo: boolean;
  /** Whether it was in force at the start of the requested time. */
  readonly atStart: boolean;
}

/** A currency's separate rates since a moment, oldest first, with the one in force then. */
export async function ratesSince(em: EntityManager, currency: SendCurrency, since: Date): Promise<PastEntry[]> {
  const rows: { id: string; rate: string; agreed: boolean; before: boolean }[] = await em.execute(
    `select rate.id, rate.rate, change.decided_by_id is not null as agreed, rate.created_at <= ? as before
       from rate left join rate_change change on change.id = rate.change_id
      where rate.currency = ? and rate.id >= coalesce(
        (select max(id) from rate where currency = ? and created_at <= ?), 0)
      order by rate.id`,
    [since, currency, currency, since],
  );
  return rows.map(({ id, rate, agreed, before }) => ({
    id: BigInt(id),
    rate: BigInt(rate) as Rate,
    agreedByTwo: agreed,
    atStart: before,
  }));
}

/** Opens a pause unless the currency already has one. @returns its id, or null. */
export async function openRatePause(em: EntityManager, currency: SendCurrency, pausedAt: Date): Promise<string | null> {
  const insert = em.createQueryBuilder(RatePause).insert({ currency, pausedAt }).onConflict().ignore().returning('id');
  const rows: { id: string | bigint }[] = await insert.execute('all');
  return rows[0] ? String(rows[0].id) : null;
}

/** Closes and returns a currency's open pause, or null. */
export async function closeRatePause(
  em: EntityManager,
  currency: SendCurrency,
  resumedAt: Date,
): Promise<{ id: string; pausedAt: Date } | null> {
  const open = await em.findOne(RatePause, { currency, resumedAt: null });
  if (!open) return null;
  const closed = await em.nativeUpdate(RatePause, { id: open.id, resumedAt: null }, { resumedAt });
  return closed > 0 ? { id: String(open.id), pausedAt: open.pausedAt } : null;
}
