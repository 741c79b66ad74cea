import { laPazZone } from '#core/time/time';
import { type CountedPayment, limitWindowsMs } from '#core/transfers/limits';
import { paidStates, statesOf, type TransferState } from '#core/transfers/states';
import { type EntityManager, runSql } from '#platform/database/database';

// Sums and counts over many transfers, in SQL. The triggers `transfer_totals`, `active_total` and `account_total`
// maintain the tables of totals.

/** The states as an SQL list; they come from a table in code, never from a request. */
export function sqlList(states: readonly TransferState[]): string {
  return states.map((state) => `'${state}'`).join(', ');
}

/**
 * The amount a sender paid and did not get back, in US cents, in the 24 hours and 30 days before `at`: it counts
 * towards limits.
 */
export async function sumSent(em: EntityManager, userId: string, at: Date): Promise<Sent> {
  const [sums] = await runSql<{ day: string; month: string }>(em, readSums, [userId, ...windowsBefore(at)]);
  return { dayUsdMinor: BigInt(sums?.day ?? 0), monthUsdMinor: BigInt(sums?.month ?? 0) };
}

/** The payments in those sums of 30 days, oldest first. */
export async function findCountedPayments(em: EntityManager, userId: string, at: Date): Promise<CountedPayment[]> {
  const rows = await em.execute<{ paid_at: string | Date; usd_minor: string }[]>(
    `select paid_at, usd_minor::text from transfer
     where user_id = ? and paid_at > ? and state in (${sqlList(paidStates)}) order by paid_at`,
    [userId, new Date(at.getTime() - limitWindowsMs.month)],
  );
  return rows.map(({ paid_at, usd_minor }) => ({ paidAt: new Date(paid_at), usdMinor: BigInt(usd_minor) }));
}

const windowsBefore = (at: Date) => [limitWindowsMs.day, limitWindowsMs.month].map((ms) => new Date(at.getTime() - ms));

/** Sums within the windows of the limits, in US cents. */
interface Sent {
  readonly dayUsdMinor: bigint;
  readonly monthUsdMinor: bigint;
}

/**
 * SQL: the counted amount of payments after a moment, from the totals of whole days of La Paz and the payments of the
 * partial day.
 */
const sentSince = (moment: string) => `(
  (select coalesce(sum(sent_usd_minor), 0) from sender_day_total
   where user_id = $1 and day > (${moment}::timestamptz at time zone '${laPazZone}')::date)
  + (select coalesce(sum(usd_minor), 0) from transfer
     where user_id = $1 and paid_at > ${moment} and state in (${sqlList(paidStates)})
       and paid_at < ((${moment}::timestamptz at time zone '${laPazZone}')::date + 1)::timestamp at time zone '${laPazZone}'))`;

const readSums = `select ${sentSince('$2')}::text as day, ${sentSince('$3')}::text as month`;

/** The total a sender paid that was not returned, in US cents. */
export async function sumPaid(em: EntityManager, userId: string): Promise<{ usdMinor: bigint; count: number }> {
  const [sums] = await em.execute<{ total: string; count: number }[]>(
    'select paid_usd_minor::text as total, paid_count as count from sender_total where user_id = ?',
    [userId],
  );
  return { usdMinor: BigInt(sums?.total ?? 0), count: sums?.count ?? 0 };
}

/** Figures of all transfers; volumes in US cents, over days and months of La Paz. */
export interface TransferFigures {
  readonly today: bigint;
  readonly yesterday: bigint;
  readonly thisMonth: bigint;
  readonly lastMonth: bigint;
  /** Senders who paid a transfer in the last 30 days. */
  readonly active: number;
  readonly pending: number;
  readonly completed: number;
  readonly rejected: number;
  readonly users: number;
  readonly toDecide: number;
  /** As defined by `stuckSql`. */
  readonly stuck: number;
  readonly openedToday: number;
}

