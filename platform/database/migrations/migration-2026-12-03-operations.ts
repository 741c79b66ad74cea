import { Migration } from '@mikro-orm/migrations';

/**
 * Every effect on the outside world as a row, cases for people, an end for webhook events, and a check of the ledger that
 * compares the books with the operations.
 */
export class Operations extends Migration {
  override up(): void {
    for (const part of [tables, states, oldTransfers, books, events]) this.addSql(part);
  }
}

const tables = `
create table operation (
  id uuid primary key,
  transfer_id uuid not null references transfer (id) deferrable initially deferred,
  kind text not null,
  sequence int not null,
  idempotency_key text not null,
  provider text not null,
  status text not null,
  attempts int not null,
  next_attempt_at timestamptz null,
  last_error text null,
  provider_reference text null,
  amount_minor bigint not null,
  currency text not null,
  returned_minor bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint operation_idempotency_key_unique unique (idempotency_key),
  constraint operation_kind_check check (kind in ('authorization', 'capture', 'void', 'refund', 'payout', 'dispute_response')),
  constraint operation_status_check check (status in ('pending', 'in_flight', 'unknown', 'succeeded', 'failed', 'abandoned')),
  constraint operation_ended_is_not_due check (status in ('pending', 'in_flight', 'unknown') or next_attempt_at is null),
  constraint operation_amounts_check check (amount_minor >= 0 and returned_minor between 0 and amount_minor)
);
create unique index operation_transfer_id_kind_sequence on operation (transfer_id, kind, sequence);
-- Two captures, voids or payouts under way at once for one transfer cannot be.
create unique index operation_one_open on operation (transfer_id, kind)
  where status in ('pending', 'in_flight', 'unknown') and kind <> 'refund';
create index operation_next_attempt_at on operation (next_attempt_at) where next_attempt_at is not null;

create table provider_circuit (
  provider text primary key,
  failures int not null,
  open_until timestamptz null
);

create table desk_case (
  id uuid primary key,
  transfer_id uuid not null references transfer (id),
  operation_id uuid null references operation (id),
  reason text not null,
  details text null,
  opened_at timestamptz not null,
  assigned_to_id uuid null references app_user (id),
  resolved_at timestamptz null,
  resolved_by_id uuid null references app_user (id),
  resolution text null,
  version int not null,
  constraint desk_case_reason_check check (reason in ('operation_slow', 'operation_abandoned', 'operation_refused',
    'payout_rejected', 'payout_returned', 'payout_returned_in_part', 'refund_failed', 'refund_outside', 'contradiction'))
);
create unique index desk_case_one_open on desk_case (transfer_id, reason) where resolved_at is null;
create index desk_case_opened_at_id on desk_case (opened_at, id) where resolved_at is null;
create index desk_case_transfer_id on desk_case (transfer_id);
`;

const states = `
alter table transfer drop constraint transfer_state_check;
alter table transfer add constraint transfer_state_check check (state in ('awaiting_payment', 'in_review', 'approved',
  'captured', 'payout_failed', 'completed', 'rejected', 'cancelled', 'failed', 'expired', 'refunding', 'refunded'));
alter table transfer_step drop constraint transfer_step_state_check;
alter table transfer_step add constraint transfer_step_state_check check (state in ('awaiting_payment', 'in_review', 'approved',
  'captured', 'payout_failed', 'completed', 'rejected', 'cancelled', 'failed', 'expired', 'refunding', 'refunded'));

-- As transfer-totals created it, with the new state among those that count as paid.
create or replace function transfer_share(t transfer)
returns table (day date, user_id uuid, paid_at timestamptz, paid int, paid_usd_minor bigint, day_usd_minor bigint,
  completed int, rejected int)
language sql stable set search_path = public, pg_temp as $$
  select (coalesce(t.paid_at, t.created_at) at time zone 'America/La_Paz')::date, t.user_id, t.paid_at,
    paid::int, paid::int * t.usd_minor, (paid and t.paid_at is not null)::int * t.usd_minor,
    (t.state = 'completed')::int, (t.state = 'rejected')::int
  from (select t.state in ('in_review', 'approved', 'captured', 'payout_failed', 'completed') as paid) as state
  where t.id is not null
$$;
`;

