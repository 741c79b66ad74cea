import type { SendCurrency } from '#core/money/money';
import { formatMinor } from '#core/money/money';
import { chargedStates, type StatementTotals } from '#core/papers/statement';
import type { EntityManager } from '#platform/database/database';
import { Transfer } from './transfer.entity.ts';

/** A user's transfers from the first moment (inclusive) to the last (exclusive). */
export interface StatementRange {
  readonly userId: string;
  readonly from: Date;
  readonly to: Date;
}

const rowsAtOnce = 100;

/** Transfers with an authorized payment, oldest first, a hundred at a time. */
export async function* statementRows(em: EntityManager, range: StatementRange): AsyncGenerator<Transfer[]> {
  const { userId, from, to } = range;
  let last: Transfer | undefined;
  for (;;) {
    const after = last && {
      $or: [{ createdAt: { $gt: last.createdAt } }, { createdAt: last.createdAt, id: { $gt: last.id } }],
    };
    // The first bound lets the index scan start where the last batch ended.
    const ordered = { createdAt: { $gte: last?.createdAt ?? from, $lt: to } };
    const rows: Transfer[] = await em.find(
      Transfer,
      { $and: [{ userId, ...ordered }, { paidAt: { $ne: null } }, ...(after ? [after] : [])] },
      { orderBy: { createdAt: 'asc', id: 'asc' }, limit: rowsAtOnce, disableIdentityMap: true },
    );
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1);
  }
}

const charged = [...chargedStates].map((state) => `'${state}'`).join(', ');

/** Totals of such transfers for each currency, their number, and a number that changes with any of them. */
export async function statementSums(
  em: EntityManager,
  { userId, from, to }: StatementRange,
): Promise<{ transfers: number; totals: StatementTotals[]; revision: string }> {
  type Row = Readonly<Record<'currency' | 'rows' | 'charged' | 'versions', string>> & Readonly<Record<Sum, string>>;
  type Sum = 'paid' | 'fees' | 'returned' | 'bolivianos';
  const rows = await em.execute<Row[]>(
    `select currency, count(*) as rows, sum(version) as versions,
       count(*) filter (where state in (${charged})) as charged,
       coalesce(sum(amount_minor) filter (where state in (${charged})), 0) as paid,
       coalesce(sum(fee_minor) filter (where state in (${charged})), 0) as fees,
       coalesce(sum(returned_minor) filter (where state in (${charged})), 0) as returned,
       coalesce(sum(least(bolivianos_minor, bolivianos_minor - payout_returned_minor + paid_again_minor + rest_paid_minor)) filter (where state = 'completed'), 0) as bolivianos
     from transfer where user_id = ? and created_at >= ? and created_at < ? and paid_at is not null
     group by currency order by currency`,
    [userId, from, to],
  );
  return {
    transfers: rows.reduce((sum, row) => sum + Number(row.rows), 0),
    totals: rows
      .filter((row) => Number(row.charged) > 0)
      .map((row) => ({
        currency: row.currency as SendCurrency,
        charged: Number(row.charged),
        paid: formatMinor(BigInt(row.paid)),
        fees: formatMinor(BigInt(row.fees)),
        returned: formatMinor(BigInt(row.returned)),
        kept: formatMinor(BigInt(row.paid) - BigInt(row.returned)),
        bolivianos: formatMinor(BigInt(row.bolivianos)),
      })),
    revision: String(rows.reduce((sum, row) => sum + BigInt(row.versions), 0n)),
  };
}

/** Months of La Paz ("2026-11") with such transfers of a sender, latest first. */
export async function statementMonths(
  em: EntityManager,
  userId: string,
): Promise<{ month: string; transfers: number }[]> {
  const rows = await em.execute<{ month: string; transfers: string }[]>(
    `select to_char(day, 'YYYY-MM') as month, sum(held) as transfers from sender_day_total
     where user_id = ? group by 1 having sum(held) > 0 order by 1 desc`,
    [userId],
  );
  return rows.map(({ month, transfers }) => ({ month, transfers: Number(transfers) }));
}
