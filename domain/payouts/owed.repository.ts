import type { EntityManager } from '#platform/database/database';

/**
 * SQL: amounts of completed transfers that the bank returned and the recipients are still owed, in centavos, and since
 * when action is required. Uses the columns kept by `countRest` and the returns; an index has the few transfers with
 * returns.
 */
export const restOwedSql = `
  select t.id, t.payout_returned_minor - t.paid_again_minor - t.rest_paid_minor - t.rest_refunded_minor - t.rest_kept_minor as owed_minor,
    (select min(c.opened_at) from desk_case as c
      where c.transfer_id = t.id and c.reason = 'payout_returned_in_part' and c.resolved_at is null) as since
  from transfer as t
  where t.payout_returned_minor > 0 and t.state = 'completed'
    and t.payout_returned_minor > t.paid_again_minor + t.rest_paid_minor + t.rest_refunded_minor + t.rest_kept_minor`;

/** The amount owed to the recipient of a completed transfer. */
export interface OwedRest {
  readonly transferId: string;
  readonly owedMinor: bigint;
  readonly since: Date | null;
}

/** Amounts owed to recipients of completed transfers, longest owed first. */
export async function findOwedRests(em: EntityManager, limit: number): Promise<OwedRest[]> {
  const rows = await em.execute<{ id: string; minor: string; since: string | null }[]>(
    `select id, owed_minor::text as minor, since::text from (${restOwedSql}) as rest order by since nulls first, id limit ?`,
    [limit],
  );
  return rows.map(({ id: transferId, minor, since }) => {
    return { transferId, owedMinor: BigInt(minor), since: since === null ? null : new Date(since) };
  });
}
