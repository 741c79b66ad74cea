import { Migration } from '@mikro-orm/migrations';

// Foreign keys are checked at commit: rows are written by id, in whatever order the unit of work chooses.

const people = `
create table app_user (
  id uuid primary key,
  email text not null,
  name text not null,
  phone text null,
  city text null,
  occupation text null,
  birth_date date null,
  role text not null,
  password_hash text not null,
  terms_accepted_at timestamptz null,
  last_active_at timestamptz null,
  created_at timestamptz not null,
  constraint app_user_email_unique unique (email),
  constraint app_user_role_check check (role in ('user', 'admin'))
);
create index app_user_created_at_id on app_user (created_at, id);

create table session (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade deferrable initially deferred,
  token_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz null,
  constraint session_token_hash_unique unique (token_hash)
);
create index session_user_id_index on session (user_id);
create index session_expires_at_index on session (expires_at);

create table recipient (
  id uuid primary key,
  user_id uuid not null references app_user (id) deferrable initially deferred,
  name text not null,
  email text not null,
  phone text not null,
  ci text not null,
  bank_name text not null,
  bank_account text not null,
  address text not null,
  city text not null,
  relationship text not null,
  created_at timestamptz not null,
  removed_at timestamptz null
);
create index recipient_user_id_created_at_id on recipient (user_id, created_at, id);
`;

const rates = `
create table rate (
  id bigserial primary key,
  currency text not null,
  rate bigint not null check (rate > 0),
  set_by_id uuid not null references app_user (id) deferrable initially deferred,
  created_at timestamptz not null,
  constraint rate_currency_check check (currency in ('USD', 'EUR'))
);
create index rate_currency_id on rate (currency, id);
`;

const transfers = `
create table transfer (
  id uuid primary key,
  user_id uuid not null references app_user (id) deferrable initially deferred,
  state text not null,
  version int not null,
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0),
  net_minor bigint not null check (net_minor >= 0),
  rate bigint not null check (rate > 0),
  bolivianos_minor bigint not null check (bolivianos_minor >= 0),
  usd_minor bigint not null,
  markup_basis_points bigint null,
  recipient_id uuid null references recipient (id) deferrable initially deferred,
  payout_target jsonb null,
  quote_expires_at timestamptz not null,
  estimated_delivery timestamptz not null,
  payment_intent_id text null,
  card_brand text null,
  card_last4 text null,
  paid_at timestamptz null,
  capture_before timestamptz null,
  hold_released_at timestamptz null,
  decided_at timestamptz null,
  decided_by_id uuid null references app_user (id) deferrable initially deferred,
  reason text null,
  payout_reference text null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint transfer_payment_intent_id_unique unique (payment_intent_id),
  constraint transfer_state_check check (state in ('awaiting_payment', 'in_review', 'approved', 'captured', 'completed',
    'rejected', 'cancelled', 'failed', 'expired', 'refunding', 'refunded')),
  constraint transfer_currency_check check (currency in ('USD', 'EUR')),
  constraint transfer_amount_adds_up check (fee_minor + net_minor = amount_minor),
  constraint transfer_never_above_exact check (bolivianos_minor * 1000000 <= net_minor * rate)
);
create index transfer_created_at_id on transfer (created_at, id);
create index transfer_user_id_created_at_id on transfer (user_id, created_at, id);
create index transfer_state_changed_at on transfer (state, changed_at);
-- What the sweep looks for: ended without a charge, and Stripe may still hold something.
create index transfer_hold_to_release on transfer (changed_at) where hold_released_at is null
  and payment_intent_id is not null and state in ('rejected', 'cancelled', 'failed', 'expired');

create table transfer_step (
  transfer_id uuid not null references transfer (id) deferrable initially deferred,
  version int not null,
  state text not null,
  move text null,
  owner text not null,
  actor_id uuid null,
  at timestamptz not null,
  primary key (transfer_id, version),
  constraint transfer_step_state_check check (state in ('awaiting_payment', 'in_review', 'approved', 'captured',
    'completed', 'rejected', 'cancelled', 'failed', 'expired', 'refunding', 'refunded'))
);

create table idempotency_key (
  user_id uuid not null references app_user (id) deferrable initially deferred,
  key text not null,
  input_hash text not null,
  transfer_id uuid not null references transfer (id) deferrable initially deferred,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_key_created_at_index on idempotency_key (created_at);
`;

