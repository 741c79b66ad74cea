import { Migration } from '@mikro-orm/migrations';

/**
 * Settlements by hand are reserved before they are reported, and refuted with evidence; requests end with the rights of their author; cases
 * about another recipient; and books in which the family was paid by hand although the money went back.
 */
export class Settlements extends Migration {
  override up(): void {
    for (const part of [requests, cases, ended, books, excess]) this.addSql(part);
  }
}

const requests = `
alter table desk_request add column about_id uuid null references desk_request (id);
alter table desk_request drop constraint desk_request_action_check;
alter table desk_request add constraint desk_request_action_check check (action in ('retry', 'give_up_and_refund',
  'refund_at_loss', 'pay_by_hand', 'refund_by_hand', 'release_hold', 'resolve', 'approve', 'refute'));
alter table desk_request drop constraint desk_request_outcome_check;
alter table desk_request add constraint desk_request_outcome_check check (outcome in ('done', 'approved', 'declined', 'obsolete',
  'dropped', 'refuted'));
alter table desk_request add constraint desk_request_about_check check ((action = 'refute') = (about_id is not null)
  and (action <> 'refute' or proof_id is not null));
-- Money that left by hand is booked with the bank's number and a proof, and a reservation ends in no other way than the ones below.
alter table desk_request add constraint desk_request_settlement_check check (
  outcome is null or action not in ('pay_by_hand', 'refund_by_hand') or outcome in ('dropped', 'refuted', 'declined', 'obsolete')
  or (proof_id is not null and bank_reference is not null));
alter table desk_request add constraint desk_request_settlement_outcome_check check (
  action in ('pay_by_hand', 'refund_by_hand') or outcome is null or outcome not in ('dropped', 'refuted'));
drop index desk_request_one_waiting;
-- One waits for a transfer at most, and one refutes it.
create unique index desk_request_one_waiting on desk_request (transfer_id) where outcome is null and action <> 'refute';
create unique index desk_request_one_refutation on desk_request (about_id) where outcome is null and action = 'refute';
create index desk_request_waiting_of_author on desk_request (requested_by_id) where outcome is null;
create index complaint_waiting_of_author on complaint (found_by_id) where state = 'awaiting_approval';
create index complaint_waiting_of_transfer on complaint (transfer_id) where state = 'awaiting_approval';
`;

const cases = `
alter table desk_case drop constraint desk_case_reason_check;
alter table desk_case add constraint desk_case_reason_check check (reason in ('operation_slow', 'operation_abandoned',
  'operation_refused', 'names_not_cleared', 'payout_not_allowed', 'payout_unexplained', 'payout_rejected', 'payout_returned',
  'payout_returned_in_part', 'refund_failed', 'refund_outside', 'captured_in_part', 'sender_blocked', 'recipient_changed',
  'settlement_by_hand', 'fraud_warning', 'dispute_inquiry', 'dispute_opened', 'dispute_lost', 'correction_failed', 'books_differ',
  'contradiction'));
alter table desk_case drop constraint desk_case_outcome_check;
alter table desk_case add constraint desk_case_outcome_check check (outcome in ('account_corrected', 'bank_could_not_pay', 'paid',
  'refunding', 'refunded', 'uncharged', 'dispute_lost', 'dispute_won', 'dispute_dropped', 'warning_past', 'sender_unblocked',
  'books_settled',  'complaint_decided', 'recipient_approved', 'settlement_dropped', 'settlement_refuted'));
-- What was reported before and waits has its own case from now on, which nothing but its end closes.
insert into desk_case (id, transfer_id, operation_id, reason, details, opened_at, version)
  select gen_random_uuid(), transfer_id, null, 'settlement_by_hand', null, requested_at, 1 from desk_request
  where outcome is null and action in ('pay_by_hand', 'refund_by_hand');
update desk_request as r set case_id = c.id from desk_case as c
  where r.outcome is null and r.action in ('pay_by_hand', 'refund_by_hand') and c.transfer_id = r.transfer_id
    and c.reason = 'settlement_by_hand' and c.resolved_at is null;
`;

const ended = `
-- Requests that outlived their transfer or the rights of their author. What was reported as paid stays.
update desk_request as r set outcome = 'obsolete', decided_at = now()
  where r.outcome is null and r.action not in ('pay_by_hand', 'refund_by_hand') and (
    not exists (select from app_user as u where u.id = r.requested_by_id and u.role = 'admin' and u.admin_role in ('reviewer', 'owner')
      and u.blocked_at is null and u.closed_at is null)
    or (r.action = 'approve' and not exists (select from transfer as t where t.id = r.transfer_id and t.state = 'in_review')));
update book_request as r set outcome = 'obsolete', decided_at = now()
  where r.outcome is null and not exists (select from app_user as u where u.id = r.requested_by_id and u.role = 'admin'
    and u.admin_role in ('treasurer', 'owner') and u.blocked_at is null and u.closed_at is null);
`;

const books = `
alter table ledger_posting drop constraint ledger_posting_entry_check;
alter table ledger_posting add constraint ledger_posting_entry_check check (
  entry ~ '^(charge|(unwind|rewind|payout|refund|refund_reversal)(:[1-9][0-9]*)?|refund_excess|payout_return(:[1-9][0-9]*)?(\\.[1-9][0-9]*)?|dispute_(withdrawn|reinstated|lost):[1-9][0-9]*)$');

-- As before; a family may also be paid once by hand although the bank paid it, and what was returned beyond the charge is our loss.
create or replace function check_transfer_books() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  t transfer%rowtype;
  done record;
  taken record;
  charged boolean;
  unwound boolean;
  excess numeric;
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
          ('exchange', t.currency, case when unwound then 0 else t.net_minor end),
          ('exchange', 'BOB', case when unwound then 0 else -t.bolivianos_minor end),
          ('payout_due', 'BOB', case when unwound then 0 else greatest(t.bolivianos_minor - done.paid, 0) end),
          ('bank', 'BOB', done.paid),
          ('bank', t.currency, done.by_hand),
          ('refund_due', t.currency, case when unwound then t.amount_minor - done.returned + excess else 0 end),
          ('loss', t.currency, case when unwound then -excess else -done.returned end - taken.lost),
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

const excess = `
-- What was returned beyond the charge before stood in refund_due.
insert into ledger_posting (transfer_id, entry, line, source, destination, amount_minor, currency, at)
  select t.id, 'refund_excess', 1, 'loss', 'refund_due', r.returned - t.amount_minor, t.currency, now()
  from transfer as t cross join lateral (
    select coalesce(sum(o.amount_minor), 0) as returned from operation as o
    where o.transfer_id = t.id and o.kind = 'refund' and o.status = 'succeeded'
  ) as r
  where t.state in ('refunding', 'refunded') and r.returned > t.amount_minor;
`;
