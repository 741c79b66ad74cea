import type { RateChangeView } from '#core/contracts/http/admin-rates';
import { formatRate } from '#core/rates/rate';
import type { EntityManager } from '#platform/database/database';
import { User } from '../accounts/account.entity.ts';
import type { RateChange } from './rate.entity.ts';
import { confirmationMs } from './rate-changes.ts';

/** Wire form of changes, in their order, with the names of who asked and who decided. */
export async function toRateChangeViews(em: EntityManager, changes: readonly RateChange[]): Promise<RateChangeView[]> {
  const ids = new Set(changes.flatMap(({ proposedById, decidedById }) => [proposedById, decidedById ?? []].flat()));
  const people = await em.find(User, { id: { $in: [...ids] } });
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return changes.map((change) => ({
    id: String(change.id),
    date: change.proposedAt.toISOString(),
    setBy: names.get(change.proposedById) ?? '',
    setById: change.proposedById,
    currency: change.currency,
    rate: formatRate(change.rate),
    previousRate: change.previousRate ? formatRate(change.previousRate) : null,
    state: change.state,
    reason: change.reason ?? null,
    guardRails: change.guardRails,
    decidedBy: change.decidedById ? (names.get(change.decidedById) ?? '') : null,
    decidedAt: change.decidedAt?.toISOString() ?? null,
    expiresAt: expiryOf(change)?.toISOString() ?? null,
    activateAt: change.activateAt?.toISOString() ?? null,
    activatedAt: change.activatedAt?.toISOString() ?? null,
  }));
}

function expiryOf({ state, awaitingSince }: RateChange): Date | null {
  if (state !== 'awaiting_confirmation' || !awaitingSince) return null;
  return new Date(awaitingSince.getTime() + confirmationMs);
}