const oldTransfers = `
-- What earlier versions did, or were about to do, as operations. Keys are those under which they did it.
insert into operation (id, transfer_id, kind, sequence, idempotency_key, provider, status, attempts, next_attempt_at,
  provider_reference, amount_minor, currency, returned_minor, created_at, changed_at)
select gen_random_uuid(), t.id, o.kind, 1, o.key, o.provider, o.status, 0,
  case when o.status = 'pending' and o.kind <> 'authorization' then t.changed_at end,
  o.reference, o.amount_minor, o.currency, 0, t.created_at, t.changed_at
from transfer as t
cross join lateral (values
  ('authorization', 'pi:' || t.id || ':1', 'stripe', t.payment_intent_id, t.amount_minor, t.currency,
    case when t.paid_at is not null then 'succeeded' when t.state = 'awaiting_payment' then 'pending' else 'failed' end),
  ('capture', 'capture:' || t.id || ':1', 'stripe', t.payment_intent_id, t.amount_minor, t.currency,
    case when t.state in ('captured', 'completed', 'refunding', 'refunded') then 'succeeded' when t.state = 'approved' then 'pending' end),
  ('void', 'void:' || t.id || ':1', 'stripe', t.payment_intent_id, t.amount_minor, t.currency,
    case when t.payment_intent_id is null then null
      when t.authorization_voided_at is not null then 'succeeded'
      when t.state in ('rejected', 'cancelled', 'failed', 'expired') then 'pending'
      when t.state = 'approved' and t.cancel_requested_at is not null then 'pending' end),
  ('payout', 'payout:' || t.id, 'bank', t.payout_reference, t.bolivianos_minor, 'BOB',
    case when t.state = 'completed' then 'succeeded' when t.state = 'captured' and t.cancel_requested_at is null then 'pending' end),
  ('refund', 'refund:' || t.id || ':1', 'stripe', null, t.amount_minor, t.currency,
    case t.state when 'refunded' then 'succeeded' when 'refunding' then 'pending' end)
) as o (kind, key, provider, reference, amount_minor, currency, status)
where o.status is not null;

-- Money on its way back is owed to the sender: exchange and fee are undone.
alter table ledger_posting drop constraint ledger_posting_entry_check;
alter table ledger_posting add constraint ledger_posting_entry_check check (
  entry ~ '^(charge|unwind|(payout|payout_return|refund|refund_reversal)(:[1-9][0-9]*)?)$');
insert into ledger_posting (transfer_id, entry, line, source, destination, amount_minor, currency, at)
select t.id, 'unwind', row_number() over (partition by t.id order by l.line), l.source, l.destination, l.amount_minor, l.currency,
  t.changed_at
from transfer as t
cross join lateral (values
  (1, 'payout_due', 'exchange', t.bolivianos_minor, 'BOB'),
  (2, 'exchange', 'sender_funds', t.net_minor, t.currency),
  (3, 'fee_income', 'sender_funds', t.fee_minor, t.currency),
  (4, 'sender_funds', 'refund_due', t.amount_minor, t.currency)
) as l (line, source, destination, amount_minor, currency)
where t.state = 'refunding' and l.amount_minor > 0;

-- A captured transfer whose sender had cancelled before its job came.
insert into desk_case (id, transfer_id, reason, details, opened_at, version)
select gen_random_uuid(), id, 'contradiction', 'cancelled while it was being charged', changed_at, 1
from transfer where state = 'captured' and cancel_requested_at is not null;
`;

const books = `
-- What the accounts must say of a transfer by its state and its operations: nothing unless it is charged. Money the card
-- processor owes us has left it, money the bank paid has reached it, and what is owed to a sender stands in refund_due.
drop trigger transfer_books on transfer;
drop trigger ledger_posting_books on ledger_posting;
drop function check_transfer_books();
drop function balance_due(transfer);

create function balance_due(t transfer) returns table (account text, currency text, amount_minor numeric)
language sql stable set search_path = public, pg_temp as $$
  with done as (
    select
      coalesce(sum(o.amount_minor) filter (where o.kind = 'refund' and o.provider <> 'manual'), 0) as to_card,
      coalesce(sum(o.amount_minor) filter (where o.kind = 'refund' and o.provider = 'manual'), 0) as by_hand,
      coalesce(sum(o.amount_minor - o.returned_minor) filter (where o.kind = 'payout'), 0) as paid
    from operation as o
    where o.transfer_id = t.id and o.status = 'succeeded'
  ),
  stands as (select t.state in ('refunding', 'refunded') as unwound),
  due as (
    select d.* from done, stands cross join lateral (values
      ('card_processor', t.currency, to_card - t.amount_minor),
      ('fee_income', t.currency, case when unwound then 0 else t.fee_minor end),
      ('exchange', t.currency, case when unwound then 0 else t.net_minor end),
      ('exchange', 'BOB', case when unwound then 0 else -t.bolivianos_minor end),
      ('payout_due', 'BOB', case when unwound then 0 else t.bolivianos_minor end - paid),
      ('bank', 'BOB', paid),
      ('bank', t.currency, by_hand),
      ('refund_due', t.currency, case when unwound then t.amount_minor - to_card - by_hand else 0 end),
      ('loss', t.currency, case when unwound then 0 else -to_card - by_hand end)
    ) as d (account, currency, amount_minor)
  )
  select * from due
  where t.state in ('captured', 'payout_failed', 'completed', 'refunding', 'refunded') and amount_minor <> 0
$$;

-- At commit the books must say what state and operations say. Nothing reaches completed uncharged or unpaid, nothing is refunded
-- before all of it has been returned, and no amount changes once it is booked.
create function check_transfer_books() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  t transfer%rowtype;
  books text;
begin
  if tg_table_name = 'transfer' then
    select * into t from transfer where id = new.id;
  else
    select * into t from transfer where id = new.transfer_id;
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
create constraint trigger transfer_books after insert or update of
  state, currency, amount_minor, fee_minor, net_minor, bolivianos_minor on transfer
  deferrable initially deferred for each row execute function check_transfer_books();
create constraint trigger ledger_posting_books after insert on ledger_posting
  deferrable initially deferred for each row execute function check_transfer_books();
create constraint trigger operation_books after insert or update of
  status, amount_minor, returned_minor, provider on operation
  deferrable initially deferred for each row execute function check_transfer_books();
`;

const events = `
alter table stripe_event add column attempts int not null default 0;
alter table stripe_event alter column attempts drop default;
alter table stripe_event add column next_attempt_at timestamptz null;
update stripe_event set next_attempt_at = received_at;
alter table stripe_event alter column next_attempt_at set not null;
alter table stripe_event add column last_error text null;
alter table stripe_event add column outcome text null;
update stripe_event set outcome = 'handled' where handled_at is not null;
alter table stripe_event add constraint stripe_event_outcome_check check (outcome in ('handled', 'ignored', 'abandoned'));
drop index stripe_event_handled_at_received_at;
create index stripe_event_handled_at_next_attempt_at on stripe_event (handled_at, next_attempt_at);
`;
