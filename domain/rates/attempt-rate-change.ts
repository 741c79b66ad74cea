import { Failure } from '#core/contracts/failures';
import { dayMs } from '#core/time/time';
import type { Database, EntityManager } from '#platform/database/database';
import { RateChange } from './rate.entity.ts';
import { toRateChangeViews } from './rate-change-views.ts';

/** How far ahead a change may be scheduled, in ms. */
export const scheduleMsMax = 30 * dayMs;

/**
 * Does something to a change in one transaction. A refusal because of a change says what became of it and carries its `change`
 * as it is now. @throws Failure
 */
export async function attemptRateChange<Result>(
  database: Database,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction(work);
  } catch (error) {
    if (!(error instanceof Failure) || typeof error.details.changeId !== 'string') throw error;
    const em = database.fork();
    const [change] = await toRateChangeViews(em, await em.find(RateChange, { id: BigInt(error.details.changeId) }));
    if (!change) throw error;
    throw new Failure(error.code, { change });
  }
}
