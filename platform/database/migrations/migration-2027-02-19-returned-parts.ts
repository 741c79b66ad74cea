import { Migration } from '@mikro-orm/migrations';

/**
 * What the bank returned of a payout while the transfer stays completed can be paid again, refunded or kept (core/transfers/rest.ts), and
 * returns that cannot be booked are kept with the reason.
 */
export class ReturnedParts extends Migration {
  override up(): void {
    for (const part of [columns, guards, books, margins, returns]) this.addSql(part);
  }
}

const columns = `
alter table desk_request drop constraint desk_request_action_check;
alter table desk_request add constraint desk_request_action_check check (action in ('retry', 'give_up_and_refund',
  'refund_at_loss', 'pay_by_hand', 'refund_by_hand', 'pay_rest', 'refund_rest', 'keep_rest', 'release_hold', 'resolve', 'approve',
  'refute'));
-- Whom a request to pay the rest pays.
alter table desk_request add column payout_target jsonb null;
alter table desk_request add constraint desk_request_payout_target_check check ((payout_target is not null) = (action = 'pay_rest'));
create index desk_request_sealed_with on desk_request (coalesce(left(payout_target ->> 'sealed', 9), '')) where payout_target is not null;

-- The request about the rest that an operation carries out, and the bolivianos whose share a refund returns.
alter table operation add column rest_request_id uuid null references desk_request (id), add column rest_minor bigint null;
alter table operation drop constraint operation_second_payout_check;
alter table operation add constraint operation_second_payout_check check (
  (payout_target is not null) = (complaint_id is not null or (rest_request_id is not null and kind = 'payout'))
  and (complaint_id is null or rest_request_id is null)
  and (payout_target is null or (kind = 'payout' and provider = 'bank'))
  and (rest_request_id is null or kind in ('payout', 'refund'))
  and (rest_minor is not null) = (rest_request_id is not null and kind = 'refund')
  and (rest_minor is null or rest_minor > 0));
create index operation_rest_request_id on operation (rest_request_id) where rest_request_id is not null;

-- Of the rest: what was paid again and what was refunded or kept, in centavos, and to whom it is on its way. The defaults are also for
-- processes of the version before, which write no such columns.
alter table transfer
  add column rest_paid_minor bigint not null default 0 check (rest_paid_minor >= 0 and rest_paid_minor <= bolivianos_minor),
  add column rest_refunded_minor bigint not null default 0 check (rest_refunded_minor >= 0 and rest_refunded_minor <= bolivianos_minor),
  add column rest_kept_minor bigint not null default 0 check (rest_kept_minor >= 0 and rest_kept_minor <= bolivianos_minor),
  add column rest_to text null constraint transfer_rest_to_check check (rest_to in ('family', 'sender'));
create index transfer_payout_returned on transfer (id) where payout_returned_minor > 0;
`;

