import type { EntityManager } from '#platform/database/database';
import { Dispute } from './dispute.entity.ts';

export type { Dispute } from './dispute.entity.ts';

/** A transfer's current disputes, oldest first. */
export function findDisputes(em: EntityManager, transferId: string): Promise<Dispute[]> {
  return em.find(Dispute, { transferId }, { orderBy: { openedAt: 'asc', id: 'asc' }, refresh: true });
}

/** The current dispute by Stripe's id, or null. */
export function findDispute(em: EntityManager, id: string): Promise<Dispute | null> {
  return em.findOne(Dispute, { id }, { refresh: true });
}

/** Disputes of transfers, newest first. */
export function findDisputesOf(em: EntityManager, transferIds: readonly string[]): Promise<Dispute[]> {
  const orderBy = { openedAt: 'desc', id: 'desc' } as const;
  return em.find(Dispute, { transferId: { $in: [...transferIds] } }, { orderBy, refresh: true });
}

/** Inserts a new dispute in the transaction of `em`. */
export async function insertDispute(em: EntityManager, values: Omit<Dispute, 'version'>): Promise<void> {
  await em.insert(Dispute, { ...values, version: 1 } as Dispute);
}

/** Changes a dispute. Returns false, with nothing written, when it has changed since it was read. */
export async function updateDispute(
  em: EntityManager,
  { id, version }: Pick<Dispute, 'id' | 'version'>,
  changes: Partial<Omit<Dispute, 'id' | 'transferId' | 'version' | 'openedAt'>> & { changedAt: Date },
): Promise<boolean> {
  return (await em.nativeUpdate(Dispute, { id, version }, { ...changes, version: version + 1 })) === 1;
}
