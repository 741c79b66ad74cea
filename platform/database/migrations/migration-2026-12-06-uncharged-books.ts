import { Migration } from '@mikro-orm/migrations';

/** The check of the books says at once that an uncharged transfer without an entry is in order, which most commits are about. */
export class UnchargedBooks extends Migration {
  override up(): void {
    this.addSql(check);
  }
}

const check = `
-- As the operations migration created it. Without the charge all conditions are about states that are not these, no balance is due,
-- and without an entry there is none.
create or replace function check_transfer_books() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  t transfer%rowtype;
  books text;
begin
  if tg_table_name = 'transfer' then
    select * into t from transfer where id = new.id;
  else
    select * into t from transfer where id = new.transfer_id;
  end if;
  if t.state not in ('captured', 'payout_failed', 'completed', 'refunding', 'refunded')
    and not exists (select from ledger_posting where transfer_id = t.id) then
    return null;
  end if;
  if t.state in ('captured', 'payout_failed', 'completed', 'refunding', 'refunded') and not exists (
    select from operation where transfer_id = t.id and kind = 'capture' and status = 'succeeded'
  ) then
    raise exception 'transfer % is % without a capture', t.id, t.state;
  end if;
  if t.state in ('captured', 'payout_failed', 'refunding', 'refunded') and exists (
    select from operation where transfer_id = t.id and kind = 'payout' and status = 'succeeded'
  ) then
    raise exception 'transfer % is % but was paid out', t.id, t.state;
  end if;
  if t.state = 'completed' and not exists (
    select from operation where transfer_id = t.id and kind = 'payout' and status = 'succeeded'
  ) then
    raise exception 'transfer % is completed without a payout', t.id;
  end if;
  if t.state = 'refunded' and t.amount_minor > (
    select coalesce(sum(amount_minor), 0) from operation where transfer_id = t.id and kind = 'refund' and status = 'succeeded'
  ) then
    raise exception 'transfer % is refunded but not all of it was returned', t.id;
  end if;
  if t.state = 'refunding' and t.amount_minor <= (
    select coalesce(sum(amount_minor), 0) from operation where transfer_id = t.id and kind = 'refund' and status = 'succeeded'
  ) then
    raise exception 'transfer % is refunding but all of it was returned', t.id;
  end if;
  if exists (
    select from (select account, currency, amount_minor from ledger_balance where transfer_id = t.id) as said
    full join balance_due(t) as due using (account, currency, amount_minor)
    where said is null or due is null
  ) then
    select string_agg(concat_ws(' ', account, amount_minor, currency), ', ') into books
    from ledger_balance where transfer_id = t.id;
    raise exception 'transfer % is % but its books say: %', t.id, t.state, coalesce(books, 'nothing');
  end if;
  return null;
end $$;
`;