const guards = `
-- An order about the rest does what its request says, which two persons decided on where it pays another account. Everything that was
-- paid, or may have been, is at most what was promised: so the rest is paid or refunded once, and no more than the bank returned.
create function check_rest() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  t transfer%rowtype;
  moved numeric;
begin
  select * into t from transfer where id = new.transfer_id;
  if not exists (
    select from desk_request as r where r.id = new.rest_request_id and r.transfer_id = new.transfer_id
      and case new.kind
        when 'payout' then r.action = 'pay_rest' and r.amount_minor = new.amount_minor and r.payout_target = new.payout_target
          and (r.outcome = 'approved' or r.outcome = 'done' and r.payout_target = t.payout_target)
        else r.action = 'refund_rest' and r.amount_minor >= new.amount_minor and r.outcome in ('approved', 'done')
      end
  ) then
    raise exception 'the order % about the rest is not what was decided', new.id;
  end if;
  select sum(case when o.kind = 'payout' then o.amount_minor - o.returned_minor else coalesce(o.rest_minor, 0) end) into moved
  from operation as o where o.transfer_id = t.id and o.kind in ('payout', 'refund')
    and (o.status in ('succeeded', 'pending', 'in_flight', 'unknown') or o.status = 'abandoned' and o.sent_at is not null);
  if t.state <> 'completed' or moved + t.rest_kept_minor > t.bolivianos_minor then
    raise exception 'the order % is about more than the bank returned', new.id;
  end if;
  return null;
end $$;
create constraint trigger operation_rest after insert on operation
  deferrable initially deferred for each row when (new.rest_request_id is not null) execute function check_rest();

-- As before, also of what pays or refunds the rest.
create or replace function keep_second_payout() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if (old.complaint_id, old.rest_request_id, old.amount_minor, old.rest_minor)
      is not distinct from (new.complaint_id, new.rest_request_id, new.amount_minor, new.rest_minor)
    and new.payout_target ? 'sealed' and exists (
      select from complaint as c where c.id = new.complaint_id and c.payout_target = new.payout_target
      union all
      select from desk_request as r where r.id = new.rest_request_id and r.payout_target = new.payout_target
    )
    and old.payout_target - '{sealed,hashes,ci,phone,bankAccount}'::text[]
      = new.payout_target - '{sealed,hashes,ci,phone,bankAccount}'::text[]
    and (not old.payout_target ? 'hashes' or old.payout_target -> 'hashes' = new.payout_target -> 'hashes')
  then
    return new;
  end if;
  raise exception 'a second payout keeps its report, account and amount';
end $$;
drop trigger operation_second_payout_kept on operation;
create trigger operation_second_payout_kept before update of complaint_id, rest_request_id, payout_target, amount_minor, rest_minor
  on operation for each row when ((old.complaint_id is not null or old.rest_request_id is not null)
    and (old.complaint_id, old.rest_request_id, old.payout_target, old.amount_minor, old.rest_minor)
      is distinct from (new.complaint_id, new.rest_request_id, new.payout_target, new.amount_minor, new.rest_minor))
  execute function keep_second_payout();
`;

const books = `
alter table ledger_posting drop constraint ledger_posting_entry_check;
alter table ledger_posting add constraint ledger_posting_entry_check check (
  entry ~ '^(charge|(unwind|rewind|payout|refund|refund_reversal)(:[1-9][0-9]*)?|refund_excess|payout_return(:[1-9][0-9]*)?(\\.[1-9][0-9]*)?|(dispute_(withdrawn|reinstated|lost)|rest):[1-9][0-9]*)$');

-- What is settled of the rest is exchanged no more: it lessens what the family is owed, and its share what is exchanged of the charge.
create or replace function check_transfer_books() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  t transfer%rowtype;
  done record;
  taken record;
  charged boolean;
  unwound boolean;
  excess numeric;
  wrong boolean;
  settled numeric;
  share numeric;
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
      coalesce(sum(o.rest_minor) filter (where o.kind = 'refund'), 0) as rest,
      coalesce(sum(o.amount_minor - o.returned_minor) filter (where o.kind = 'payout'), 0) as paid,
      coalesce(sum(o.amount_minor - o.returned_minor) filter (where o.kind = 'payout' and o.complaint_id is not null), 0) as again,
      coalesce(sum(o.amount_minor - o.returned_minor) filter (where o.kind = 'payout' and o.provider = 'manual'), 0) as paid_by_hand
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
    if greatest(done.again, done.paid_by_hand, done.paid - done.again - done.paid_by_hand) > t.bolivianos_minor then
      raise exception 'transfer % was paid out more often than it may be', t.id;
    end if;
    if t.state = 'refunded' and t.amount_minor > done.returned then
      raise exception 'transfer % is refunded but not all of it was returned', t.id;
    end if;
    if t.state = 'refunding' and t.amount_minor <= done.returned then
      raise exception 'transfer % is refunding but all of it was returned', t.id;
    end if;
    settled := done.rest + t.rest_kept_minor;
    share := case when settled = 0 then 0 else ceil(settled * t.net_minor / t.bolivianos_minor) end;
    select
      coalesce(sum(d.amount_minor) filter (where d.booking in ('withdrawn', 'lost')), 0) as withdrawn,
      coalesce(sum(d.amount_minor) filter (where d.booking = 'lost'), 0) as lost
    into taken from dispute as d where d.transfer_id = t.id;
    excess := greatest(done.returned - t.amount_minor, 0);
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
          ('exchange', t.currency, case when unwound then 0 else t.net_minor - share end),
          ('exchange', 'BOB', case when unwound then 0 else settled - t.bolivianos_minor end),
          ('payout_due', 'BOB', case when unwound then 0 else greatest(t.bolivianos_minor - settled - done.paid, 0) end),
          ('bank', 'BOB', done.paid),
          ('bank', t.currency, done.by_hand),
          ('refund_due', t.currency, case when unwound then t.amount_minor - done.returned + excess else 0 end),
          ('loss', t.currency, case when unwound then -excess else share - done.returned end - taken.lost),
          ('loss', 'BOB', -greatest(done.paid + case when unwound then 0 else settled end - t.bolivianos_minor, 0))
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
create constraint trigger transfer_rest_books after update of rest_kept_minor on transfer
  deferrable initially deferred for each row when (old.rest_kept_minor <> new.rest_kept_minor) execute function check_transfer_books();
`;

