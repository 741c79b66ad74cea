import { dayMs } from '#core/time/time';
import { countedStates, type TransferState } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';

/** States of transfers that were paid for and whose money was not given back. */
export const paidStates: readonly TransferState[] = ['in_review', 'approved', 'captured', 'completed'];

/** The states as an SQL list; they come from a table in code, never from a request. */
export function sqlList(states: readonly TransferState[]): string {
  return states.map((state) => `'${state}'`).join(', ');
}

/** What counts towards a sender's limits, in US cents, in the 24 hours and 30 days before `at`. */
export async function sentBy(
  em: EntityManager,
  userId: string,
  at: Date,
): Promise<{ dayUsdMinor: bigint; monthUsdMinor: bigint }> {
  const [sums] = await em.execute<{ day: string; month: string }[]>(
    `select coalesce(sum(usd_minor) filter (where created_at > ?), 0)::text as day, coalesce(sum(usd_minor), 0)::text as month
     from transfer where user_id = ? and created_at > ? and state in (${sqlList(countedStates)})`,
    [new Date(at.getTime() - dayMs), userId, new Date(at.getTime() - 30 * dayMs)],
  );
  return { dayUsdMinor: BigInt(sums?.day ?? 0), monthUsdMinor: BigInt(sums?.month ?? 0) };
}

/** Everything a sender paid that was not returned, in US cents. */
export async function paidBy(em: EntityManager, userId: string): Promise<{ usdMinor: bigint; count: number }> {
  const [sums] = await em.execute<{ total: string; count: number }[]>(
    `select coalesce(sum(usd_minor), 0)::text as total, count(*)::int as count
     from transfer where user_id = ? and state in (${sqlList(paidStates)})`,
    [userId],
  );
  return { usdMinor: BigInt(sums?.total ?? 0), count: sums?.count ?? 0 };
}
