import type { MoneyStopView } from '#core/contracts/http/money-stops';
import type { EntityManager } from '#platform/database/database';
import { findUsersById, isPermittedNow } from '../accounts/account.repository.ts';
import type { MoneyStop } from './money-stop.repository.ts';

/** Stops as admins see them, in their order. A lift request is hidden once its author may no longer make it. */
export async function toMoneyStopViews(em: EntityManager, stops: readonly MoneyStop[]): Promise<MoneyStopView[]> {
  const ids = stops.flatMap(({ setById, liftRequestedById }) => [setById ?? [], liftRequestedById ?? []].flat());
  const people = new Map((await findUsersById(em, ids)).map((person) => [person.id, person]));
  return stops.map((stop) => {
    const { id, version, scope, rail = null, reason = null, cause = null, setById = null, setAt } = stop;
    const { liftRequestedById, liftRequestedAt, liftReason } = stop;
    const requester = people.get(liftRequestedById ?? '');
    const lift = requester &&
      liftRequestedAt &&
      isPermittedNow(requester, 'requestLift') && {
        reason: liftReason ?? '',
        requested_by: requester.name,
        requested_by_id: requester.id,
        requested_at: liftRequestedAt.toISOString(),
      };
    return {
      ...{ id, version, scope, rail, reason, cause },
      set_by: people.get(setById ?? '')?.name ?? null,
      set_by_id: setById,
      set_at: setAt.toISOString(),
      lift: lift || null,
    };
  });
}
