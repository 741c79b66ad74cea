import { Migration } from '@mikro-orm/migrations';

/** What Stripe and the bank say, what our books add because of it, where they differ, and the closing of days. */
export class Reconciliation extends Migration {
  override up(): void {
    for (const part of [sources, books, exceptions, days, guards, cases]) this.addSql(part);
  }
}

const sources = `
create table stripe_entry (
  id text primary key,
  kind text not null,
  type text not null,
  reporting_category text not null,
  -- Stripe's number of what moved, and of the payment it belongs to.
  source_id text null,
  payment_intent_id text null,
  transfer_id uuid null references transfer (id),
  amount_minor bigint not null,
  fee_minor bigint not null,
  currency text not null,
  description text null,
  created_at timestamptz not null,
  available_on timestamptz not null,
  happened_on date not null,
  day date not null,
  imported_at timestamptz not null,
  constraint stripe_entry_kind_check check (kind in ('charge', 'refund', 'refund_return', 'dispute', 'dispute_return',
    'stripe_fee', 'stripe_payout', 'other'))
);
create index stripe_entry_day on stripe_entry (day);
create index stripe_entry_transfer_id on stripe_entry (transfer_id) where transfer_id is not null;

create table import_progress (
  source text primary key,
  -- Everything the source did before this moment is imported.
  until timestamptz not null,
  changed_at timestamptz not null
);

create table bank_statement (
  id uuid primary key,
  account text not null,
  number text not null,
  day date not null,
  currency text not null,
  opening_minor bigint not null,
  closing_minor bigint not null,
  format text not null,
  -- Of the file, in hexadecimal.
  sha256 text not null,
  -- Null: the bank gave it to us by itself.
  imported_by_id uuid null references app_user (id),
  imported_at timestamptz not null,
  constraint bank_statement_sha256_unique unique (sha256),
  constraint bank_statement_format_check check (format in ('camt053', 'csv'))
);
create index bank_statement_day on bank_statement (day);

create table bank_entry (
  id uuid primary key,
  statement_id uuid not null references bank_statement (id),
  account text not null,
  statement_number text not null,
  line_reference text not null,
  kind text not null,
  transfer_id uuid null references transfer (id),
  -- What we called the payment, and the bank's number of it.
  external_id text null,
  bank_reference text null,
  amount_minor bigint not null,
  currency text not null,
  description text null,
  happened_on date not null,
  day date not null,
  imported_at timestamptz not null,
  constraint bank_entry_kind_check check (kind in ('payout', 'payout_return', 'bank_fee', 'other')),
  constraint bank_entry_amount_check check (amount_minor <> 0),
  constraint bank_entry_line_unique unique (account, statement_number, line_reference)
);
create index bank_entry_day on bank_entry (day);
create index bank_entry_transfer_id on bank_entry (transfer_id) where transfer_id is not null;

-- Movements of a range of days: rows are written in the order of their time, so a few bytes per block are enough.
create index ledger_posting_at on ledger_posting using brin (at) with (pages_per_range = 16, autosummarize = on);
create index operation_by_hand on operation (provider_reference) where provider = 'manual';
`;

const books = `
-- Postings that follow from what a source says, and not from where a transfer is: fees, margins, payouts of Stripe, and what was
-- written off. A movement from one account to another like those of the ledger, so they sum to zero; apart from them, so that the check
-- of the books at every commit stays what it is.
create table settlement_posting (
  entry text primary key,
  transfer_id uuid null references transfer (id),
  source text not null,
  destination text not null,
  amount_minor bigint not null,
  currency text not null,
  day date not null,
  at timestamptz not null,
  constraint settlement_posting_accounts_check check (source <> destination),
  constraint settlement_posting_amount_check check (amount_minor > 0),
  constraint settlement_posting_entry_check check (entry ~ '^(fee|stripe_payout):txn_|^margin:[0-9a-f-]{36}:[1-9][0-9]*$|^write_off(_undone)?:[0-9a-f-]{36}$')
);
create index settlement_posting_day on settlement_posting (day);
create index settlement_posting_transfer_id on settlement_posting (transfer_id) where transfer_id is not null;

-- The whole ledger: what transfers are, and what follows from the sources.
create view ledger_line as
  select p.transfer_id, p.entry, p.line, p.source, p.destination, p.amount_minor, p.currency, p.at,
    (p.at at time zone 'America/La_Paz')::date as day
  from ledger_posting as p
  union all
  select s.transfer_id, s.entry, 1, s.source, s.destination, s.amount_minor, s.currency, s.at, s.day from settlement_posting as s;
`;

