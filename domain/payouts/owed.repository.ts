import type { EntityManager } from '#platform/database/database';

/**
 * SQL: completed transfers whose families are still owed what the bank returned of their payouts, in centavos, and since when a person has had
 * to do something about it. The columns are those that `countRest` and the returns keep; an index has the few transfers of which anything came
 * back.
 */
export const restOwedSql = `
  select t.id, t.payout_returned_minor - t.paid_again_minor - t.rest_paid_minor - t.rest_refunded_minor - t.rest_kept_minor as owed_minor,
    (select min(c.opened_at) from desk_case as c
      where c.transfer_id = t.id and c.reason = 'payout_returned_in_part' and c.resolved_at is null) as since
  from transfer as t
  where t.payout_returned_minor > 0 and t.state = 'completed'
    and t.payout_returned_minor > t.paid_again_minor + t.rest_paid_minor + t.rest_refunded_minor + t.rest_kept_minor`;

/** What a family is owed of a completed transfer. */
export interface OwedRest {
  readonly transferId: string;
  readonly owedMinor: bigint;
  readonly since: Date | null;
}

/** What families are owed of completed transfers, what has been owed longest first. */
export async function findOwedRests(em: EntityManager, limit: number): Promise<OwedRest[]> {
  const rows = await em.execute<{ id: string; minor: string; since: string | null }[]>(
    `select id, owed_minor::text as minor, since::text from (${restOwedSql}) as rest order by since nulls first, id limit ?`,
    [limit],
  );
  return rows.map(({ id: transferId, minor, since }) => {
    return { transferId, owedMinor: BigInt(minor), since: since === null ? null : new Date(since) };
  });
}