const ledger = `
create table ledger_posting (
  transfer_id uuid not null references transfer (id) deferrable initially deferred,
  entry text not null check (entry in ('charge', 'payout', 'refund')),
  line int not null,
  source text not null,
  destination text not null check (destination <> source),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('USD', 'EUR', 'BOB')),
  at timestamptz not null,
  primary key (transfer_id, entry, line)
);

-- Books are never rewritten: a mistake is corrected by another entry.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger ledger_posting_append_only before update or delete on ledger_posting
  for each row execute function refuse_change();
create trigger ledger_posting_kept_whole before truncate on ledger_posting execute function refuse_change();
create trigger transfer_step_append_only before update or delete on transfer_step
  for each row execute function refuse_change();
create trigger transfer_step_kept_whole before truncate on transfer_step execute function refuse_change();
create trigger rate_append_only before update or delete on rate
  for each row execute function refuse_change();
create trigger rate_kept_whole before truncate on rate execute function refuse_change();

-- What each account has received (negative: given) for a transfer; accounts that are even are not listed.
create view ledger_balance as
  select transfer_id, account, currency, sum(amount_minor) as amount_minor
  from (
    select transfer_id, source as account, currency, -amount_minor as amount_minor from ledger_posting
    union all
    select transfer_id, destination, currency, amount_minor from ledger_posting
  ) as sides
  group by transfer_id, account, currency
  having sum(amount_minor) <> 0;

-- What the accounts must say of a transfer in its state: nothing unless it is charged. Money the card processor owes us has
-- left it, money the bank paid has reached it.
create function balance_due(t transfer) returns table (account text, currency text, amount_minor numeric)
language sql immutable as $$
  select account, currency, amount_minor
  from (
    values
      ('card_processor', t.currency, -t.amount_minor::numeric),
      ('fee_income', t.currency, t.fee_minor),
      ('exchange', t.currency, t.net_minor),
      ('exchange', 'BOB', -t.bolivianos_minor),
      (case t.state when 'completed' then 'bank' else 'payout_due' end, 'BOB', t.bolivianos_minor)
  ) as due (account, currency, amount_minor)
  where t.state in ('captured', 'refunding', 'completed') and amount_minor <> 0
$$;

-- At commit the books must say what the state says. Nothing reaches completed uncharged or unpaid, and no amount changes
-- once it is booked.
create function check_transfer_books() returns trigger language plpgsql as $$
declare
  t transfer%rowtype;
  books text;
begin
  if tg_table_name = 'transfer' then
    select * into t from transfer where id = new.id;
  else
    select * into t from transfer where id = new.transfer_id;
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
`;

const events = `
create table outbox (
  id bigserial primary key,
  kind text not null,
  name text not null,
  data jsonb not null,
  job_key text null,
  run_at timestamptz null,
  created_at timestamptz not null,
  constraint outbox_kind_check check (kind in ('job', 'push'))
);

-- Where the Socket.IO adapter puts messages too long for NOTIFY.
create table socket_io_attachments (
  id bigserial primary key,
  created_at timestamptz not null default now(),
  payload bytea not null
);
create index socket_io_attachments_created_at on socket_io_attachments (created_at);

create table stripe_event (
  id text primary key,
  type text not null,
  payment_intent_id text null,
  received_at timestamptz not null,
  handled_at timestamptz null
);
create index stripe_event_handled_at_received_at on stripe_event (handled_at, received_at);
`;

/** People, rates, transfers with their history, the ledger that checks itself, outbox and Stripe events. */
export class Foundation extends Migration {
  override up(): void {
    for (const part of [people, rates, transfers, ledger, events]) this.addSql(part);
  }
}
