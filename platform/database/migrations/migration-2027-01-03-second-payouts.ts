import { Migration } from '@mikro-orm/migrations';

/** A family that was paid can be paid a second time, at our loss, to correct what a sender reported. */
export class SecondPayouts extends Migration {
  override up(): void {
    for (const part of [columns, guards, cases, books]) this.addSql(part);
  }
}

const columns = `
-- The report that a second payout corrects, and whom it pays; null for every other operation.
alter table operation add column complaint_id uuid null references complaint (id);
alter table operation add column payout_target jsonb null;
alter table operation add constraint operation_second_payout_check check ((complaint_id is null) = (payout_target is null)
  and (complaint_id is null or (kind = 'payout' and provider = 'bank')));
create index operation_complaint_id on operation (complaint_id) where complaint_id is not null;
alter table transfer add column paid_again_minor bigint not null default 0
  check (paid_again_minor >= 0 and paid_again_minor <= bolivianos_minor);
alter table transfer alter column paid_again_minor drop default;
alter table complaint add column payout_minor bigint null;
alter table complaint add column payout_target jsonb null;
alter table complaint add constraint complaint_payout_check check ((payout_minor is null) = (payout_target is null)
  and (payout_minor is null or (payout_minor > 0 and remedy = 'pay_again')));
-- Money moves a second time, perhaps to another account: never by one person alone.
alter table complaint add constraint complaint_payout_two_persons_check check (payout_minor is null or told_at is null
  or (approved_by_id is not null and approved_by_id <> found_by_id));
alter table complaint_letter drop constraint complaint_letter_kind_check;
alter table complaint_letter add constraint complaint_letter_kind_check check (kind in ('received', 'delayed', 'result', 'corrected',
  'reopened'));
-- A report whose correction the bank refused gets another result, and another letter about it.
alter table complaint_letter add column number int not null default 1;
alter table complaint_letter alter column number drop default;
alter table complaint_letter drop constraint complaint_letter_once;
alter table complaint_letter add constraint complaint_letter_once unique (complaint_id, kind, number);
`;

const guards = `
-- A second payout pays what two persons decided on, to whom they decided on, and stays so.
create function check_second_payout() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (
    select from complaint as c where c.id = new.complaint_id and c.transfer_id = new.transfer_id and c.payout_minor = new.amount_minor
      and c.payout_target = new.payout_target and c.approved_by_id is not null and c.told_at is not null
  ) then
    raise exception 'the second payout % is not what two persons decided on', new.id;
  end if;
  return null;
end $$;
create constraint trigger operation_second_payout after insert on operation
  deferrable initially deferred for each row when (new.complaint_id is not null) execute function check_second_payout();
create function keep_second_payout() returns trigger language plpgsql as $$
begin
  raise exception 'a second payout keeps its report, account and amount';
end $$;
create trigger operation_second_payout_kept before update of complaint_id, payout_target, amount_minor on operation
  for each row when (old.complaint_id is not null and (old.complaint_id, old.payout_target, old.amount_minor)
    is distinct from (new.complaint_id, new.payout_target, new.amount_minor))
  execute function keep_second_payout();
`;

const cases = `
alter table desk_case drop constraint desk_case_reason_check;
alter table desk_case add constraint desk_case_reason_check check (reason in ('operation_slow', 'operation_abandoned',
  'operation_refused', 'payout_rejected', 'payout_returned', 'payout_returned_in_part', 'refund_failed', 'refund_outside',
  'fraud_warning', 'dispute_inquiry', 'dispute_opened', 'dispute_lost', 'correction_failed', 'books_differ', 'contradiction'));
alter table desk_case drop constraint desk_case_outcome_check;
alter table desk_case add constraint desk_case_outcome_check check (outcome in ('account_corrected', 'bank_could_not_pay', 'paid',
  'refunding', 'refunded', 'uncharged', 'dispute_lost', 'dispute_won', 'dispute_dropped', 'warning_past', 'books_settled',
  'complaint_decided'));
`;

const books = `
-- As before; what the bank paid beyond what was owed to the family is our loss, in bolivianos.
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
      coalesce(sum(o.amount_minor - o.returned_minor) filter (where o.kind = 'payout'), 0) as paid,
      coalesce(sum(o.amount_minor - o.returned_minor) filter (where o.kind = 'payout' and o.complaint_id is not null), 0) as again
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
    if done.again > t.bolivianos_minor or done.paid - done.again > t.bolivianos_minor then
      raise exception 'transfer % was paid out more often than it may be', t.id;
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
          ('payout_due', 'BOB', case when unwound then 0 else greatest(t.bolivianos_minor - done.paid, 0) end),
          ('bank', 'BOB', done.paid),
          ('bank', t.currency, done.by_hand),
          ('refund_due', t.currency, case when unwound then t.amount_minor - done.returned else 0 end),
          ('loss', t.currency, case when unwound then 0 else -done.returned end - taken.lost),
          ('loss', 'BOB', -greatest(done.paid - t.bolivianos_minor, 0))
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
