import { Migration } from '@mikro-orm/migrations';

/**
 * What is done at a commit that moves money: the books are compared for what can change the result, not for every row, and totals of a
 * day are kept in several rows, so that no commit waits for another one.
 */
export class FewerChecks extends Migration {
  override up(): void {
    for (const part of [books, totals]) this.addSql(part);
  }
}

const charged = `('captured', 'payout_failed', 'completed', 'refunding', 'refunded')`;

const books = `
-- The check says nothing about a transfer that is neither charged nor has an entry, and looks only at captures, payouts and refunds
-- that succeeded: changes of anything else cannot change what it says.
drop trigger transfer_books on transfer;
create constraint trigger transfer_books_opened after insert on transfer
  deferrable initially deferred for each row when (new.state in ${charged}) execute function check_transfer_books();
create constraint trigger transfer_books after update of
  state, currency, amount_minor, fee_minor, net_minor, bolivianos_minor on transfer
  deferrable initially deferred for each row when (
    (old.state in ${charged} or new.state in ${charged})
    and (old.state, old.currency, old.amount_minor, old.fee_minor, old.net_minor, old.bolivianos_minor)
      is distinct from (new.state, new.currency, new.amount_minor, new.fee_minor, new.net_minor, new.bolivianos_minor)
  ) execute function check_transfer_books();

drop trigger operation_books on operation;
create constraint trigger operation_books_begun after insert on operation
  deferrable initially deferred for each row when (new.status = 'succeeded' and new.kind in ('capture', 'payout', 'refund'))
  execute function check_transfer_books();
create constraint trigger operation_books after update of status, amount_minor, returned_minor, provider on operation
  deferrable initially deferred for each row when (
    (old.status = 'succeeded' or new.status = 'succeeded') and new.kind in ('capture', 'payout', 'refund')
    and (old.status, old.amount_minor, old.returned_minor, old.provider)
      is distinct from (new.status, new.amount_minor, new.returned_minor, new.provider)
  ) execute function check_transfer_books();

-- Once for an entry: the statement that writes its lines writes the first one, too.
drop trigger ledger_posting_books on ledger_posting;
create constraint trigger ledger_posting_books after insert on ledger_posting
  deferrable initially deferred for each row when (new.line = 1) execute function check_transfer_books();
create function check_first_lines() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (
    select from written as later where line <> 1 and not exists (
      select from written as first
      where first.transfer_id = later.transfer_id and first.entry = later.entry and first.line = 1
    )
  ) then
    raise exception 'lines of a ledger entry are written without its first one';
  end if;
  return null;
end $$;
create trigger ledger_posting_first_lines after insert on ledger_posting
  referencing new table as written for each statement execute function check_first_lines();
`;

const totals = `
-- A day's totals are the sums of its rows. Each connection writes one of sixteen: with a single row every commit of a payment would
-- wait until the one before it is on disk.
alter table transfer_day_total add column shard int not null default 0;
alter table transfer_day_total drop constraint transfer_day_total_pkey;
alter table transfer_day_total add primary key (day, shard);

-- As transfer-totals created it, with the rows of a day.
create or replace function keep_transfer_totals() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into transfer_day_total as total (day, shard, paid_usd_minor, completed, rejected)
    select day, pg_backend_pid() % 16, sum(sign * day_usd_minor), sum(sign * completed), sum(sign * rejected)
    from (select -1 as sign, * from transfer_share(old) union all select 1, * from transfer_share(new)) as change
    group by day
    having sum(sign * day_usd_minor) <> 0 or sum(sign * completed) <> 0 or sum(sign * rejected) <> 0
    order by day
  on conflict (day, shard) do update set
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
`;
