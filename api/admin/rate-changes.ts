import type { RateChangeView } from '#core/contracts/http/admin-rates';
import { Failure } from '#core/failures';
import type { Database, EntityManager } from '#platform/database/database';
import { toRateChangeViews } from '#platform/database/rate-change-views';
import { RateChange } from '#platform/database/schema/rates';

/** How far ahead a change may be scheduled, in ms. */
export const scheduleMsMax = 30 * 24 * 3_600_000;

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
    const em = database.read();
    const [change] = await toRateChangeViews(em, await em.find(RateChange, { id: BigInt(error.details.changeId) }));
    if (!change) throw error;
    throw new Failure(error.code, { change }, error.code === 'rate_change_closed' ? whatBecameOf(change) : undefined);
  }
}

function whatBecameOf({ state, setBy, decidedBy }: RateChangeView): string | undefined {
  switch (state) {
    case 'activated':
    case 'scheduled':
      return decidedBy === null ? undefined : `${decidedBy} ya confirmó este cambio.`;
    case 'declined':
      return `${decidedBy} ya descartó este cambio.`;
    case 'cancelled':
      return `${setBy} ya retiró este cambio.`;
    default:
      return 'Este cambio venció sin que otra persona lo confirmara. Pide uno nuevo.';
  }
}
