import type { OperatingFigures } from '#core/contracts/http/monitoring';
import { openStatuses } from '#core/operations/operation';
import { dayMs } from '#core/time/time';
import { finalStates, transferStateNames } from '#core/transfers/states';
import { type EntityManager, runSql } from '#platform/database/database';
import { restOwedSql } from '../payouts/owed.repository.ts';
import { currentRates, lastUpdatedAt, type RateMoment } from '../rates/current-rates.ts';

/** Counting stops at this many rows. */
const maxCounted = 10_000;

const openList = openStatuses.map((status) => `'${status}'`).join(', ');

const openStateList = transferStateNames
  .filter((state) => !finalStates.includes(state))
  .map((state) => `'${state}'`)
  .join(', ');

/** What is waiting to be carried out and since when, one index scan each. $1: the moment. */
const dueSql = {
  outbox: 'select created_at as since from outbox order by id',
  stripe_operations: operationsOf('stripe'),
  bank_operations: operationsOf('bank'),
  stripe_events:
    'select next_attempt_at as since from stripe_event where next_attempt_at <= $1 order by next_attempt_at',
  emails: 'select next_attempt_at as since from mail where next_attempt_at <= $1 order by next_attempt_at',
  notifications: 'select next_attempt_at as since from web_push where next_attempt_at <= $1 order by next_attempt_at',
  partner_events: 'select next_attempt_at as since from webhook_delivery where next_attempt_at <= $1',
} as const satisfies Record<OperatingFigures['due'][number]['kind'], string>;

function operationsOf(provider: string): string {
  return `select next_attempt_at as since from operation
    where provider = '${provider}' and status in (${openList}) and next_attempt_at <= $1 order by next_attempt_at`;
}

const due = Object.entries(dueSql).map(
  ([kind, sql]) => `
    select '${kind}' as kind, count(*)::int as rows, min(since) as since from (${sql} limit ${maxCounted}) as rows`,
);

/**
 * The liabilities for transfers under way, and for completed ones whose payout was returned in part: according to the
 * ledger, and according to the states. The check of the books compares both at each commit.
 */
const owedSql = `
  with under_way as materialized (
    select id, state, currency, amount_minor, bolivianos_minor, rest_kept_minor from transfer
    where state in ('captured', 'payout_failed', 'refunding')
    union all
    select id, state, currency, amount_minor, bolivianos_minor, rest_kept_minor from transfer
    where state = 'completed' and payout_returned_minor > 0
  ),
  done as (
    select u.id, coalesce(sum(o.amount_minor) filter (where o.kind = 'refund'), 0) as returned,
      coalesce(sum(o.amount_minor - o.returned_minor) filter (where o.kind = 'payout'), 0)
        + coalesce(sum(o.rest_minor), 0) as paid
    from under_way as u left join operation as o on o.transfer_id = u.id and o.status = 'succeeded' group by u.id
  ),
  sides as (
    select case state when 'refunding' then 'refund_due' else 'payout_due' end as account,
      case state when 'refunding' then currency else 'BOB' end as currency, 0 as books,
      case state when 'refunding' then amount_minor - returned
        else greatest(bolivianos_minor - paid - rest_kept_minor, 0) end as expected
    from under_way join done using (id)
    union all
    select side.account, p.currency, side.amount, 0
    from under_way as u join ledger_posting as p on p.transfer_id = u.id,
      lateral (values (p.source, -p.amount_minor), (p.destination, p.amount_minor)) as side (account, amount)
    where side.account in ('payout_due', 'refund_due')
    union all select 'payout_due', 'BOB', 0, 0
    union all select 'refund_due', c, 0, 0 from unnest(array['USD', 'EUR']) as c
  )
  select account, currency, sum(books)::text as "booksMinor", sum(expected)::text as "expectedMinor"
  from sides group by account, currency order by account, currency`;

/** $1: the moment, $2: a day later. */
const readFigures = `select
    (select jsonb_agg(jsonb_build_object('kind', kind, 'rows', rows, 'since', since)) from (${due.join(' union all ')}) as d) as due,
    (select coalesce(jsonb_agg(provider order by provider), '[]') from provider_circuit where open_until > $1) as paused,
    (select jsonb_build_object('waiting', count(*)::int, 'withinDay', count(*) filter (where capture_before <= $2), 'next', min(capture_before))
       from (select capture_before from transfer where state = 'in_review' order by capture_before, id limit ${maxCounted}) as h) as holds,
    (select jsonb_build_object('stripe', count(*) filter (where side = 'stripe'), 'bank', count(*) filter (where side = 'bank'),
       'since', min(found_at)) from book_exception where status = 'open') as exceptions,
    (select max(compared_at) from book_day) as compared,
    (select jsonb_build_object('open', count(*), 'since', min(opened_at)) from desk_case where resolved_at is null) as cases,
    (select jsonb_build_object('transfers', count(*), 'minor', coalesce(sum(owed_minor), 0)::text, 'since', min(since))
       from (${restOwedSql}) as rest) as rest,
    (select count(*)::int from complaint where closed_at is null and next_due_at <= $1) as overdue,
    (select jsonb_agg(jsonb_build_object('state', state, 'since', (select min(changed_at) from transfer as t where t.state = s.state)))
       from unnest(array[${openStateList}]) as s (state)) as "oldestTransfers",
    (select coalesce(jsonb_agg(queue order by queue), '[]') from queue_pause) as "pausedQueues",
    (select jsonb_agg(to_jsonb(o)) from (${owedSql}) as o) as ledger`;

interface FiguresRow {
  due: { kind: OperatingFigures['due'][number]['kind']; rows: number; since: string | null }[];
  paused: string[];
  holds: { waiting: number; withinDay: number; next: string | null };
  exceptions: { stripe: number; bank: number; since: string | null };
  compared: string | Date | null;
  cases: { open: number; since: string | null };
  rest: { transfers: number; minor: string; since: string | null };
  overdue: number;
  oldestTransfers: { state: OperatingFigures['oldestTransfers'][number]['state']; since: string | null }[];
  pausedQueues: OperatingFigures['pausedQueues'];
  ledger: OperatingFigures['ledger'];
}

const isoOf = (at: string | Date | null) => (at === null ? null : new Date(at).toISOString());

/** Figures that show whether money moves as it should, in two statements that read indexes. */
export async function readOperatingFigures(em: EntityManager, moment: RateMoment): Promise<OperatingFigures> {
  const { now } = moment;
  const [row] = await runSql<FiguresRow>(em, readFigures, [now, new Date(now.getTime() + dayMs)]);
  const { due, paused, holds, exceptions, compared, cases, rest, overdue, ledger, pausedQueues, oldestTransfers } =
    row as FiguresRow;
  const rates = await currentRates(em, moment);
  return {
    at: now.toISOString(),
    due: due.map(({ since, ...rest }) => ({ ...rest, since: isoOf(since) })),
    pausedProviders: paused,
    oldestTransfers: oldestTransfers.map(({ state, since }) => ({ state, since: isoOf(since) })),
    pausedQueues,
    holds: { ...holds, next: isoOf(holds.next) },
    rates: (rates ? [rates.USD, rates.EUR] : []).map((rate) => ({
      ...{ currency: rate.currency, updatedAt: lastUpdatedAt(rate).toISOString(), paused: rate.paused },
    })),
    reconciliation: { ...exceptions, since: isoOf(exceptions.since), comparedAt: isoOf(compared) },
    cases: { ...cases, since: isoOf(cases.since) },
    owedToFamilies: { ...rest, since: isoOf(rest.since) },
    overdueComplaints: overdue,
    ledger,
  };
}
