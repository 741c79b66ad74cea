import { z } from 'zod';
import { sides } from '#core/reconciliation/cause';
import type { SideTotals } from '#core/reconciliation/closing';
import { shiftDay, startOfDay } from '#core/reconciliation/days';
import { type Profit, profitAccounts, profitOf } from '#core/reconciliation/profit';
import type { EntityManager } from '#platform/database/database';
import { BookDay, DayClosing } from './book-exception.entity.ts';

export type { DayClosing } from './book-exception.entity.ts';

/** Minor units as text, because JSON numbers are not exact at that size. */
const minor = z.string().transform(BigInt);
const totalsSchema = z.array(
  z.object({
    side: z.enum(sides),
    currency: z.string(),
    ...{ sourceMinor: minor, booksMinor: minor, timingMinor: minor, explainedMinor: minor, openMinor: minor },
  }),
);

/** Totals as stored. */
export function readTotals(stored: unknown): SideTotals[] {
  return totalsSchema.parse(stored);
}

const asText = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));

/** The lines of the whole ledger of some days; its parameters are `linesOf`. */
const linesSql = `
  select transfer_id, entry, line, source, destination, amount_minor, currency, at, (at at time zone 'America/La_Paz')::date as day
    from ledger_posting where at >= ? and at < ?
  union all
  select transfer_id, entry, 1, source, destination, amount_minor, currency, at, day
    from settlement_posting where day between ?::date and ?::date`;
const linesOf = (from: string, to: string) => [startOfDay(from), startOfDay(shiftDay(to, 1)), from, to];

/**
 * Totals of sources and books at the end of a day, including all previous days, and the explained part of their
 * difference except timings. Starts from the last closed day.
 */
export async function findBalances(em: EntityManager, day: string): Promise<Omit<SideTotals, 'timingMinor'>[]> {
  const [closed] = await findClosings(em, 1);
  const from = closed ? shiftDay(closed.day, 1) : '1970-01-01';
  const rows = await em.execute<Record<'side' | 'currency' | 'source' | 'books' | 'explained' | 'open', string>[]>(
    `select side, currency, sum(source)::text as source, sum(books)::text as books, sum(explained)::text as explained,
       sum(open)::text as open
     from (
       select side, currency, "sourceMinor" as source, "booksMinor" as books, 0 as explained, 0 as open
         from jsonb_to_recordset(?::jsonb) as g (side text, currency text, "sourceMinor" numeric, "booksMinor" numeric)
       union all select 'stripe', currency, amount_minor - fee_minor, 0, 0, 0 from stripe_entry where day between ?::date and ?::date
       union all select 'bank', currency, amount_minor, 0, 0, 0 from bank_entry where day between ?::date and ?::date
       union all select a.side, currency, 0, case when source = a.account then amount_minor else -amount_minor end, 0, 0
         from (${linesSql}) as lines
         join (values ('stripe', 'card_processor'), ('bank', 'bank')) as a (side, account) on a.account in (source, destination)
         where a.side = 'stripe' or currency = 'BOB'
       union all select side, currency, 0, 0, case when status = 'explained' then difference_minor else 0 end,
           case when status = 'open' then difference_minor else 0 end
         from book_exception where status in ('open', 'explained') and day <= ?::date
     ) as parts group by side, currency order by side desc, currency`,
    [JSON.stringify(closed?.totals ?? []), from, day, from, day, ...linesOf(from, day), day],
  );
  return rows.map((row) => ({
    ...{ side: row.side as SideTotals['side'], currency: row.currency },
    ...{ sourceMinor: BigInt(row.source), booksMinor: BigInt(row.books) },
    ...{ explainedMinor: BigInt(row.explained), openMinor: BigInt(row.open) },
  }));
}

/** Stores a day's comparison. A closed day is not changed. */
export async function saveDay(em: EntityManager, day: string, totals: readonly SideTotals[], at: Date): Promise<void> {
  await em.execute(
    `insert into book_day (day, totals, compared_at) values (?, ?::jsonb, ?)
     on conflict (day) do update set totals = excluded.totals, compared_at = excluded.compared_at`,
    [day, asText(totals), at],
  );
}

/** A day's last comparison, or null. */
export function findDay(em: EntityManager, day: string): Promise<BookDay | null> {
  return em.findOne(BookDay, { day }, { refresh: true });
}

/** Comparisons of the first days after the closed ones, newest first. */
export async function findOpenDays(
  em: EntityManager,
  { closedUntil, limit }: { closedUntil: string | null; limit: number },
): Promise<BookDay[]> {
  const where = closedUntil === null ? {} : { day: { $gt: closedUntil } };
  return (await em.find(BookDay, where, { orderBy: { day: 'asc' }, limit, refresh: true })).reverse();
}

/** The closings of days, newest first. */
export function findClosings(em: EntityManager, limit: number): Promise<DayClosing[]> {
  return em.find(DayClosing, {}, { orderBy: { day: 'desc' }, limit });
}

