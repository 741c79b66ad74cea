import { Migration } from '@mikro-orm/migrations';

const tables = `
-- Per sender and day of La Paz: what payments of the day count towards limits, and how many transfers opened on it were ever paid.
create table sender_day_total (
  user_id uuid not null,
  day date not null,
  sent_usd_minor bigint not null,
  held int not null,
  primary key (user_id, day)
);
-- How many senders paid last on a day, in several rows as those of transfer_day_total.
create table active_total (
  day date not null,
  shard int not null,
  senders bigint not null,
  primary key (day, shard)
);
create table account_total (
  shard int primary key,
  accounts bigint not null
);
`;

const triggers = `
-- As before, with the days of the sender; a move after the payment changes nothing of the sender's. What the row was and is stands in the
-- statements themselves: a function for it cost more than all of them.
create or replace function keep_transfer_totals() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paid_before int := coalesce(is_paid_state(old.state), false)::int;
  paid_now int := is_paid_state(new.state)::int;
begin
  insert into transfer_day_total as total (day, shard, paid_usd_minor, completed, rejected)
    select day, pg_backend_pid() % 16, sum(paid_usd_minor), sum(completed), sum(rejected)
    from (values
      ((coalesce(old.paid_at, old.created_at) at time zone 'America/La_Paz')::date,
        case when old.paid_at is null then 0 else -paid_before * old.usd_minor end,
        -(old.state = 'completed')::int, -(old.state = 'rejected')::int),
      ((coalesce(new.paid_at, new.created_at) at time zone 'America/La_Paz')::date,
        case when new.paid_at is null then 0 else paid_now * new.usd_minor end,
        (new.state = 'completed')::int, (new.state = 'rejected')::int)
    ) as change (day, paid_usd_minor, completed, rejected)
    where day is not null
    group by day
    having sum(paid_usd_minor) <> 0 or sum(completed) <> 0 or sum(rejected) <> 0
    order by day
  on conflict (day, shard) do update set
    paid_usd_minor = total.paid_usd_minor + excluded.paid_usd_minor,
    completed = total.completed + excluded.completed,
    rejected = total.rejected + excluded.rejected;
  if (old.user_id, old.paid_at, old.usd_minor, paid_before) is not distinct from (new.user_id, new.paid_at, new.usd_minor, paid_now)
    then return null; end if;
  insert into sender_total as total (user_id, paid_count, paid_usd_minor, last_paid_at)
    select user_id, sum(paid), sum(paid_usd_minor), max(paid_at)
    from (values (-1, old.user_id, -paid_before, -paid_before * old.usd_minor, old.paid_at),
      (1, new.user_id, paid_now, paid_now * new.usd_minor, new.paid_at)) as change (sign, user_id, paid, paid_usd_minor, paid_at)
    where user_id is not null
    group by user_id
    having sum(paid) <> 0 or sum(paid_usd_minor) <> 0 or max(paid_at) is distinct from max(paid_at) filter (where sign < 0)
    order by user_id
  on conflict (user_id) do update set
    paid_count = total.paid_count + excluded.paid_count,
    paid_usd_minor = total.paid_usd_minor + excluded.paid_usd_minor,
    last_paid_at = greatest(total.last_paid_at, excluded.last_paid_at);
  insert into sender_day_total as total (user_id, day, sent_usd_minor, held)
    select user_id, day, sum(sent_usd_minor), sum(held)
    from (values
      (old.user_id, (old.paid_at at time zone 'America/La_Paz')::date, -paid_before * old.usd_minor, 0),
      (old.user_id, case when old.paid_at is not null then (old.created_at at time zone 'America/La_Paz')::date end, 0, -1),
      (new.user_id, (new.paid_at at time zone 'America/La_Paz')::date, paid_now * new.usd_minor, 0),
      (new.user_id, case when new.paid_at is not null then (new.created_at at time zone 'America/La_Paz')::date end, 0, 1)
    ) as change (user_id, day, sent_usd_minor, held)
    where day is not null
    group by user_id, day
    having sum(sent_usd_minor) <> 0 or sum(held) <> 0
    order by user_id, day
  on conflict (user_id, day) do update set
    sent_usd_minor = total.sent_usd_minor + excluded.sent_usd_minor,
    held = total.held + excluded.held;
  return null;
end $$;

create function keep_active_total() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into active_total as total (day, shard, senders)
    select (at at time zone 'America/La_Paz')::date, pg_backend_pid() % 16, sign
    from (values (-1, case when tg_op = 'UPDATE' then old.last_paid_at end), (1, new.last_paid_at)) as change (sign, at)
    where at is not null order by 1
  on conflict (day, shard) do update set senders = total.senders + excluded.senders;
  return null;
end $$;
create trigger active_total_first after insert on sender_total for each row execute function keep_active_total();
create trigger active_total_again after update of last_paid_at on sender_total for each row
  when ((old.last_paid_at at time zone 'America/La_Paz')::date is distinct from (new.last_paid_at at time zone 'America/La_Paz')::date)
  execute function keep_active_total();

create function keep_account_total() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into account_total as total (shard, accounts)
    values (pg_backend_pid() % 16, case tg_op when 'INSERT' then 1 else -1 end)
  on conflict (shard) do update set accounts = total.accounts + excluded.accounts;
  return null;
end $$;
-- At commit, as the others: what many want is locked for as short as can be.
create constraint trigger account_total after insert or delete on app_user deferrable initially deferred for each row
  execute function keep_account_total();

-- Makes one row of the several rows that a day has, once it has passed: they are added up for every look at the figures.
create function fold_totals(before date) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with gone as (delete from transfer_day_total where day < before and shard <> 0 returning *)
  insert into transfer_day_total as total (day, shard, paid_usd_minor, completed, rejected)
    select day, 0, sum(paid_usd_minor), sum(completed), sum(rejected) from gone group by day order by day
  on conflict (day, shard) do update set
    paid_usd_minor = total.paid_usd_minor + excluded.paid_usd_minor,
    completed = total.completed + excluded.completed,
    rejected = total.rejected + excluded.rejected;
  with gone as (delete from active_total where day < before and shard <> 0 returning *)
  insert into active_total as total (day, shard, senders)
    select day, 0, sum(senders) from gone group by day order by day
  on conflict (day, shard) do update set senders = total.senders + excluded.senders;
end $$;
`;

/** SQL: fills the tables from what is there. */
export const fillSenderTotals = `
  insert into sender_day_total (user_id, day, sent_usd_minor, held)
    select user_id, days.day, sum(days.sent_usd_minor), sum(days.held)
    from transfer as t cross join lateral (values
      ((t.paid_at at time zone 'America/La_Paz')::date, is_paid_state(t.state)::int * t.usd_minor, 0),
      ((t.created_at at time zone 'America/La_Paz')::date, 0, 1)
    ) as days (day, sent_usd_minor, held)
    where t.paid_at is not null group by 1, 2;
  insert into active_total (day, shard, senders)
    select (last_paid_at at time zone 'America/La_Paz')::date, 0, count(*) from sender_total where last_paid_at is not null group by 1;
  insert into account_total (shard, accounts) select 0, count(*) from app_user;
`;

/**
 * Totals for what had to be added up: limits of the last days, months with statements, active senders and accounts. Triggers of the database
 * keep them, so a version before goes on and keeps them too. No payment commits while the tables are filled: with a million transfers about
 * half a minute.
 */
export class TotalsBySender extends Migration {
  override up(): void {
    this.addSql('lock table transfer, sender_total, app_user in share row exclusive mode');
    for (const part of [tables, triggers, fillSenderTotals]) this.addSql(part);
  }
}