const margins = `
-- As before; what is settled of the rest is exchanged no more, and has no margin.
create or replace function check_settlement_posting() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  prefix text := split_part(new.entry, ':', 1);
  wrong boolean;
begin
  if prefix = 'fee' then
    wrong := not exists (
      select from stripe_entry as e where e.id = split_part(new.entry, ':', 2) and e.currency = new.currency
        and e.transfer_id is not distinct from new.transfer_id
        and (new.source, new.destination) in (('processor_fees', 'card_processor'), ('card_processor', 'processor_fees'))
        and case when new.source = 'processor_fees' then new.amount_minor else -new.amount_minor end
          = case when e.kind = 'stripe_fee' then e.fee_minor - e.amount_minor else e.fee_minor end);
  elsif prefix = 'stripe_payout' then
    wrong := not exists (
      select from stripe_entry as e where e.id = split_part(new.entry, ':', 2) and e.kind = 'stripe_payout' and e.currency = new.currency
        and case when new.source = 'bank' and new.destination = 'card_processor' then -new.amount_minor
          when new.source = 'card_processor' and new.destination = 'bank' then new.amount_minor end = e.amount_minor);
  elsif prefix = 'margin' then
    wrong := not exists (
      select from transfer as t where t.id = new.transfer_id and t.currency = new.currency and new.entry like 'margin:' || t.id || ':%'
        and t.reference_rate is not null
        and (select coalesce(sum(case when destination = 'exchange_margin' then amount_minor else -amount_minor end), 0)
             from settlement_posting where transfer_id = t.id and 'exchange_margin' in (source, destination))
          in (0, div((t.net_minor - ceil((t.rest_refunded_minor + t.rest_kept_minor)::numeric * t.net_minor / t.bolivianos_minor))
            * (t.reference_rate - t.rate), t.reference_rate::numeric))
        and (new.source, new.destination) in (('exchange', 'exchange_margin'), ('exchange_margin', 'exchange')));
  elsif prefix = 'write_off' then
    wrong := not exists (
      select from book_exception as e join book_request as r on r.exception_id = e.id and r.outcome = 'approved'
      where e.id::text = split_part(new.entry, ':', 2) and e.currency = new.currency and abs(e.difference_minor) = new.amount_minor
        and e.transfer_id is not distinct from new.transfer_id
        and ((e.difference_minor < 0 and new.source = 'loss') or (e.difference_minor > 0 and new.destination = 'gain')));
  else
    wrong := not exists (
      select from settlement_posting as w where w.entry = 'write_off:' || split_part(new.entry, ':', 2)
        and (w.source, w.destination, w.amount_minor, w.currency) = (new.destination, new.source, new.amount_minor, new.currency));
  end if;
  if wrong then raise exception 'the posting % does not say what its reason says', new.entry; end if;
  return null;
end $$;
`;

const returns = `
-- A return that cannot be booked: what of it can be read, and why it is not booked.
alter table bank_return add column problem text null;
alter table bank_return alter column external_id drop not null, alter column amount_minor drop not null, alter column code drop not null,
  alter column message drop not null, alter column returned_at drop not null;
alter table bank_return add constraint bank_return_read_check check (problem is not null
  or num_nulls(external_id, amount_minor, code, message, returned_at) = 0);
create index bank_return_unbooked on bank_return (taken_at) where operation_id is null;
`;
