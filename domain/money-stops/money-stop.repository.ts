import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { PayoutRail, StopCause, StopScope } from '#core/money-stops/money-stop';
import type { EntityManager } from '#platform/database/database';
import { MoneyStop } from './money-stop.entity.ts';

export type { MoneyStop } from './money-stop.entity.ts';

/** A new stop: by an admin with a reason, or by the system with a cause. */
export type NewStop = { readonly scope: StopScope; readonly rail: PayoutRail | null; readonly at: Date } & (
  | { readonly setById: string; readonly reason: string; readonly cause?: null }
  | { readonly setById: null; readonly reason?: null; readonly cause: StopCause }
);

/** Every active stop, oldest first. */
export function findActiveStops(em: EntityManager): Promise<MoneyStop[]> {
  return em.find(MoneyStop, { liftedAt: null }, { orderBy: { setAt: 'asc', id: 'asc' }, refresh: true });
}

/** Inserts a stop in the transaction of `em`; null when the same one is active. */
export async function insertStop(
  em: EntityManager,
  { scope, rail, at, setById, reason = null, cause = null }: NewStop,
): Promise<MoneyStop | null> {
  const id = randomUUID();
  const { affectedRows } = await em
    .createQueryBuilder(MoneyStop)
    .insert({ id, version: 1, scope, rail, reason, cause, setById, setAt: at })
    .onConflict()
    .ignore()
    .execute();
  return affectedRows === 1 ? em.findOneOrFail(MoneyStop, { id }) : null;
}

/** Locks a stop's row until the transaction of `em` ends; null if not found. */
export function lockStop(em: EntityManager, id: string): Promise<MoneyStop | null> {
  return em.findOne(MoneyStop, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

type LiftChanges = Partial<
  Pick<MoneyStop, 'liftRequestedById' | 'liftRequestedAt' | 'liftReason' | 'liftedById' | 'liftedAt'>
>;

/** Changes a locked stop. */
export async function updateStop(em: EntityManager, stop: MoneyStop, changes: LiftChanges): Promise<void> {
  em.assign(stop, { ...changes, version: stop.version + 1 });
  await em.flush();
}