/** Closes a day with its figures, in the transaction of `em`. The database rejects inconsistent ones. */
export async function insertClosing(
  em: EntityManager,
  closing: {
    day: string;
    totals: readonly SideTotals[];
    profit: Readonly<Record<string, Profit>>;
    proposedById: string;
    confirmedById: string;
    at: Date;
  },
): Promise<void> {
  const { day, totals, profit, proposedById, confirmedById, at } = closing;
  await em.execute(
    `insert into day_closing (day, totals, profit, proposed_by_id, confirmed_by_id, closed_at) values (?, ?::jsonb, ?::jsonb, ?, ?, ?)`,
    [day, asText(totals), asText(profit), proposedById, confirmedById, at],
  );
}

/** The first day with an entry in books or sources, or null. */
export async function findFirstDay(em: EntityManager): Promise<string | null> {
  const [row] = await em.execute<{ day: string | null }[]>(
    // Searches the first month of transfers first, where an index helps, and everything only if that fails.
    `select least((coalesce(
         (select min(at) from ledger_posting where at < (select min(created_at) from transfer) + interval '31 days'),
         (select min(at) from ledger_posting)
       ) at time zone 'America/La_Paz')::date, (select min(day) from stripe_entry), (select min(day) from bank_entry))::text as day`,
  );
  return row?.day ?? null;
}

/** When data relevant for a comparison last changed: imports, and decisions on exceptions. */
export async function findChangedAt(em: EntityManager, day: string): Promise<Date | null> {
  const [row] = await em.execute<{ at: string | null }[]>(
    `select greatest(
       (select imported_at from stripe_entry where day <= ?::date order by imported_at desc limit 1),
       (select max(imported_at) from bank_statement),
       (select max(decided_at) from book_exception where day <= ?::date),
       (select max(at) from settlement_posting where day <= ?::date and entry like 'write_off%')
     )::text as at`,
    [day, day, day],
  );
  return row?.at ? new Date(row.at) : null;
}

/** Whether our books moved money at the bank on a day. */
export async function hasBankMovements(em: EntityManager, day: string): Promise<boolean> {
  const [row] = await em.execute<{ found: boolean }[]>(
    `select exists (select from (${linesSql}) as lines where currency = 'BOB' and 'bank' in (source, destination)) as found`,
    linesOf(day, day),
  );
  return row?.found ?? false;
}

/**
 * Whether a statement of a day, or of a later one, is imported: the opening balance of a later one shows that nothing
 * is missing before.
 */
export async function hasStatement(em: EntityManager, day: string): Promise<boolean> {
  const [row] = await em.execute<{ found: boolean }[]>(
    'select exists (select from bank_statement where day >= ?::date) as found',
    [day],
  );
  return row?.found ?? false;
}

/** The profit of every day and currency of a range, both days included; days without any are skipped. */
export async function findProfits(
  em: EntityManager,
  { from, to }: { from: string; to: string },
): Promise<{ day: string; currency: string; profit: Profit }[]> {
  return readProfits(
    await em.execute<BalanceRow[]>(
      // Lines are summed up before being split into two sides each, because a day has many lines of few kinds.
      `select day::text as key, currency, account, sum(amount)::text as amount from (
         select day, currency, source, destination, sum(amount_minor) as minor from (${linesSql}) as lines group by 1, 2, 3, 4
       ) as kinds cross join lateral (values (source, -minor), (destination, minor)) as side (account, amount)
       group by day, currency, account order by 1, 2`,
      linesOf(from, to),
    ),
  ).map(({ key, ...rest }) => ({ day: key, ...rest }));
}

/** The profit of a transfer in each currency. */
export async function findTransferProfit(
  em: EntityManager,
  transferId: string,
): Promise<{ currency: string; profit: Profit }[]> {
  const rows = await em.execute<BalanceRow[]>(
    `select '' as key, currency, account, sum(amount)::text as amount from (
       select currency, source as account, -amount_minor as amount from ledger_line where transfer_id = ?
       union all
       select currency, destination, amount_minor from ledger_line where transfer_id = ?
     ) as sides group by currency, account order by 2`,
    [transferId, transferId],
  );
  return readProfits(rows).map(({ currency, profit }) => ({ currency, profit }));
}

interface BalanceRow {
  readonly key: string;
  readonly currency: string;
  readonly account: string;
  readonly amount: string;
}

const counted: ReadonlySet<string> = new Set(profitAccounts);

function readProfits(rows: readonly BalanceRow[]): { key: string; currency: string; profit: Profit }[] {
  const groups = Map.groupBy(
    rows.filter(({ account }) => counted.has(account)),
    ({ key, currency }) => `${key} ${currency}`,
  );
  return [...groups.values()].map((group) => {
    const { key, currency } = group[0] as BalanceRow;
    return {
      key,
      currency,
      profit: profitOf(group.map((row) => ({ account: row.account, amountMinor: BigInt(row.amount) }))),
    };
  });
}
