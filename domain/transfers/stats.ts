import type { AdminStats } from '#core/contracts/http/admin';
import { formatMinor } from '#core/money/money';
import { laPazZone } from '#core/time/time';
import { statesOf } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { paidStates, sqlList } from './sending-totals.ts';

interface RawStats {
  today: string;
  yesterday: string;
  this_month: string;
  last_month: string;
  active: number;
  pending: number;
  completed: number;
  rejected: number;
  people: number;
}

/** Figures of the house at a moment. Days and months are La Paz's, as admins live them. */
export async function readStats(em: EntityManager, at: Date): Promise<AdminStats> {
  const [raw] = await em.execute<[RawStats]>(statsSql, [at, at]);
  return {
    dailyVolume: formatMinor(BigInt(raw.today)),
    monthlyVolume: formatMinor(BigInt(raw.this_month)),
    dailyTrend: trend(BigInt(raw.today), BigInt(raw.yesterday)),
    monthlyTrend: trend(BigInt(raw.this_month), BigInt(raw.last_month)),
    pendingTransactions: raw.pending,
    completedTransactions: raw.completed,
    rejectedTransactions: raw.rejected,
    totalUsers: raw.people,
    activeUsers: raw.active,
  };
}

/** Only the two months that are compared are summed; counts run over an index on the state. */
const statsSql = `
  with now_there as (select ?::timestamptz at time zone '${laPazZone}' as at),
  paid as (
    select usd_minor, paid_at at time zone '${laPazZone}' as at
    from transfer, now_there
    where state in (${sqlList(paidStates)})
      and paid_at >= (date_trunc('month', now_there.at) - interval '1 month') at time zone '${laPazZone}'
  ),
  sums as (
    select
      coalesce(sum(usd_minor) filter (where paid.at >= date_trunc('day', now_there.at)), 0)::text as today,
      coalesce(sum(usd_minor) filter (where paid.at >= date_trunc('day', now_there.at) - interval '1 day'
        and paid.at < date_trunc('day', now_there.at)), 0)::text as yesterday,
      coalesce(sum(usd_minor) filter (where paid.at >= date_trunc('month', now_there.at)), 0)::text as this_month,
      coalesce(sum(usd_minor) filter (where paid.at < date_trunc('month', now_there.at)), 0)::text as last_month
    from now_there left join paid on true
  )
  select sums.*,
    (select count(distinct user_id)::int from transfer where paid_at > ?::timestamptz - interval '30 days') as active,
    (select count(*)::int from transfer where state in (${sqlList(statesOf('pending'))})) as pending,
    (select count(*)::int from transfer where state in (${sqlList(statesOf('completed'))})) as completed,
    (select count(*)::int from transfer where state in (${sqlList(statesOf('rejected'))})) as rejected,
    (select count(*)::int from app_user) as people
  from sums`;

/** Change in percent with one decimal, towards zero; null when there is nothing to compare with. */
function trend(now: bigint, before: bigint): string | null {
  if (before === 0n) return null;
  const tenths = ((now - before) * 1000n) / before;
  const digits = (tenths < 0n ? -tenths : tenths).toString().padStart(2, '0');
  return `${tenths < 0n ? '-' : ''}${digits.slice(0, -1)}.${digits.slice(-1)}`;
}