const exceptions = `
create table book_exception (
  id uuid primary key,
  -- Cause, subject and amounts: the same difference has one row however often it is found.
  key text not null,
  cause text not null,
  side text not null,
  transfer_id uuid null references transfer (id),
  reference text null,
  expected_minor bigint null,
  actual_minor bigint null,
  difference_minor bigint not null,
  currency text not null,
  day date not null,
  found_at timestamptz not null,
  status text not null,
  note text null,
  decided_by_id uuid null references app_user (id),
  decided_at timestamptz null,
  asked_at timestamptz null,
  version int not null,
  constraint book_exception_key_unique unique (key),
  constraint book_exception_status_check check (status in ('open', 'explained', 'accepted', 'settled')),
  constraint book_exception_decided_check check ((status in ('explained', 'accepted')) <= (decided_by_id is not null))
);
create index book_exception_found_at_id on book_exception (found_at, id);
create index book_exception_status on book_exception (status, day);
create index book_exception_transfer_id on book_exception (transfer_id) where transfer_id is not null;

-- What waits for a second person, or how it was decided: writing a difference off, or closing a day.
create table book_request (
  id uuid primary key,
  action text not null,
  exception_id uuid null references book_exception (id),
  day date null,
  -- The sender of the transfer that an exception is about, who may neither ask nor decide.
  sender_id uuid null references app_user (id),
  reason text not null,
  requested_by_id uuid not null references app_user (id),
  requested_at timestamptz not null,
  decided_by_id uuid null references app_user (id),
  decided_at timestamptz null,
  outcome text null,
  constraint book_request_action_check check (
    (action = 'accept' and exception_id is not null and day is null) or (action = 'close_day' and exception_id is null and day is not null)),
  constraint book_request_outcome_check check (outcome in ('approved', 'declined', 'obsolete')),
  constraint book_request_decided_check check ((outcome is null) = (decided_at is null)),
  constraint book_request_decider_check check ((decided_by_id is not null) = coalesce(outcome in ('approved', 'declined'), false)),
  constraint book_request_own_transfer_check check (sender_id is distinct from requested_by_id or sender_id is null),
  constraint book_request_own_decision_check check (sender_id is null or sender_id is distinct from decided_by_id),
  constraint book_request_two_persons_check check (requested_by_id is distinct from decided_by_id)
);
create unique index book_request_one_for_exception on book_request (exception_id) where outcome is null and exception_id is not null;
create unique index book_request_one_for_day on book_request (day) where outcome is null and day is not null;
create index book_request_exception_id on book_request (exception_id);

create function set_book_request_sender() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.sender_id := (select t.user_id from book_exception as e join transfer as t on t.id = e.transfer_id where e.id = new.exception_id);
  return new;
end $$;
create trigger book_request_sender before insert or update on book_request
  for each row execute function set_book_request_sender();
`;

const days = `
-- How a day compared when it was looked at last; of a closed day it is kept in day_closing.
create table book_day (
  day date primary key,
  totals jsonb not null,
  compared_at timestamptz not null
);

create table day_closing (
  day date primary key,
  totals jsonb not null,
  profit jsonb not null,
  proposed_by_id uuid not null references app_user (id),
  confirmed_by_id uuid not null references app_user (id),
  closed_at timestamptz not null,
  constraint day_closing_two_persons_check check (proposed_by_id <> confirmed_by_id)
);
`;

const guards = `
do $$
declare
  kept text;
begin
  foreach kept in array array['stripe_entry', 'bank_statement', 'bank_entry', 'settlement_posting', 'day_closing'] loop
    execute format('create trigger %1$s_append_only before update or delete on %1$s for each row execute function refuse_change()', kept);
    execute format('create trigger %1$s_kept_whole before truncate on %1$s execute function refuse_change()', kept);
  end loop;
end $$;

-- A closed day stays as it is. A writer of something of a day keeps days from being closed until the commit.
create function refuse_closed_day() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('day_closing'));
  if new.day <= (select max(day) from day_closing) then
    raise exception 'the day % is closed', new.day;
  end if;
  return new;
end $$;
create trigger stripe_entry_open_day before insert on stripe_entry for each row execute function refuse_closed_day();
create trigger bank_entry_open_day before insert on bank_entry for each row execute function refuse_closed_day();
create trigger settlement_posting_open_day before insert on settlement_posting for each row execute function refuse_closed_day();
create trigger book_exception_open_day before insert on book_exception for each row execute function refuse_closed_day();

-- Days are closed one after the other, by who was asked for and who agreed.
create function check_day_closing() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  last date;
begin
  perform pg_advisory_xact_lock(hashtext('day_closing'));
  last := (select max(day) from day_closing);
  if last is not null and new.day <> last + 1 then
    raise exception 'the day after % has to be closed before %', last, new.day;
  end if;
  if exists (select from book_exception where status = 'open' and day <= new.day) then
    raise exception 'exceptions of the day % are open', new.day;
  end if;
  if not exists (
    select from book_request where action = 'close_day' and day = new.day and outcome = 'approved'
      and requested_by_id = new.proposed_by_id and decided_by_id = new.confirmed_by_id
  ) then
    raise exception 'the closing of % was not asked for and agreed to by these two', new.day;
  end if;
  return new;
end $$;
create trigger day_closing_in_order before insert on day_closing for each row execute function check_day_closing();

-- A posting says what its reason says: a fee what Stripe took, a margin what rate and reference give, a write-off what two people accepted.
create function check_settlement_posting() returns trigger language plpgsql set search_path = public, pg_temp as $$
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
          in (0, div(t.net_minor::numeric * (t.reference_rate - t.rate), t.reference_rate::numeric))
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
create constraint trigger settlement_posting_reason after insert on settlement_posting
  deferrable initially deferred for each row execute function check_settlement_posting();
`;

const cases = `
alter table desk_case drop constraint desk_case_reason_check;
alter table desk_case add constraint desk_case_reason_check check (reason in ('operation_slow', 'operation_abandoned',
  'operation_refused', 'payout_rejected', 'payout_returned', 'payout_returned_in_part', 'refund_failed', 'refund_outside',
  'fraud_warning', 'dispute_inquiry', 'dispute_opened', 'dispute_lost', 'books_differ', 'contradiction'));
alter table desk_case drop constraint desk_case_outcome_check;
alter table desk_case add constraint desk_case_outcome_check check (outcome in ('account_corrected', 'bank_could_not_pay', 'paid',
  'refunding', 'refunded', 'uncharged', 'dispute_lost', 'dispute_won', 'dispute_dropped', 'warning_past', 'books_settled'));
`;
