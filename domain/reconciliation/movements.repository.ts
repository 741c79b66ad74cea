import type { Side } from '#core/reconciliation/cause';
import { startOfDay } from '#core/reconciliation/days';
import type { BookMovement, MovementKind, SourceMovement } from '#core/reconciliation/movement';
import type { EntityManager } from '#platform/database/database';

/**
 * Transfers with a movement in our books or at a source since a day, and those with an open exception, ordered by id
 * after a given one; at most `limit`.
 */
export async function findMovedTransfers(
  em: EntityManager,
  { since, after, limit }: { since: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id::text from (
       select transfer_id as id from ledger_posting where at >= ?
       union select transfer_id from stripe_entry where day >= ?::date and transfer_id is not null
       union select transfer_id from bank_entry where day >= ?::date and transfer_id is not null
       union select transfer_id from book_exception where status in ('open', 'accepted') and transfer_id is not null
     ) as moved where id > ?::uuid order by id limit ?`,
    [startOfDay(since), since, since, after, limit],
  );
  return rows.map(({ id }) => id);
}

interface BookRow {
  readonly transfer_id: string;
  readonly entry: string;
  readonly line: number;
  readonly account: 'card_processor' | 'bank';
  /** Surplus of the source over our books, signed. */
  readonly amount: string;
  readonly currency: string;
  readonly at: string;
  readonly reference: string | null;
}

/**
 * Movements of transfers at the sources according to our books. Excludes payments that a person made outside the payout
 * bank.
 */
export async function findBookMovements(em: EntityManager, transferIds: readonly string[]): Promise<BookMovement[]> {
  const rows = await em.execute<BookRow[]>(
    `select p.transfer_id, p.entry, p.line, side.account, p.currency, p.at::text,
       case when p.source = side.account then p.amount_minor else -p.amount_minor end as amount,
       case when p.entry = 'charge' then t.payment_intent_id else o.provider_reference end as reference
     from ledger_posting as p
     join transfer as t on t.id = p.transfer_id
     join lateral (values ('card_processor'), ('bank')) as side (account) on side.account in (p.source, p.destination)
     left join operation as o on o.transfer_id = p.transfer_id
       and o.kind = case when p.entry like 'payout%' then 'payout' when p.entry like 'refund%' then 'refund' end
       and o.sequence = coalesce(substring(p.entry from '^[a-z_]+:([0-9]+)')::int, 1)
     where p.transfer_id = any (?::uuid[]) and (side.account = 'card_processor' or p.currency = 'BOB')`,
    [`{${transferIds.join(',')}}`],
  );
  return rows.map((row) => {
    const side: Side = row.account === 'bank' ? 'bank' : 'stripe';
    const amountMinor = BigInt(row.amount);
    return {
      ...{ id: `${row.transfer_id} ${row.entry} ${row.line}`, side, amountMinor, currency: row.currency },
      kind: kindOf(row.entry, amountMinor),
      ...{ transferId: row.transfer_id, reference: row.reference, at: new Date(row.at) },
    };
  });
}

function kindOf(entry: string, amountMinor: bigint): MovementKind {
  if (entry === 'charge') return 'charge';
  if (entry.startsWith('payout_return')) return 'payout_return';
  if (entry.startsWith('payout')) return 'payout';
  if (entry.startsWith('dispute')) return amountMinor < 0n ? 'dispute' : 'dispute_return';
  return entry.startsWith('refund_reversal') ? 'refund_return' : 'refund';
}

interface SourceRow {
  readonly id: string;
  readonly side: Side;
  readonly kind: MovementKind;
  readonly transfer_id: string | null;
  readonly reference: string | null;
  readonly amount: string;
  readonly fee: string;
  readonly currency: string;
  readonly instructed: string | null;
  readonly happened_on: string;
  readonly day: string;
}

const sourceSql = `
  select id, 'stripe' as side, kind, transfer_id, case when kind = 'charge' then payment_intent_id else source_id end as reference,
    amount_minor::text as amount, fee_minor::text as fee, currency, null as instructed, happened_on::text, day::text
  from stripe_entry where kind not in ('stripe_fee', 'stripe_payout')`;
/** Matches a bank line to a payout by hand by the bank's number, even if it was reported after the import. */
const bankSql = `
  select e.id::text, 'bank', case when by_hand.transfer_id is null then e.kind when e.amount_minor < 0 then 'payout' else 'payout_return' end,
    coalesce(e.transfer_id, by_hand.transfer_id), e.bank_reference, e.amount_minor::text, '0', e.currency, e.instructed_currency,
    e.happened_on::text, e.day::text
  from bank_entry as e
  left join lateral (
    select transfer_id from operation
    where provider = 'manual' and kind = 'payout' and provider_reference = e.bank_reference and e.transfer_id is null and e.kind = 'other'
    limit 1
  ) as by_hand on true`;

/** Movements of transfers according to the sources. */
export async function findSourceMovements(
  em: EntityManager,
  transferIds: readonly string[],
): Promise<SourceMovement[]> {
  const ids = `{${transferIds.join(',')}}`;
  const rows = await em.execute<SourceRow[]>(
    `${sourceSql} and transfer_id = any (?::uuid[])
     union all ${bankSql} where e.transfer_id = any (?::uuid[])
     union all ${bankSql} where e.transfer_id is null and by_hand.transfer_id = any (?::uuid[])
       and e.bank_reference in (select provider_reference from operation
         where provider = 'manual' and kind = 'payout' and transfer_id = any (?::uuid[]))`,
    [ids, ids, ids, ids],
  );
  return rows.map(toSourceMovement);
}

/** Movements of the sources since a day that belong to none of our transfers. */
export async function findUnknownMovements(em: EntityManager, since: string): Promise<SourceMovement[]> {
  const rows = await em.execute<SourceRow[]>(
    `${sourceSql} and transfer_id is null and day >= ?::date union all ${bankSql} where coalesce(e.transfer_id, by_hand.transfer_id) is null and e.day >= ?::date`,
    [since, since],
  );
  return rows.map(toSourceMovement);
}

function toSourceMovement(row: SourceRow): SourceMovement {
  return {
    ...{ id: row.id, side: row.side, kind: row.kind, transferId: row.transfer_id, reference: row.reference },
    ...{ amountMinor: BigInt(row.amount), feeMinor: BigInt(row.fee), currency: row.currency },
    instructedCurrency: row.instructed,
    ...{ happenedOn: row.happened_on, day: row.day },
  };
}

/** The sources' references of pending refunds of transfers. */
export async function findRefundsUnderWay(em: EntityManager, transferIds: readonly string[]): Promise<Set<string>> {
  const rows = await em.execute<{ reference: string }[]>(
    `select provider_reference as reference from operation where transfer_id = any (?::uuid[]) and kind = 'refund'
       and status in ('pending', 'in_flight', 'unknown') and provider_reference is not null`,
    [`{${transferIds.join(',')}}`],
  );
  return new Set(rows.map(({ reference }) => reference));
}

/**
 * Books the exchange margin of transfers: its current amount less what is already booked. Returns how many were booked.
 */
export async function bookMargins(
  em: EntityManager,
  transferIds: readonly string[],
  { closedUntil, at }: { closedUntil: string | null; at: Date },
): Promise<number> {
  const [result] = await em.execute<{ count: number }[]>(
    `with due as (
       select t.id, t.currency,
         case when t.state = 'completed'
             then div((t.net_minor - s.share)::numeric * (t.reference_rate - t.rate), t.reference_rate::numeric) else 0 end
           - coalesce(b.booked, 0) as missing,
         coalesce(b.times, 0) + 1 as number,
         coalesce((select max((p.at at time zone 'America/La_Paz')::date) from ledger_posting as p
           where p.transfer_id = t.id and p.entry ~ '^(payout|payout_return|unwind|rest)'), (?::timestamptz at time zone 'America/La_Paz')::date) as day
       from transfer as t
       -- What is settled of the rest is exchanged no more (core/transfers/rest.ts).
       cross join lateral (
         select ceil((t.rest_refunded_minor + t.rest_kept_minor)::numeric * t.net_minor / t.bolivianos_minor) as share
       ) as s
       left join lateral (
         select sum(case when destination = 'exchange_margin' then amount_minor else -amount_minor end) as booked, count(*) as times
         from settlement_posting where transfer_id = t.id and 'exchange_margin' in (source, destination)
       ) as b on true
       where t.id = any (?::uuid[]) and t.reference_rate is not null
     ), written as (
       insert into settlement_posting (entry, transfer_id, source, destination, amount_minor, currency, day, at)
       select 'margin:' || id || ':' || number, id, case when missing > 0 then 'exchange' else 'exchange_margin' end,
         case when missing > 0 then 'exchange_margin' else 'exchange' end, abs(missing), currency,
         greatest(day, coalesce(?::date + 1, day)), ?
       from due where missing <> 0
       on conflict (entry) do nothing
       returning 1
     ) select count(*)::int as count from written`,
    [at, `{${transferIds.join(',')}}`, closedUntil, at],
  );
  return result?.count ?? 0;
}
