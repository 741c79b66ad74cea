import { Migration } from '@mikro-orm/migrations';

/** The check of the books reads operations, disputes and entries once each: every commit that moves money waits for it. */
export class CheaperBooks extends Migration {
  override up(): void {
    this.addSql(check);
  }
}

const check = `
-- As before, in one function with its statements planned once by each connection, and not by a query that is planned at each call. What
-- the accounts must say of a transfer by its state, its operations and its disputes: nothing unless it is charged. Money the
-- card processor owes us has left it, money the bank paid has reached it, what is owed to a sender stands in refund_due, and what the
-- card's bank took back stands in disputed until it is given back or lost.
drop function balance_due(transfer);
create or replace function check_transfer_books() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  t transfer%rowtype;
  done record;
  taken record;
  charged boolean;
  unwound boolean;
  wrong boolean;
  books text;
begin
  if tg_table_name = 'transfer' then
    select * into t from transfer where id = new.id;
  else
    select * into t from transfer where id = new.transfer_id;
  end if;
  charged := t.state in ('captured', 'payout_failed', 'completed', 'refunding', 'refunded');
  unwound := t.state in ('refunding', 'refunded');
  if not charged then
    wrong := exists (select from ledger_balance where transfer_id = t.id);
  else
    select
      coalesce(bool_or(o.kind = 'capture'), false) as captured,
      coalesce(bool_or(o.kind = 'payout'), false) as paid_out,
      coalesce(sum(o.amount_minor) filter (where o.kind = 'refund'), 0) as returned,
      coalesce(sum(o.amount_minor) filter (where o.kind = 'refund' and o.provider <> 'manual'), 0) as to_card,
      coalesce(sum(o.amount_minor) filter (where o.kind = 'refund' and o.provider = 'manual'), 0) as by_hand,
      coalesce(sum(o.amount_minor - o.returned_minor) filter (where o.kind = 'payout'), 0) as paid
    into done from operation as o where o.transfer_id = t.id and o.status = 'succeeded';
    if not done.captured then
      raise exception 'transfer % is % without a capture', t.id, t.state;
    end if;
    if t.state <> 'completed' and done.paid_out then
      raise exception 'transfer % is % but was paid out', t.id, t.state;
    end if;
    if t.state = 'completed' and not done.paid_out then
      raise exception 'transfer % is completed without a payout', t.id;
    end if;
    if t.state = 'refunded' and t.amount_minor > done.returned then
      raise exception 'transfer % is refunded but not all of it was returned', t.id;
    end if;
    if t.state = 'refunding' and t.amount_minor <= done.returned then
      raise exception 'transfer % is refunding but all of it was returned', t.id;
    end if;
    select
      coalesce(sum(d.amount_minor) filter (where d.booking in ('withdrawn', 'lost')), 0) as withdrawn,
      coalesce(sum(d.amount_minor) filter (where d.booking = 'lost'), 0) as lost
    into taken from dispute as d where d.transfer_id = t.id;
    wrong := exists (
      select from (
        select source as account, currency, -amount_minor as amount_minor from ledger_posting where transfer_id = t.id
        union all
        select destination, currency, amount_minor from ledger_posting where transfer_id = t.id
        union all
        select account, currency, -amount_minor from (values
          ('card_processor', t.currency, done.to_card + taken.withdrawn - t.amount_minor),
          ('disputed', t.currency, taken.lost - taken.withdrawn),
          ('fee_income', t.currency, case when unwound then 0 else t.fee_minor end),
          ('exchange', t.currency, case when unwound then 0 else t.net_minor end),
          ('exchange', 'BOB', case when unwound then 0 else -t.bolivianos_minor end),
          ('payout_due', 'BOB', case when unwound then 0 else t.bolivianos_minor end - done.paid),
          ('bank', 'BOB', done.paid),
          ('bank', t.currency, done.by_hand),
          ('refund_due', t.currency, case when unwound then t.amount_minor - done.returned else 0 end),
          ('loss', t.currency, case when unwound then 0 else -done.returned end - taken.lost)
        ) as due (account, currency, amount_minor)
      ) as sides
      group by account, currency
      having sum(amount_minor) <> 0
    );
  end if;
  if wrong then
    select string_agg(concat_ws(' ', account, amount_minor, currency), ', ') into books
    from ledger_balance where transfer_id = t.id;
    raise exception 'transfer % is % but its books say: %', t.id, t.state, coalesce(books, 'nothing');
  end if;
  return null;
end $$;
`;
