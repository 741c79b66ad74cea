import { Migration } from '@mikro-orm/migrations';

/**
 * Totals of transfers, per day of La Paz and per sender, so that nobody adds up all transfers to show a figure. A trigger
 * keeps them in the transaction that changes a transfer, `transfer-totals.test.ts` compares them with the
 * sums over the table. The lists of states stand as in core/transfers/states.ts: `paidStates`, and the statuses `completed`
 * and `rejected`.
 */
export class TransferTotals extends Migration {
  override up(): void {
    for (const part of [tables, shares, trigger, fillTotals, indexes]) this.addSql(part);
  }
}

const tables = `
-- By the day a transfer was paid, or opened when it was not.
create table transfer_day_total (
  day date primary key,
  paid_usd_minor bigint not null,
  completed bigint not null,
  rejected bigint not null
);
create table sender_total (
  user_id uuid primary key references app_user (id) deferrable initially deferred,
  paid_count int not null,
  paid_usd_minor bigint not null,
  -- When the sender last paid, also where the money went back later.
  last_paid_at timestamptz null
);
create index sender_total_last_paid_at on sender_total (last_paid_at);
`;

const shares = `
-- What a transfer adds to the totals; nothing for the missing old row of an insert.
create function transfer_share(t transfer)
returns table (day date, user_id uuid, paid_at timestamptz, paid int, paid_usd_minor bigint, day_usd_minor bigint,
  completed int, rejected int)
language sql stable set search_path = public, pg_temp as $$
  select (coalesce(t.paid_at, t.created_at) at time zone 'America/La_Paz')::date, t.user_id, t.paid_at,
    paid::int, paid::int * t.usd_minor, (paid and t.paid_at is not null)::int * t.usd_minor,
    (t.state = 'completed')::int, (t.state = 'rejected')::int
  from (select t.state in ('in_review', 'approved', 'captured', 'completed') as paid) as state
  where t.id is not null
$$;
`;

const trigger = `
-- At commit, so that the totals' rows, which many transactions want, are locked for as short as can be; days before senders,
-- in their order, so that no two transactions wait for each other. With the owner's rights: nobody else may write totals.
create function keep_transfer_totals() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into transfer_day_total as total (day, paid_usd_minor, completed, rejected)
    select day, sum(sign * day_usd_minor), sum(sign * completed), sum(sign * rejected)
    from (select -1 as sign, * from transfer_share(old) union all select 1, * from transfer_share(new)) as change
    group by day
    having sum(sign * day_usd_minor) <> 0 or sum(sign * completed) <> 0 or sum(sign * rejected) <> 0
    order by day
  on conflict (day) do update set
    paid_usd_minor = total.paid_usd_minor + excluded.paid_usd_minor,
    completed = total.completed + excluded.completed,
    rejected = total.rejected + excluded.rejected;
  insert into sender_total as total (user_id, paid_count, paid_usd_minor, last_paid_at)
    select user_id, sum(sign * paid), sum(sign * paid_usd_minor), max(paid_at)
    from (select -1 as sign, * from transfer_share(old) union all select 1, * from transfer_share(new)) as change
    group by user_id
    having sum(sign * paid) <> 0 or sum(sign * paid_usd_minor) <> 0
      or max(paid_at) is distinct from max(paid_at) filter (where sign < 0)
    order by user_id
  on conflict (user_id) do update set
    paid_count = total.paid_count + excluded.paid_count,
    paid_usd_minor = total.paid_usd_minor + excluded.paid_usd_minor,
    last_paid_at = greatest(total.last_paid_at, excluded.last_paid_at);
  return null;
end $$;
revoke execute on function keep_transfer_totals() from public;
create constraint trigger transfer_totals after insert or update of state, user_id, paid_at, usd_minor on transfer
  deferrable initially deferred for each row execute function keep_transfer_totals();
`;

/** For transfers from before: nobody writes any between the trigger, whose creation locks the table, and the end of the migration. */
export const fillTotals = `
insert into transfer_day_total
  select day, sum(day_usd_minor), sum(completed), sum(rejected)
  from transfer cross join lateral transfer_share(transfer) as share
  group by day
  having sum(day_usd_minor) <> 0 or sum(completed) <> 0 or sum(rejected) <> 0;
insert into sender_total
  select share.user_id, sum(paid), sum(share.paid_usd_minor), max(share.paid_at)
  from transfer cross join lateral transfer_share(transfer) as share
  group by share.user_id
  having sum(paid) <> 0 or max(share.paid_at) is not null;
`;

const indexes = `
-- What a sender paid within the windows of the limits, from the index alone.
create index transfer_user_id_paid_at on transfer (user_id, paid_at) include (usd_minor, state) where paid_at is not null;
-- The list of transfers that wait for a recipient.
create index transfer_without_recipient on transfer (user_id, created_at, id) where recipient_id is null;
`;
