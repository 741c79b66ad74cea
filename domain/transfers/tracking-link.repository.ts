import { randomBytes } from 'node:crypto';
import type { EntityManager } from '#platform/database/database';
import { TrackingLink } from './tracking-link.entity.ts';

/** The secret of a transfer's tracking link: created at the first request, the same from then on. */
export async function trackingToken(em: EntityManager, transferId: string, at: Date): Promise<string> {
  const token = randomBytes(20).toString('hex');
  await em
    .createQueryBuilder(TrackingLink)
    .insert({ transferId, token, createdAt: at })
    .onConflict('transferId')
    .ignore()
    .execute();
  return (await em.findOneOrFail(TrackingLink, { transferId })).token;
}

/** The transfer of a tracking link, or null. */
export async function findTrackedTransferId(em: EntityManager, token: string): Promise<string | null> {
  return (await em.findOne(TrackingLink, { token }))?.transferId ?? null;
}