/** Reads the figures as of a moment. */
export async function readFigures(em: EntityManager, at: Date): Promise<TransferFigures> {
  const [raw] = await em.execute<[RawFigures]>(figuresSql, [at, at, at]);
  return {
    today: BigInt(raw.today),
    yesterday: BigInt(raw.yesterday),
    thisMonth: BigInt(raw.this_month),
    lastMonth: BigInt(raw.last_month),
    active: raw.active,
    pending: raw.pending,
    completed: raw.completed,
    rejected: raw.rejected,
    users: raw.users,
    toDecide: raw.to_decide,
    stuck: raw.stuck,
    openedToday: raw.opened_today,
  };
}

interface RawFigures {
  today: string;
  yesterday: string;
  this_month: string;
  last_month: string;
  active: number;
  pending: number;
  completed: number;
  rejected: number;
  users: number;
  to_decide: number;
  stuck: number;
  opened_today: number;
}

/**
 * SQL: the ids of transfers that are stuck at a moment, given twice: they have an open case, their payout is overdue,
 * or their refund took more than a day. The index on state and time of change finds the few under way.
 */
export const stuckSql = `select transfer_id from desk_case where resolved_at is null
  union select id from transfer where state in ('approved', 'captured') and estimated_delivery < ?::timestamptz
  union select id from transfer where state = 'refunding' and changed_at < ?::timestamptz - interval '1 day'`;

const figuresSql = `
  with now_there as (select ?::timestamptz at time zone '${laPazZone}' as at),
  month_ago as (select at - interval '30 days' as at from now_there),
  period as (
    select at::date as today, date_trunc('month', at)::date as month,
      (date_trunc('month', at) - interval '1 month')::date as month_before
    from now_there
  ),
  sums as (
    select
      coalesce(sum(paid_usd_minor) filter (where day >= today), 0)::text as today,
      coalesce(sum(paid_usd_minor) filter (where day = today - 1), 0)::text as yesterday,
      coalesce(sum(paid_usd_minor) filter (where day >= month), 0)::text as this_month,
      coalesce(sum(paid_usd_minor) filter (where day >= month_before and day < month), 0)::text as last_month,
      coalesce(sum(completed), 0)::int as completed,
      coalesce(sum(rejected), 0)::int as rejected
    from period left join transfer_day_total on true
  )
  select sums.*,
    (select coalesce(sum(senders), 0)::int from active_total, month_ago where day > month_ago.at::date)
      + (select count(*)::int from sender_total, month_ago
         where last_paid_at > month_ago.at at time zone '${laPazZone}'
           and last_paid_at < (month_ago.at::date + 1)::timestamp at time zone '${laPazZone}') as active,
    (select count(*)::int from transfer where state in (${sqlList(statesOf('pending'))})) as pending,
    (select coalesce(sum(accounts), 0)::int from account_total) as users,
    (select count(*)::int from transfer where state = 'in_review') as to_decide,
    (select count(*)::int from (${stuckSql}) as stuck) as stuck,
    (select count(*)::int from transfer
     where created_at >= (select today::timestamp at time zone '${laPazZone}' from period)) as opened_today
  from sums`;

/**
 * Paid transfers awaiting a decision: all of them, those paid after `since` (all if null), and since when the oldest
 * waits.
 */
export async function countUndecided(
  em: EntityManager,
  { since }: { since: Date | null },
): Promise<{ arrived: number; waiting: number; oldestSince: Date | null }> {
  const [row] = await em.execute<{ arrived: number; waiting: number; oldest: string | Date | null }[]>(
    `select count(*) filter (where paid_at > coalesce(?::timestamptz, '-infinity'))::int as arrived, count(*)::int as waiting,
       min(paid_at) as oldest
     from transfer where state = 'in_review'`,
    [since],
  );
  const { arrived = 0, waiting = 0, oldest = null } = row ?? {};
  return { arrived, waiting, oldestSince: oldest === null ? null : new Date(oldest) };
}

/**
 * Merges the several rows of totals per day into one, for past days. During the day, several rows let commits wait less
 * for each other.
 */
export async function foldTotals(em: EntityManager, before: Date): Promise<void> {
  await em.execute(`select fold_totals((?::timestamptz at time zone '${laPazZone}')::date)`, [before]);
}
