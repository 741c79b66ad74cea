-- The schema of 2026-11-27, which migration-2026-11-27-baseline.ts creates in an empty database. Foreign keys are checked at commit where rows
-- are written in whatever order the unit of work chooses. Later migrations change the schema; catalogue.txt shows the result.

-- ===== Functions that tables need =====

create extension if not exists pg_trgm;

-- For append-only tables: records and books are corrected by further rows. grantRuntimeRole finds append-only tables by triggers
-- of this function.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

-- Ignores accents and case. U+0300 to U+036F are the combining accents that NFD splits off.
create function search_form(value text) returns text immutable parallel safe
  return lower(regexp_replace(normalize(value, NFD), '[\u0300-\u036f]', '', 'g'));

-- A number as written, and without the characters that people write between its digits.
create function search_number(value text) returns text immutable parallel safe
  return coalesce(value || ' ' || regexp_replace(value, '[^A-Za-z0-9]', '', 'g'), '');

-- An amount, marked where it begins: a search for 100 must not find 3100.
create function search_amount(minor bigint) returns text immutable parallel safe
  return '=' || (minor / 100)::text || '.' || lpad((minor % 100)::text, 2, '0');

-- The amounts of search_amount, each with and without its decimals.
create function search_amount_keys(amounts text) returns text[] immutable parallel safe
  return (
    select array_agg(key)
    from unnest(string_to_array(ltrim(amounts, '='), '=')) as amount
      cross join lateral (values (amount), (split_part(amount, '.', 1) || '.')) as keys (key)
  );

-- The windows of 1, 8, 64, 512 and 4096 hours since 1970 that a moment lies in: eight times the number of the window, plus the
-- index of its length. domain/transfers/search-windows.ts has the same lengths.
create function search_windows(at timestamptz) returns int[] immutable parallel safe
  return array[
    floor(extract(epoch from at) / 3600)::int * 8,
    floor(extract(epoch from at) / (8 * 3600))::int * 8 + 1,
    floor(extract(epoch from at) / (64 * 3600))::int * 8 + 2,
    floor(extract(epoch from at) / (512 * 3600))::int * 8 + 3,
    floor(extract(epoch from at) / (4096 * 3600))::int * 8 + 4
  ];

-- As core/transfers/reference.ts: the first 48 bits of the id as a number.
create function transfer_reference(id uuid) returns text immutable parallel safe
  return 'TR' || lpad(('x0000' || left(replace(id::text, '-', ''), 12))::bit(64)::bigint::text, 15, '0');

-- States that count towards limits and totals of what was paid.
create function is_paid_state(state text) returns boolean language sql immutable as $$
  select state in ('in_review', 'approved', 'captured', 'payout_failed', 'completed')
$$;

-- ===== Accounts =====

create table app_user (
  id uuid primary key,
  email text not null,
  name text not null,
  phone text,
  city text,
  occupation text,
  birth_date date,
  role text not null check (role in ('user', 'admin')),
  password_hash text not null,
  terms_accepted_at timestamptz,
  last_active_at timestamptz,
  created_at timestamptz not null,
  email_verified_at timestamptz,
  search_text text not null generated always as (search_form(((name || ' ') || email))) stored,
  locale text not null default 'es' check (locale in ('es', 'en')),
  muted_emails text[] not null default '{}'::text[],
  news_read_until timestamptz not null default now(),
  preferred_currency text check (preferred_currency in ('USD', 'EUR')),
  closed_at timestamptz,
  blocked_at timestamptz,
  admin_role text check (admin_role in ('support', 'reviewer', 'treasurer', 'owner')),
  phone_sealed text,
  phone_hash text,
  legal_hold_at timestamptz,
  erasure_due_at timestamptz,
  tier text not null default 'email' check (tier in ('email', 'identity', 'document')),
  admin_role_since timestamptz,
  constraint app_user_email_unique unique (email),
  constraint app_user_encrypted_check check (phone is null or phone_sealed is not null)
);
create index app_user_created_at_id on app_user (created_at, id);
create index app_user_closed_at on app_user (closed_at) where closed_at is not null;
create index app_user_admin_role on app_user (admin_role) where admin_role is not null;
create index app_user_phone_hash on app_user (phone_hash) where phone_hash is not null;
create index app_user_search_text on app_user using gin (search_text gin_trgm_ops);
create index app_user_legal_hold on app_user (id) where legal_hold_at is not null;
create index app_user_erasure_due on app_user (erasure_due_at) where erasure_due_at is not null;
create index app_user_sealed_with on app_user (coalesce("left"(phone_sealed, 9), '')) where phone is not null;

create table account_note (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  author_id uuid not null references app_user (id),
  text text not null,
  at timestamptz not null
);
create index account_note_user_id_at on account_note (user_id, at);
create trigger account_note_append_only before update or delete on account_note for each row execute function refuse_change();
create trigger account_note_kept_whole before truncate on account_note execute function refuse_change();

create table account_block (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  blocked boolean not null,
  reason text not null check (reason <> ''),
  by_id uuid not null references app_user (id),
  at timestamptz not null,
  constraint account_block_not_oneself_check check (by_id <> user_id)
);
create index account_block_user_id_at on account_block (user_id, at);
create trigger account_block_append_only before update or delete on account_block for each row execute function refuse_change();
create trigger account_block_kept_whole before truncate on account_block execute function refuse_change();

create table legal_hold (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  held boolean not null,
  reason text not null check (reason <> ''),
  by_id uuid not null references app_user (id),
  at timestamptz not null,
  constraint legal_hold_not_oneself_check check (by_id <> user_id)
);
create index legal_hold_user_id_at on legal_hold (user_id, at);
create trigger legal_hold_append_only before update or delete on legal_hold for each row execute function refuse_change();
create trigger legal_hold_kept_whole before truncate on legal_hold execute function refuse_change();

create table role_request (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  role text not null check (role in ('support', 'reviewer', 'treasurer', 'owner')),
  requested_by_id uuid not null references app_user (id),
  requested_at timestamptz not null,
  decided_by_id uuid references app_user (id),
  decided_at timestamptz,
  outcome text check (outcome in ('granted', 'declined', 'replaced')),
  constraint role_request_decided_check check (((outcome is null) = (decided_at is null)) and (outcome <> 'granted'
    or decided_by_id is not null)),
  constraint role_request_two_people_check check (user_id <> requested_by_id and ((outcome is distinct from 'granted')
    or (decided_by_id <> user_id and decided_by_id <> requested_by_id)))
);
create unique index role_request_open on role_request (user_id) where outcome is null;
create index role_request_requested_by_id on role_request (requested_by_id) where outcome is null;

-- ===== Sign-in and account recovery =====

create table session (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade deferrable initially deferred,
  token_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  browser text,
  system text,
  last_seen_at timestamptz not null default now(),
  factor_at timestamptz,
  replaced_hash text,
  replaced_until timestamptz,
  replaced_factor_at timestamptz,
  password_at timestamptz,
  constraint session_token_hash_unique unique (token_hash),
  constraint session_replaced_hash unique (replaced_hash)
);
create index session_expires_at_index on session (expires_at);
create index session_user_id_created_at_id on session (user_id, created_at, id);

create table known_device (
  secret_hash text not null,
  user_id uuid not null references app_user (id) on delete cascade deferrable initially deferred,
  last_sign_in_at timestamptz not null,
  first_sign_in_at timestamptz not null default now(),
  primary key (secret_hash, user_id)
);
create index known_device_user_id_index on known_device (user_id);
create index known_device_last_sign_in_at_index on known_device (last_sign_in_at);

create table pending_sign_in (
  token_hash text primary key,
  user_id uuid not null references app_user (id) deferrable initially deferred,
  remember boolean not null,
  expires_at timestamptz not null
);
create index pending_sign_in_user_id on pending_sign_in (user_id);
create index pending_sign_in_expires_at on pending_sign_in (expires_at);

create table second_factor (
  user_id uuid primary key references app_user (id) deferrable initially deferred,
  secret text not null,
  started_at timestamptz not null,
  confirmed_at timestamptz,
  last_step int not null default 0
);

create table recovery_code (
  user_id uuid not null references app_user (id) deferrable initially deferred,
  code_hash text not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table webauthn_credential (
  id uuid primary key,
  user_id uuid not null references app_user (id) deferrable initially deferred,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint webauthn_credential_credential_id unique (credential_id)
);
create index webauthn_credential_user_id on webauthn_credential (user_id);

create table webauthn_challenge (
  challenge_hash text primary key,
  creator_id uuid references app_user (id) deferrable initially deferred,
  expires_at timestamptz not null
);
create index webauthn_challenge_expires_at on webauthn_challenge (expires_at);

create table email_proof (
  token_hash text primary key,
  user_id uuid not null references app_user (id) on delete cascade deferrable initially deferred,
  email text not null,
  code_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index email_proof_user_id on email_proof (user_id);
create index email_proof_expires_at on email_proof (expires_at);

create table email_change (
  id uuid primary key,
  user_id uuid not null references app_user (id) deferrable initially deferred,
  session_id uuid not null,
  old_email text not null,
  new_email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  changed_at timestamptz,
  undo_until timestamptz,
  ended_at timestamptz,
  constraint email_change_undo_check check (undo_until is null or changed_at is not null)
);
create index email_change_user_id_created_at on email_change (user_id, created_at);
create index email_change_old_email on email_change (old_email) where undo_until is not null;
create index email_change_created_at on email_change (created_at);

create table email_change_link (
  token_hash text primary key,
  change_id uuid not null references email_change (id) on delete cascade deferrable initially deferred,
  purpose text not null check (purpose in ('confirm', 'undo'))
);
create index email_change_link_change_id on email_change_link (change_id);

create table account_change (
  id uuid primary key,
  user_id uuid not null references app_user (id) deferrable initially deferred,
  kind text not null check (kind in ('email', 'password', 'factor', 'device')),
  email text not null,
  factors jsonb not null,
  at timestamptz not null,
  undo_until timestamptz not null,
  ended_at timestamptz
);
create index account_change_user_id_at on account_change (user_id, at);
create index account_change_at on account_change (at);
create index account_change_email on account_change (email) where kind = 'email';

create table account_change_link (
  token_hash text primary key,
  change_id uuid not null references account_change (id) on delete cascade deferrable initially deferred
);
create index account_change_link_change_id on account_change_link (change_id);

create table password_recovery (
  id uuid primary key,
  email text,
  user_id uuid references app_user (id) on delete cascade deferrable initially deferred,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ending text check (ending in ('used', 'replaced')),
  constraint password_recovery_end_check check ((ended_at is null) = (ending is null)),
  -- Either an address that was not looked up yet, or a user.
  constraint password_recovery_whose_check check ((email is null) <> (user_id is null))
);
create index password_recovery_user_id_index on password_recovery (user_id);
create index password_recovery_expires_at_index on password_recovery (expires_at);

create table password_recovery_link (
  token_hash text primary key,
  recovery_id uuid not null references password_recovery (id) on delete cascade deferrable initially deferred
);
create index password_recovery_link_recovery_id_index on password_recovery_link (recovery_id);

create unlogged table rate_limit (
  key varchar(255) primary key,
  points int not null default 0,
  expire bigint
);
create index rate_limit_expire on rate_limit (expire);

-- ===== Data keys and audit log =====

create table data_key (
  id text primary key,
  purpose text not null check (purpose in ('encryption', 'lookup')),
  -- Encrypted with a key of the configuration.
  wrapped text not null,
  created_at timestamptz not null
);
-- A single lookup key: hashes made with another one would never be found.
create unique index data_key_lookup on data_key (purpose) where purpose = 'lookup';

-- Without foreign keys: an entry outlives its account, and no row is locked until commit.
create table audit_entry (
  id uuid primary key,
  at timestamptz not null,
  kind text not null,
  actor_id uuid,
  actor_role text,
  subject text,
  detail text not null check (length(detail) <= 8000),
  network text
);
create index audit_entry_at_id on audit_entry (at, id);
create index audit_entry_actor_id_at_id on audit_entry (actor_id, at, id);
create index audit_entry_kind_at_id on audit_entry (kind, at, id);
create index audit_entry_subject_at_id on audit_entry (subject, at, id);
create trigger audit_entry_append_only before update or delete on audit_entry for each row execute function refuse_change();
create trigger audit_entry_kept_whole before truncate on audit_entry execute function refuse_change();

create table audit_chain (
  position bigint primary key,
  entry_id uuid not null unique,
  hash text not null
);
create trigger audit_chain_append_only before update or delete on audit_chain for each row execute function refuse_change();
create trigger audit_chain_kept_whole before truncate on audit_chain execute function refuse_change();

-- ===== Exchange rates =====

create table rate_change (
  id bigserial primary key,
  currency text not null check (currency in ('USD', 'EUR')),
  rate bigint not null check (rate > 0),
  previous_rate bigint,
  state text not null check (state in ('awaiting_confirmation', 'scheduled', 'activated', 'declined', 'cancelled', 'expired')),
  proposed_by_id uuid not null references app_user (id),
  proposed_at timestamptz not null,
  -- Since when it waits for a second person. A scheduled change may have to wait again.
  awaiting_since timestamptz,
  reason text,
  guard_rails text[] not null check (guard_rails <@ array['step_too_large', 'above_reference', 'stale_sources']),
  decided_by_id uuid references app_user (id),
  decided_at timestamptz,
  activate_at timestamptz,
  activated_at timestamptz,
  constraint rate_change_activated_at_check check ((state = 'activated') = (activated_at is not null)),
  constraint rate_change_awaiting_check check (state <> 'awaiting_confirmation' or awaiting_since is not null),
  constraint rate_change_scheduled_check check (state <> 'scheduled' or activate_at is not null),
  -- A change that trips a guard rail needs a second person.
  constraint rate_change_second_person check ((guard_rails = '{}'::text[]) or state not in ('scheduled', 'activated')
    or (reason is not null and decided_by_id is not null and decided_by_id <> proposed_by_id))
);
create index rate_change_currency_id on rate_change (currency, id);
create unique index rate_change_one_open on rate_change (currency) where state in ('awaiting_confirmation', 'scheduled');

create table rate (
  id bigserial primary key,
  currency text not null check (currency in ('USD', 'EUR')),
  rate bigint not null check (rate > 0),
  set_by_id uuid not null references app_user (id) deferrable initially deferred,
  created_at timestamptz not null,
  change_id bigint references rate_change (id)
);
create index rate_currency_id on rate (currency, id);
create unique index rate_change_id_unique on rate (change_id);
create trigger rate_append_only before update or delete on rate for each row execute function refuse_change();
create trigger rate_kept_whole before truncate on rate execute function refuse_change();

create table rate_pause (
  id bigserial primary key,
  currency text not null check (currency in ('USD', 'EUR')),
  paused_at timestamptz not null,
  resumed_at timestamptz
);
create unique index rate_pause_one_open on rate_pause (currency) where resumed_at is null;

create table rate_alert (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  currency text not null check (currency in ('USD', 'EUR')),
  rate bigint not null check (rate > 0),
  created_at timestamptz not null,
  fired_at timestamptz,
  fired_rate bigint,
  constraint rate_alert_check check (fired_rate >= rate),
  constraint rate_alert_fired_check check ((fired_at is null) = (fired_rate is null))
);
create index rate_alert_user_id_created_at on rate_alert (user_id, created_at desc, id);
create index rate_alert_waiting on rate_alert (currency, rate) where fired_at is null;

create table rate_run (
  id uuid primary key,
  trigger text not null check (trigger in ('scheduled', 'forced')),
  amount_minor bigint check (amount_minor > 0),
  started_at timestamptz not null,
  finished_at timestamptz,
  results jsonb,
  -- Why a run has no results: its worker was lost, or no worker was there to open it (then it spans the missed windows).
  outcome text check (outcome in ('collected', 'abandoned', 'missed')),
  missed_windows int check (missed_windows > 0),
  constraint rate_run_outcome_told check (((outcome is not null) = (finished_at is not null))
    and ((outcome = 'missed') = (missed_windows is not null)))
);
create index rate_run_started_at on rate_run (started_at);
-- One run at a time.
create unique index rate_run_one_open on rate_run ((true)) where finished_at is null;
create index rate_run_finished_at on rate_run (finished_at);

create table rate_observation (
  id bigserial primary key,
  run_id uuid not null references rate_run (id) deferrable initially deferred,
  source text not null,
  kind text not null check (kind in ('price', 'reference')),
  competitor text,
  pair text not null check (pair in ('USD/BOB', 'EUR/BOB', 'EUR/USD')),
  amount_minor bigint check (amount_minor > 0),
  rate bigint not null check (rate > 0),
  fee_minor bigint check (fee_minor >= 0),
  raw_hash text not null,
  outlier boolean not null,
  observed_at timestamptz not null,
  as_of date,
  constraint rate_observation_price_is_whole check ((kind = 'price') = (competitor is not null and amount_minor is not null
    and fee_minor is not null))
);
create index rate_observation_kind_pair_observed_at on rate_observation (kind, pair, observed_at);
create index rate_observation_newest_price on rate_observation (pair, source, competitor, amount_minor, observed_at, id)
  where kind = 'price' and (not outlier);
create trigger rate_observation_append_only before update or delete on rate_observation
  for each row execute function refuse_change();
create trigger rate_observation_kept_whole before truncate on rate_observation execute function refuse_change();

create table bank_rate (
  id bigserial primary key,
  run_id uuid not null references rate_run (id) deferrable initially deferred,
  day date not null,
  bank text not null,
  rate bigint not null check (rate > 0),
  raw_hash text not null,
  observed_at timestamptz not null
);
create index bank_rate_day on bank_rate (day, observed_at);
create trigger bank_rate_append_only before update or delete on bank_rate for each row execute function refuse_change();
create trigger bank_rate_kept_whole before truncate on bank_rate execute function refuse_change();

-- ===== Recipients =====

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
  removed_at timestamptz,
  account_changed_at timestamptz,
  version int not null default 1,
  sealed text,
  account_hash text,
  constraint recipient_encrypted_check check ((ci = '' and phone = '' and bank_account = '') or sealed is not null)
);
create index recipient_user_id_created_at_id on recipient (user_id, created_at, id);
create index recipient_sealed_with on recipient (coalesce("left"(sealed, 9), '')) where bank_account <> '';

create table name_check (
  id uuid primary key,
  recipient_id uuid not null references recipient (id),
  user_id uuid not null references app_user (id),
  name text not null,
  bank_name text not null,
  bank_account text not null,
  status text not null check (status in ('pending', 'match', 'close', 'different', 'unsupported', 'unavailable', 'withdrawn')),
  -- Masked: the holder of an account stays between the bank and its customer.
  bank_says text,
  attempts int not null,
  next_attempt_at timestamptz,
  last_error text,
  asked_at timestamptz not null,
  answered_at timestamptz,
  confirmed_at timestamptz,
  sealed text,
  account_hash text,
  dispatch int not null default 1,
  constraint name_check_pending_is_due check ((status = 'pending') = (next_attempt_at is not null)),
  constraint name_check_confirmed_check check (confirmed_at is null or status in ('close', 'different')),
  constraint name_check_encrypted_check check (bank_account = '' or sealed is not null)
);
create index name_check_recipient_id_asked_at on name_check (recipient_id, asked_at);
create index name_check_user_id_asked_at on name_check (user_id, asked_at);
create index name_check_next_attempt_at on name_check (next_attempt_at) where next_attempt_at is not null;
create index name_check_sealed_with on name_check (coalesce("left"(sealed, 9), '')) where bank_account <> '';

-- ===== Transfers =====

create table transfer (
  id uuid primary key,
  user_id uuid not null references app_user (id) deferrable initially deferred,
  state text not null check (state in ('awaiting_payment', 'in_review', 'approved', 'captured', 'payout_failed', 'completed',
    'rejected', 'cancelled', 'failed', 'expired', 'refunding', 'refunded')),
  version int not null,
  currency text not null check (currency in ('USD', 'EUR')),
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0),
  net_minor bigint not null check (net_minor >= 0),
  rate bigint not null check (rate > 0),
  bolivianos_minor bigint not null check (bolivianos_minor >= 0),
  usd_minor bigint not null,
  markup_basis_points bigint,
  recipient_id uuid references recipient (id) deferrable initially deferred,
  payout_target jsonb,
  quote_expires_at timestamptz not null,
  estimated_delivery timestamptz not null,
  payment_intent_id text,
  card_brand text,
  card_last4 text,
  paid_at timestamptz,
  capture_before timestamptz,
  authorization_voided_at timestamptz,
  decided_at timestamptz,
  decided_by_id uuid references app_user (id) deferrable initially deferred,
  reason text,
  payout_reference text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  cancel_requested_at timestamptz,
  payout_started_at timestamptz,
  rate_since timestamptz not null,
  eur_usd bigint not null check (eur_usd > 0),
  reference_rate bigint check (reference_rate > 0),
  correct_account_by timestamptz,
  fraud_warning text,
  returned_minor bigint not null check (returned_minor >= 0),
  payout_returned_minor bigint not null,
  received_at timestamptz,
  question_status text check (question_status in ('waiting', 'answered')),
  rejection_code text check (rejection_code in ('recipient_unverified', 'card_not_own', 'purpose_unclear', 'duplicate',
    'outside_policy', 'suspected_fraud', 'legal')),
  card_country text,
  card_holder text,
  paid_again_minor bigint not null,
  takes_better_rate boolean not null default false,
  accepted_rate bigint,
  accepted_bolivianos_minor bigint,
  card_risk jsonb,
  card_fingerprint text,
  -- Of an amount that the bank returned in part, in centavos: paid again, refunded, and kept by us.
  rest_paid_minor bigint not null default 0,
  rest_refunded_minor bigint not null default 0,
  rest_kept_minor bigint not null default 0,
  rest_to text check (rest_to in ('family', 'sender')),
  fraud_warning_id text,
  constraint transfer_amount_adds_up check ((fee_minor + net_minor) = amount_minor),
  constraint transfer_never_above_exact check ((bolivianos_minor * 1000000) <= (net_minor * rate)),
  constraint transfer_payment_intent_id_unique unique (payment_intent_id),
  constraint transfer_check check (payout_returned_minor >= 0 and payout_returned_minor <= bolivianos_minor),
  constraint transfer_rejection_code_rejected check (rejection_code is null or state = 'rejected'),
  constraint transfer_check1 check (paid_again_minor >= 0 and paid_again_minor <= bolivianos_minor),
  constraint transfer_better_rate_check check ((accepted_rate is null and accepted_bolivianos_minor is null) or (takes_better_rate
    and accepted_rate > 0 and accepted_rate < rate and accepted_bolivianos_minor >= 0
    and accepted_bolivianos_minor < bolivianos_minor and ((accepted_bolivianos_minor * 1000000) <= (net_minor * accepted_rate)))),
  constraint transfer_check2 check (rest_paid_minor >= 0 and rest_paid_minor <= bolivianos_minor),
  constraint transfer_check3 check (rest_refunded_minor >= 0 and rest_refunded_minor <= bolivianos_minor),
  constraint transfer_check4 check (rest_kept_minor >= 0 and rest_kept_minor <= bolivianos_minor),
  constraint transfer_encrypted_check check (payout_target is null or ((payout_target ->> 'sealed') is not null))
);
create index transfer_user_id_created_at_id on transfer (user_id, created_at, id);
create index transfer_state_changed_at on transfer (state, changed_at);
create index transfer_authorization_to_void on transfer (changed_at) where authorization_voided_at is null
  and payment_intent_id is not null and state in ('rejected', 'cancelled', 'failed', 'expired');
-- Transfers that wait for a recipient.
create index transfer_without_recipient on transfer (user_id, created_at, id) where recipient_id is null;
create index transfer_to_decide on transfer (capture_before, id) where state = 'in_review';
create index transfer_card_fingerprint on transfer (card_fingerprint) where card_fingerprint is not null;
create index transfer_user_id_changed_at on transfer (user_id, changed_at);
create index transfer_user_id_recipient_id_paid_at on transfer (user_id, recipient_id, paid_at) where paid_at is not null;
create index transfer_created_at_id_amount_minor on transfer (created_at, id, amount_minor);
create index transfer_sealed_with on transfer (coalesce("left"((payout_target ->> 'sealed'), 9), ''))
  where payout_target is not null;
-- What a sender paid within the windows of the limits, from the index alone.
create index transfer_user_id_paid_at_amounts on transfer (user_id, paid_at) include (usd_minor, state, amount_minor, id)
  where paid_at is not null;
create index transfer_account_paid_at on transfer ((((payout_target -> 'hashes') ->> 'account')), paid_at)
  where paid_at is not null;
create index transfer_card_paid_at on transfer (card_last4, card_brand, paid_at) where paid_at is not null;
create index transfer_ended_of_user on transfer (user_id, state, created_at, id) where state in ('rejected', 'cancelled',
  'failed', 'expired', 'refunding', 'refunded');
create index transfer_payout_returned on transfer (id) where payout_returned_minor > 0;

-- Not validated: transfers that were decided before the rule stay as they are.
alter table transfer add constraint transfer_not_decided_by_its_sender check (decided_by_id <> user_id) not valid;

create table transfer_step (
  transfer_id uuid not null references transfer (id) deferrable initially deferred,
  version int not null,
  state text not null check (state in ('awaiting_payment', 'in_review', 'approved', 'captured', 'payout_failed', 'completed',
    'rejected', 'cancelled', 'failed', 'expired', 'refunding', 'refunded')),
  move text,
  owner text not null,
  actor_id uuid,
  at timestamptz not null,
  primary key (transfer_id, version)
);
create trigger transfer_step_append_only before update or delete on transfer_step for each row execute function refuse_change();
create trigger transfer_step_kept_whole before truncate on transfer_step execute function refuse_change();

create table transfer_disclosure (
  transfer_id uuid primary key references transfer (id),
  version int not null check (version > 0),
  texts jsonb not null check (jsonb_typeof(texts) = 'array'),
  at timestamptz not null
);
create trigger transfer_disclosure_append_only before update or delete on transfer_disclosure
  for each row execute function refuse_change();
create trigger transfer_disclosure_kept_whole before truncate on transfer_disclosure execute function refuse_change();

create table idempotency_key (
  user_id uuid not null references app_user (id) deferrable initially deferred,
  key text not null,
  input_hash text not null,
  transfer_id uuid not null references transfer (id) deferrable initially deferred,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_key_created_at_index on idempotency_key (created_at);

create table declined_attempt (
  charge_id text primary key,
  transfer_id uuid not null references transfer (id),
  user_id uuid not null,
  network text,
  card text,
  at timestamptz not null
);
create index declined_attempt_at_index on declined_attempt (at);
create index declined_attempt_user_id_at on declined_attempt (user_id, at);
create index declined_attempt_network_at on declined_attempt (network, at);
create index declined_attempt_card_at on declined_attempt (card, at);
create index declined_attempt_transfer_id on declined_attempt (transfer_id);

create table payment_origin (
  transfer_id uuid primary key references transfer (id),
  network text,
  at timestamptz not null,
  device_since timestamptz,
  device text
);
create index payment_origin_at_index on payment_origin (at);
create index payment_origin_device_at on payment_origin (device, at) where device is not null;

create table crypto_order (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  status text not null check (status in ('created', 'initialized', 'requires_payment', 'fulfillment_processing',
    'fulfillment_complete', 'rejected')),
  version int not null,
  amount_minor bigint not null check (amount_minor > 0),
  wallet_address text not null,
  session_id text,
  paid_minor bigint check (paid_minor >= 0),
  coins bigint check (coins >= 0),
  network_fee_minor bigint check (network_fee_minor >= 0),
  transaction_fee_minor bigint check (transaction_fee_minor >= 0),
  transaction_id text,
  idempotency_key text,
  input_hash text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint crypto_order_session_id_check check (status = 'created' or session_id is not null),
  constraint crypto_order_session_id_unique unique (session_id),
  constraint crypto_order_user_id_idempotency_key_unique unique (user_id, idempotency_key)
);
create index crypto_order_user_id_created_at_id on crypto_order (user_id, created_at, id);
create index crypto_order_status_changed_at on crypto_order (status, changed_at);

create table repeat_plan (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  recipient_id uuid not null references recipient (id),
  state text not null check (state in ('active', 'paused', 'ended')),
  fixed text not null check (fixed in ('pay', 'receive')),
  -- In the currency if that is what the card pays, otherwise in centavos.
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('USD', 'EUR')),
  every text not null check (every in ('month', 'two_weeks')),
  day smallint check (day >= 1 and day <= 31),
  hour smallint not null check (hour >= 0 and hour <= 23),
  zone text not null,
  next_day date not null,
  next_at timestamptz not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint repeat_plan_day check ((every = 'month') = (day is not null))
);
create index repeat_plan_user_id_created_at_id on repeat_plan (user_id, created_at, id);
create index repeat_plan_due on repeat_plan (next_at) where state = 'active';

create table repeat_reminder (
  id uuid primary key,
  plan_id uuid not null references repeat_plan (id) on delete cascade,
  user_id uuid not null references app_user (id),
  period date not null,
  created_at timestamptz not null,
  lapses_at timestamptz not null,
  skipped_at timestamptz,
  problem text check (problem in ('rate_unavailable', 'payments_paused', 'recipient_gone', 'amount_too_small', 'amount_too_large',
    'day_limit_reached', 'month_limit_reached')),
  -- Transfers opened from it: several if a payment was abandoned or its rate expired.
  transfer_ids text[] not null default '{}'::text[],
  constraint repeat_reminder_plan_id_period_unique unique (plan_id, period)
);
create index repeat_reminder_user_id_created_at on repeat_reminder (user_id, created_at);

create table tracking_link (
  transfer_id uuid primary key references transfer (id),
  -- 160 random bits; its holder sees masked data only.
  token text not null,
  created_at timestamptz not null,
  constraint tracking_link_token_unique unique (token)
);

-- ===== Totals and search, written by triggers =====

-- By the day on which a transfer was paid, or opened if it was not paid. The total of a day is the sum over its shards: each
-- connection writes one of sixteen, so that payments do not wait for each other.
create table transfer_day_total (
  day date not null,
  paid_usd_minor bigint not null,
  completed bigint not null,
  rejected bigint not null,
  shard int not null default 0,
  primary key (day, shard)
);

create table sender_total (
  user_id uuid primary key references app_user (id) deferrable initially deferred,
  paid_count int not null,
  paid_usd_minor bigint not null,
  -- Last payment of the sender, also if it was returned later.
  last_paid_at timestamptz
);
create index sender_total_last_paid_at on sender_total (last_paid_at);

-- Per sender and day in La Paz: payments of the day that count towards limits, and how many transfers opened on it were ever
-- paid.
create table sender_day_total (
  user_id uuid not null,
  day date not null,
  sent_usd_minor bigint not null,
  held int not null,
  primary key (user_id, day)
);

-- How many senders made their last payment on a day, in shards like transfer_day_total.
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

insert into account_total (shard, accounts) values (0, 0);

create table transfer_search (
  transfer_id uuid not null references transfer (id),
  user_id uuid not null,
  search_text text not null,
  -- Separate from the text, so that a number is not found within an amount.
  search_amounts text not null,
  amount_minor bigint,
  bank_name text,
  -- 0: data from the opening, its amounts and bank. One further part for each number that the transfer gets later.
  part smallint not null,
  -- Hashes of encrypted numbers, which are found only as a whole.
  hashes text[],
  opened_at timestamptz,
  primary key (transfer_id, part)
);
create index transfer_search_user_id on transfer_search (user_id);
create index transfer_search_bank on transfer_search (bank_name);
create index transfer_search_hashes on transfer_search using gin (hashes) where hashes is not null;
create index transfer_search_amount_minor on transfer_search (amount_minor) include (transfer_id) where amount_minor is not null;
create index transfer_search_text_windows on transfer_search using gin (search_text gin_trgm_ops, search_windows(opened_at));
create index transfer_search_amount_windows on transfer_search using gin (search_amount_keys(search_amounts),
  search_windows(opened_at)) where part = 0;

-- ===== Ledger =====

create table ledger_posting (
  transfer_id uuid not null references transfer (id) deferrable initially deferred,
  entry text not null check (entry ~
    '^(charge|(unwind|rewind|payout|refund|refund_reversal)(:[1-9][0-9]*)?|refund_excess|payout_return(:[1-9][0-9]*)?(\.[1-9][0-9]*)?|(dispute_(withdrawn|reinstated|lost)|rest):[1-9][0-9]*)$'),
  line int not null,
  source text not null,
  destination text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('USD', 'EUR', 'BOB')),
  at timestamptz not null,
  constraint ledger_posting_check check (destination <> source),
  primary key (transfer_id, entry, line)
);
-- Rows are written in the order of their time, so a few bytes per block are enough.
create index ledger_posting_at on ledger_posting using brin (at) with (pages_per_range='16', autosummarize='on');
create trigger ledger_posting_append_only before update or delete on ledger_posting for each row execute function refuse_change();
create trigger ledger_posting_kept_whole before truncate on ledger_posting execute function refuse_change();

-- What each account has received (negative: given) for a transfer; accounts with a balance of zero are left out.
create view ledger_balance as
  select transfer_id, account, currency, sum(amount_minor) as amount_minor
  from (
    select transfer_id, source as account, currency, -amount_minor as amount_minor from ledger_posting
    union all
    select transfer_id, destination, currency, amount_minor from ledger_posting
  ) as sides
  group by transfer_id, account, currency
  having sum(amount_minor) <> 0;

-- ===== Queues, provider calls and events =====

create table outbox (
  id bigserial primary key,
  kind text not null check (kind in ('job', 'push')),
  name text not null,
  data jsonb not null,
  job_key text,
  run_at timestamptz,
  created_at timestamptz not null
);

-- Queues that are paused by an operator, so that an emptied Redis does not resume them.
create table queue_pause (
  queue text primary key,
  paused_at timestamptz not null,
  paused_by_id uuid not null references app_user (id)
);

create table provider_circuit (
  provider text primary key,
  failures int not null,
  open_until timestamptz
);

create table operation (
  id uuid primary key,
  transfer_id uuid not null references transfer (id) deferrable initially deferred,
  kind text not null check (kind in ('authorization', 'capture', 'void', 'refund', 'payout', 'dispute_response')),
  sequence int not null,
  idempotency_key text not null,
  provider text not null,
  status text not null check (status in ('pending', 'in_flight', 'unknown', 'succeeded', 'failed', 'abandoned')),
  attempts int not null,
  next_attempt_at timestamptz,
  last_error text,
  provider_reference text,
  amount_minor bigint not null,
  currency text not null,
  returned_minor bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- The complaint that a second payout resolves; null for every other operation.
  complaint_id uuid,
  payout_target jsonb,
  traceparent text,
  request_id text,
  sent_at timestamptz,
  awaiting text check (awaiting in ('result', 'confirmation')),
  -- The request about the rest that an operation carries out, and the bolivianos whose share a refund returns.
  rest_request_id uuid,
  rest_minor bigint,
  dispatch int not null default 1,
  attempt_started_at timestamptz,
  constraint operation_ended_is_not_due check (status in ('pending', 'in_flight', 'unknown') or next_attempt_at is null),
  constraint operation_amounts_check check (amount_minor >= 0 and (returned_minor >= 0 and returned_minor <= amount_minor)),
  constraint operation_idempotency_key_unique unique (idempotency_key),
  constraint operation_second_payout_check check (((payout_target is not null) = (complaint_id is not null
    or (rest_request_id is not null and kind = 'payout'))) and (complaint_id is null or rest_request_id is null)
    and (payout_target is null or (kind = 'payout' and provider = 'bank')) and (rest_request_id is null
    or kind in ('payout', 'refund')) and ((rest_minor is not null) = (rest_request_id is not null and kind = 'refund'))
    and (rest_minor is null or rest_minor > 0)),
  constraint operation_encrypted_check check (payout_target is null or ((payout_target ->> 'sealed') is not null))
);
create unique index operation_transfer_id_kind_sequence on operation (transfer_id, kind, sequence);
-- At most one capture, void or payout of a transfer is in progress.
create unique index operation_one_open on operation (transfer_id, kind) where status in ('pending', 'in_flight', 'unknown')
  and kind <> 'refund';
create index operation_next_attempt_at on operation (next_attempt_at) where next_attempt_at is not null;
create index operation_by_hand on operation (provider_reference) where provider = 'manual';
create index operation_complaint_id on operation (complaint_id) where complaint_id is not null;
create index operation_provider_reference on operation (provider_reference) where provider_reference is not null;
create index operation_rest_request_id on operation (rest_request_id) where rest_request_id is not null;

create table stripe_event (
  id text primary key,
  type text not null,
  payment_intent_id text,
  received_at timestamptz not null,
  handled_at timestamptz,
  onramp_session_id text,
  attempts int not null,
  next_attempt_at timestamptz,
  last_error text,
  outcome text check (outcome in ('handled', 'ignored', 'abandoned')),
  dispatch int not null default 1
);
create index stripe_event_declined on stripe_event (payment_intent_id) where type = 'payment_intent.payment_failed';
create index stripe_event_next_attempt_at on stripe_event (next_attempt_at) where next_attempt_at is not null;

-- Where the Socket.IO adapter puts messages that are too long for NOTIFY.
create table socket_io_attachments (
  id bigserial primary key,
  created_at timestamptz not null default now(),
  payload bytea not null
);
create index socket_io_attachments_created_at on socket_io_attachments (created_at);

-- ===== Review of transfers =====

create table review (
  transfer_id uuid primary key references transfer (id),
  version int not null,
  screening_key text not null,
  screening_status text not null check (screening_status in ('pending', 'clear', 'hit', 'blocked', 'unavailable', 'checked',
    'unclear', 'off')),
  names jsonb not null,
  attempts int not null,
  next_attempt_at timestamptz,
  last_error text,
  hits jsonb not null,
  checked_at timestamptz,
  note text,
  noted_by_id uuid references app_user (id),
  claimed_by_id uuid references app_user (id),
  claimed_until timestamptz,
  dispatch int not null default 1,
  constraint review_pending_is_due check ((screening_status = 'pending') = (next_attempt_at is not null)),
  constraint review_checked_by_a_person check (screening_status <> 'checked' or (note is not null and noted_by_id is not null)),
  constraint review_screening_key_unique unique (screening_key),
  constraint review_claimed_until_check check ((claimed_by_id is null) = (claimed_until is null))
);
create index review_next_attempt_at on review (next_attempt_at) where next_attempt_at is not null;

create table past_screening (
  screening_key text primary key,
  transfer_id uuid not null references transfer (id),
  screening_status text not null,
  names jsonb not null,
  hits jsonb not null,
  checked_at timestamptz not null,
  note text,
  noted_by_id uuid references app_user (id)
);
create index past_screening_transfer_id on past_screening (transfer_id, checked_at);
create trigger past_screening_append_only before update or delete on past_screening for each row execute function refuse_change();
create trigger past_screening_kept_whole before truncate on past_screening execute function refuse_change();

create table name_clearance (
  name_form text not null,
  source text not null,
  source_id text not null,
  transfer_id uuid not null references transfer (id),
  note text not null,
  cleared_by_id uuid not null references app_user (id),
  cleared_at timestamptz not null,
  primary key (name_form, source, source_id)
);
-- Decisions about names are evidence.
create trigger name_clearance_append_only before update or delete on name_clearance for each row execute function refuse_change();
create trigger name_clearance_kept_whole before truncate on name_clearance execute function refuse_change();

create table review_question (
  id uuid primary key,
  transfer_id uuid not null references transfer (id),
  code text check (code in ('purpose', 'relation', 'funds_origin', 'card_owner', 'recipient_identity', 'sender_identity',
    'duplicate')),
  note text,
  asked_by_id uuid not null references app_user (id),
  created_at timestamptz not null,
  constraint review_question_asks_something check (code is not null or note is not null)
);
create index review_question_transfer_id_created_at_id on review_question (transfer_id, created_at, id);
-- Questions and answers are evidence.
create trigger review_question_append_only before update or delete on review_question
  for each row execute function refuse_change();
create trigger review_question_kept_whole before truncate on review_question execute function refuse_change();

create table review_answer (
  question_id uuid primary key references review_question (id),
  text text not null,
  created_at timestamptz not null,
  constraint review_answer_says_something check (text <> '')
);
create trigger review_answer_append_only before update or delete on review_answer for each row execute function refuse_change();
create trigger review_answer_kept_whole before truncate on review_answer execute function refuse_change();

-- ===== Operations desk =====

create table desk_case (
  id uuid primary key,
  transfer_id uuid not null references transfer (id),
  operation_id uuid references operation (id),
  reason text not null check (reason in ('operation_slow', 'operation_abandoned', 'operation_refused', 'names_not_cleared',
    'payout_not_allowed', 'payout_unexplained', 'payout_rejected', 'payout_returned', 'payout_returned_in_part', 'refund_failed',
    'refund_outside', 'captured_in_part', 'sender_blocked', 'recipient_changed', 'settlement_by_hand', 'fraud_warning',
    'dispute_inquiry', 'dispute_opened', 'dispute_lost', 'correction_failed', 'books_differ', 'contradiction')),
  details text,
  opened_at timestamptz not null,
  assigned_to_id uuid references app_user (id),
  resolved_at timestamptz,
  resolved_by_id uuid references app_user (id),
  resolution text,
  version int not null,
  reminded_at timestamptz,
  outcome text check (outcome in ('account_corrected', 'bank_could_not_pay', 'paid', 'refunding', 'refunded', 'uncharged',
    'dispute_lost', 'dispute_won', 'dispute_dropped', 'evidence_submitted', 'warning_past', 'sender_unblocked', 'books_settled',
    'complaint_decided', 'recipient_approved', 'settlement_dropped', 'settlement_refuted'))
);
create unique index desk_case_one_open on desk_case (transfer_id, reason) where resolved_at is null;
create index desk_case_opened_at_id on desk_case (opened_at, id) where resolved_at is null;
create index desk_case_transfer_id on desk_case (transfer_id);
create index desk_case_resolved_at_id on desk_case (resolved_at, id) where resolved_at is not null;

create table desk_note (
  id uuid primary key,
  case_id uuid not null references desk_case (id),
  author_id uuid not null references app_user (id),
  text text not null,
  at timestamptz not null
);
create index desk_note_case_id_at on desk_note (case_id, at);
create trigger desk_note_append_only before update or delete on desk_note for each row execute function refuse_change();
create trigger desk_note_kept_whole before truncate on desk_note execute function refuse_change();

create table desk_request (
  id uuid primary key,
  case_id uuid references desk_case (id),
  transfer_id uuid not null references transfer (id),
  sender_id uuid not null references app_user (id),
  action text not null check (action in ('retry', 'give_up_and_refund', 'refund_at_loss', 'pay_by_hand', 'refund_by_hand',
    'pay_rest', 'refund_rest', 'keep_rest', 'release_hold', 'resolve', 'approve', 'refute')),
  moves_money boolean not null,
  reason text not null,
  bank_reference text,
  amount_minor bigint,
  proof_id uuid,
  requested_by_id uuid not null references app_user (id),
  requested_at timestamptz not null,
  decided_by_id uuid references app_user (id),
  decided_at timestamptz,
  outcome text check (outcome in ('done', 'approved', 'declined', 'obsolete', 'dropped', 'refuted')),
  currency text,
  about_id uuid references desk_request (id),
  -- Recipient of a request to pay the rest.
  payout_target jsonb,
  constraint desk_request_decided_check check ((outcome is null) = (decided_at is null)),
  constraint desk_request_decider_check check ((decided_by_id is not null) = coalesce((outcome in ('approved', 'declined')), false)),
  constraint desk_request_own_transfer_check check (sender_id <> requested_by_id and (sender_id is distinct from decided_by_id)),
  constraint desk_request_two_persons_check check (requested_by_id is distinct from decided_by_id),
  constraint desk_request_money_check check (((amount_minor is null) = (currency is null)) and (amount_minor is null
    or (moves_money and amount_minor >= 0))),
  constraint desk_request_case_check check ((action = 'approve') = (case_id is null)),
  constraint desk_request_about_check check (((action = 'refute') = (about_id is not null)) and (action <> 'refute'
    or proof_id is not null)),
  -- Money that was sent by hand needs the reference of the bank and a proof.
  constraint desk_request_settlement_check check (outcome is null or action not in ('pay_by_hand', 'refund_by_hand')
    or outcome in ('dropped', 'refuted', 'declined', 'obsolete') or (proof_id is not null and bank_reference is not null)),
  constraint desk_request_settlement_outcome_check check (action in ('pay_by_hand', 'refund_by_hand') or outcome is null
    or outcome not in ('dropped', 'refuted')),
  constraint desk_request_payout_target_check check ((payout_target is not null) = (action = 'pay_rest')),
  constraint desk_request_encrypted_check check (payout_target is null or ((payout_target ->> 'sealed') is not null))
);
create index desk_request_transfer_id_requested_at on desk_request (transfer_id, requested_at);
-- At most one waiting request for a transfer, and one that refutes it.
create unique index desk_request_one_waiting on desk_request (transfer_id) where outcome is null and action <> 'refute';
create unique index desk_request_one_refutation on desk_request (about_id) where outcome is null and action = 'refute';
create index desk_request_waiting_of_author on desk_request (requested_by_id) where outcome is null;
create index desk_request_sealed_with on desk_request (coalesce("left"((payout_target ->> 'sealed'), 9), ''))
  where payout_target is not null;

alter table operation add constraint operation_rest_request_id_fkey foreign key (rest_request_id) references desk_request (id);

create table desk_proof (
  id uuid primary key,
  transfer_id uuid not null references transfer (id),
  name text not null,
  type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  bytes bytea not null,
  sha256 text not null,
  uploaded_by_id uuid not null references app_user (id),
  uploaded_at timestamptz not null,
  constraint desk_proof_size_check check ((octet_length(bytes) >= 1) and (octet_length(bytes) <= 2097152))
);
-- Proofs and notes are evidence.
create trigger desk_proof_append_only before update or delete on desk_proof for each row execute function refuse_change();
create trigger desk_proof_kept_whole before truncate on desk_proof execute function refuse_change();

alter table desk_request add constraint desk_request_proof_id_fkey foreign key (proof_id) references desk_proof (id);

create table hold_release (
  transfer_id uuid not null references transfer (id) on delete cascade,
  reason text not null check (reason in ('dispute_open', 'dispute_lost', 'charged_back', 'inquiry_open', 'fraud_warning',
    'refund_outside', 'refund_made', 'captured_in_part', 'sender_blocked', 'request_waiting', 'settlement_by_hand',
    'payout_unknown', 'names_not_cleared', 'recipient_changed', 'money_stop')),
  subject text not null,
  request_id uuid not null references desk_request (id),
  at timestamptz not null,
  primary key (transfer_id, reason, subject)
);

create table money_stop (
  id uuid primary key,
  version int not null,
  scope text not null check (scope in ('captures', 'payouts', 'everything')),
  rail text,
  -- A person gives a reason, the system a cause.
  reason text,
  cause text,
  set_by_id uuid references app_user (id),
  set_at timestamptz not null,
  lift_requested_by_id uuid references app_user (id),
  lift_requested_at timestamptz,
  lift_reason text,
  lifted_by_id uuid references app_user (id),
  lifted_at timestamptz,
  constraint money_stop_rail_check check (rail is null or (rail = 'bank' and scope = 'payouts')),
  constraint money_stop_author_check check (((set_by_id is null) = (reason is null))
    and ((set_by_id is null) = (cause is not null)) and (reason is distinct from '')),
  constraint money_stop_request_check check (((lift_requested_by_id is null) = (lift_requested_at is null))
    and ((lift_requested_by_id is null) = (lift_reason is null)) and (lift_reason is distinct from '')),
  constraint money_stop_two_people_check check (((lifted_by_id is null) = (lifted_at is null)) and (lifted_at is null
    or (lift_requested_by_id is not null and lifted_by_id <> lift_requested_by_id)))
);
create unique index money_stop_active on money_stop (scope, coalesce(rail, '')) where lifted_at is null;

create table dispute (
  id text primary key,
  transfer_id uuid not null references transfer (id),
  status text not null,
  reason text not null,
  amount_minor bigint not null,
  currency text not null,
  fee_minor bigint not null,
  fee_currency text,
  refundable boolean not null,
  booking text not null check (booking in ('none', 'withdrawn', 'lost', 'refund')),
  evidence_due_by timestamptz,
  response_text text,
  responded_by_id uuid references app_user (id),
  submitted_at timestamptz,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  version int not null,
  constraint dispute_amounts_check check (amount_minor > 0 and fee_minor >= 0)
);
create index dispute_transfer_id on dispute (transfer_id);

create table bank_return (
  position bigserial primary key,
  id text not null,
  operation_id uuid references operation (id),
  external_id text,
  amount_minor bigint,
  code text,
  message text,
  returned_at timestamptz,
  taken_at timestamptz not null,
  -- Why a return was not booked.
  problem text,
  constraint bank_return_amount_check check (amount_minor > 0),
  constraint bank_return_id_unique unique (id),
  constraint bank_return_read_check check (problem is not null or (num_nulls(external_id, amount_minor, code, message, returned_at)
    = 0))
);
create index bank_return_operation_id on bank_return (operation_id);
create index bank_return_unbooked on bank_return (taken_at) where operation_id is null;
create trigger bank_return_append_only before update or delete on bank_return for each row execute function refuse_change();
create trigger bank_return_kept_whole before truncate on bank_return execute function refuse_change();

-- ===== Complaints =====

create table complaint (
  id uuid primary key,
  transfer_id uuid not null references transfer (id),
  sender_id uuid not null references app_user (id),
  reason text not null check (reason in ('wrong_charge', 'computation', 'wrong_amount', 'late', 'not_received', 'information',
    'general')),
  wants text not null check (wants in ('refund', 'delivery', 'explanation', 'other')),
  description text not null,
  paid_from text not null check (paid_from in ('united_states', 'europe')),
  regime text not null check (regime in ('reg_e', 'psd2', 'own')),
  in_time boolean not null,
  reported_at timestamptz not null,
  state text not null check (state in ('investigating', 'awaiting_approval', 'correcting', 'closed', 'withdrawn')),
  version int not null,
  assigned_to_id uuid references app_user (id),
  held_at timestamptz,
  hold_reason text,
  finding text check (finding in ('error', 'no_error', 'answered')),
  explanation text,
  remedy text check (remedy in ('refund', 'fee_refund', 'pay_again', 'none')),
  amount_minor bigint,
  found_by_id uuid references app_user (id),
  found_at timestamptz,
  approved_by_id uuid references app_user (id),
  told_at timestamptz,
  operation_id uuid references operation (id),
  closed_at timestamptz,
  next_due_at timestamptz,
  remind_at timestamptz,
  payout_minor bigint,
  payout_target jsonb,
  constraint complaint_amount_check check (amount_minor > 0),
  constraint complaint_held_check check ((held_at is null) = (hold_reason is null)),
  constraint complaint_remedied_check check ((remedy is not null) = coalesce((finding = 'error'), false)),
  constraint complaint_own_transfer_check check ((sender_id is distinct from found_by_id)
    and (sender_id is distinct from approved_by_id)),
  constraint complaint_two_persons_check check (approved_by_id is null or (found_by_id is distinct from approved_by_id)),
  constraint complaint_payout_check check (((payout_minor is null) = (payout_target is null)) and (payout_minor is null
    or (payout_minor > 0 and remedy = 'pay_again'))),
  -- A second payout, perhaps to another account, needs two people.
  constraint complaint_payout_two_persons_check check (payout_minor is null or told_at is null or (approved_by_id is not null
    and approved_by_id <> found_by_id)),
  constraint complaint_found_check check (((state in ('investigating', 'withdrawn')) = (found_at is null))
    and ((found_at is null) = (found_by_id is null)) and ((found_at is null) = (finding is null))
    and ((found_at is null) = (explanation is null))),
  constraint complaint_told_check check ((state in ('investigating', 'awaiting_approval', 'withdrawn')) = (told_at is null)),
  constraint complaint_closed_check check (((state in ('closed', 'withdrawn')) = (closed_at is not null))
    and ((closed_at is null) = (next_due_at is not null))),
  constraint complaint_encrypted_check check (payout_target is null or ((payout_target ->> 'sealed') is not null))
);
create unique index complaint_one_open on complaint (transfer_id, reason) where closed_at is null;
create index complaint_transfer_id_reported_at on complaint (transfer_id, reported_at);
create index complaint_sender_id_reported_at_id on complaint (sender_id, reported_at, id);
create index complaint_next_due_at_id on complaint (next_due_at, id) where closed_at is null;
create index complaint_closed_at_id on complaint (closed_at, id) where closed_at is not null;
create index complaint_remind_at on complaint (remind_at) where remind_at is not null;
create index complaint_correcting on complaint (transfer_id) where state = 'correcting';
create index complaint_sealed_with on complaint (coalesce("left"((payout_target ->> 'sealed'), 9), ''))
  where payout_target is not null;
create index complaint_waiting_of_author on complaint (found_by_id) where state = 'awaiting_approval';
create index complaint_waiting_of_transfer on complaint (transfer_id) where state = 'awaiting_approval';

alter table operation add constraint operation_complaint_id_fkey foreign key (complaint_id) references complaint (id);

create table complaint_letter (
  id uuid primary key,
  complaint_id uuid not null references complaint (id),
  kind text not null check (kind in ('received', 'delayed', 'result', 'corrected', 'reopened', 'withdrawn')),
  texts jsonb not null check (jsonb_typeof(texts) = 'array'),
  at timestamptz not null,
  -- A complaint whose payout failed gets another decision and another letter.
  number int not null,
  constraint complaint_letter_once unique (complaint_id, kind, number)
);
create trigger complaint_letter_append_only before update or delete on complaint_letter
  for each row execute function refuse_change();
create trigger complaint_letter_kept_whole before truncate on complaint_letter execute function refuse_change();

create table complaint_note (
  id uuid primary key,
  complaint_id uuid not null references complaint (id),
  author_id uuid not null references app_user (id),
  text text not null,
  at timestamptz not null
);
create index complaint_note_complaint_id_at on complaint_note (complaint_id, at);
create trigger complaint_note_append_only before update or delete on complaint_note for each row execute function refuse_change();
create trigger complaint_note_kept_whole before truncate on complaint_note execute function refuse_change();

create table complaint_reminder (
  complaint_id uuid not null references complaint (id),
  clock text not null check (clock in ('investigate', 'tell', 'answer', 'correct')),
  due_at timestamptz not null,
  stage text not null check (stage in ('near', 'overdue')),
  at timestamptz not null,
  told jsonb not null check (jsonb_typeof(told) = 'array'),
  primary key (complaint_id, clock, due_at, stage)
);
create trigger complaint_reminder_append_only before update or delete on complaint_reminder
  for each row execute function refuse_change();
create trigger complaint_reminder_kept_whole before truncate on complaint_reminder execute function refuse_change();

-- ===== Identity checks and files =====

create table identity_check (
  id uuid primary key,
  user_id uuid not null references app_user (id) deferrable initially deferred,
  level text not null check (level in ('identity', 'document')),
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'declined')),
  document_type text not null check (document_type in ('passport', 'id_card', 'residence_permit')),
  country text not null,
  number text not null,
  sealed text,
  number_hash text,
  legal_name text not null,
  birth_date date not null,
  reason text check (reason in ('unreadable', 'expired', 'mismatch', 'not_accepted', 'in_use')),
  note text,
  decided_by_id uuid references app_user (id) deferrable initially deferred,
  created_at timestamptz not null,
  decided_at timestamptz,
  constraint identity_check_decided_check check (((state = 'waiting') = (decided_at is null))
    and ((state = 'declined') = (reason is not null)))
);
create index identity_check_user_id_created_at on identity_check (user_id, created_at);
create index identity_check_waiting on identity_check (created_at, id) where state = 'waiting';
create unique index identity_check_open on identity_check (user_id, level) where state <> 'declined';
create unique index identity_check_document on identity_check (number_hash) where state = 'accepted';
create index identity_check_number_hash on identity_check (number_hash);
create index identity_check_sealed_with on identity_check (coalesce("left"(sealed, 9), '')) where sealed is not null;

create table attachment (
  id uuid primary key,
  transfer_id uuid references transfer (id),
  complaint_id uuid references complaint (id),
  question_id uuid references review_question (id),
  uploaded_by_id uuid not null references app_user (id),
  name text not null,
  type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  bytes bytea not null,
  size int not null,
  sha256 text not null,
  uploaded_at timestamptz not null,
  identity_check_id uuid references identity_check (id),
  constraint attachment_size_check check ((octet_length(bytes) = size) and (size >= 1 and size <= 2097152)),
  constraint attachment_subject_check check ((num_nonnulls(complaint_id, question_id, identity_check_id) = 1)
    and ((transfer_id is null) = (identity_check_id is not null)))
);
-- The same file is stored once.
create unique index attachment_complaint_id_sha256 on attachment (complaint_id, sha256) where complaint_id is not null;
create unique index attachment_question_id_sha256 on attachment (question_id, sha256) where question_id is not null;
create index attachment_uploaded_by_id_uploaded_at_id on attachment (uploaded_by_id, uploaded_at, id);
create unique index attachment_identity_check_id_sha256 on attachment (identity_check_id, sha256)
  where identity_check_id is not null;
create trigger attachment_kept_whole before truncate on attachment execute function refuse_change();
create trigger attachment_append_only before update on attachment for each row execute function refuse_change();

-- ===== Reconciliation =====

create table stripe_entry (
  id text primary key,
  kind text not null check (kind in ('charge', 'refund', 'refund_return', 'dispute', 'dispute_return', 'stripe_fee',
    'stripe_payout', 'other')),
  type text not null,
  reporting_category text not null,
  -- ID at Stripe of the object that moved money, and of the payment it belongs to.
  source_id text,
  payment_intent_id text,
  transfer_id uuid references transfer (id),
  amount_minor bigint not null,
  fee_minor bigint not null,
  currency text not null,
  description text,
  created_at timestamptz not null,
  available_on timestamptz not null,
  happened_on date not null,
  day date not null,
  imported_at timestamptz not null
);
create index stripe_entry_day on stripe_entry (day);
create index stripe_entry_transfer_id on stripe_entry (transfer_id) where transfer_id is not null;
create index stripe_entry_imported_at on stripe_entry (imported_at, day);
create trigger stripe_entry_append_only before update or delete on stripe_entry for each row execute function refuse_change();
create trigger stripe_entry_kept_whole before truncate on stripe_entry execute function refuse_change();

create table bank_statement (
  id uuid primary key,
  account text not null,
  number text not null,
  day date not null,
  currency text not null,
  opening_minor bigint not null,
  closing_minor bigint not null,
  format text not null check (format in ('camt053', 'csv')),
  -- Of the file, in hexadecimal.
  sha256 text not null,
  -- Null if the bank sent it.
  imported_by_id uuid references app_user (id),
  imported_at timestamptz not null,
  constraint bank_statement_sha256_unique unique (sha256)
);
create index bank_statement_day on bank_statement (day);
create trigger bank_statement_append_only before update or delete on bank_statement for each row execute function refuse_change();
create trigger bank_statement_kept_whole before truncate on bank_statement execute function refuse_change();

create table bank_entry (
  id uuid primary key,
  statement_id uuid not null references bank_statement (id),
  account text not null,
  statement_number text not null,
  line_reference text not null,
  kind text not null check (kind in ('payout', 'payout_return', 'bank_fee', 'other')),
  transfer_id uuid references transfer (id),
  -- Our ID of the payment, and the reference of the bank.
  external_id text,
  bank_reference text,
  amount_minor bigint not null,
  currency text not null,
  description text,
  happened_on date not null,
  day date not null,
  imported_at timestamptz not null,
  instructed_currency text,
  constraint bank_entry_amount_check check (amount_minor <> 0),
  constraint bank_entry_line_unique unique (account, statement_number, line_reference)
);
create index bank_entry_day on bank_entry (day);
create index bank_entry_transfer_id on bank_entry (transfer_id) where transfer_id is not null;
create trigger bank_entry_append_only before update or delete on bank_entry for each row execute function refuse_change();
create trigger bank_entry_kept_whole before truncate on bank_entry execute function refuse_change();

create table import_progress (
  source text primary key,
  -- Everything that the source did before this moment is imported.
  until timestamptz not null,
  changed_at timestamptz not null
);

-- Postings that follow from a source rather than from the state of a transfer: fees, margins, Stripe payouts and write-offs.
-- Each moves money between two accounts, so they sum to zero. They are separate from ledger_posting, whose books are checked at
-- every commit.
create table settlement_posting (
  entry text primary key check (entry ~
    '^(fee|stripe_payout):txn_|^margin:[0-9a-f-]{36}:[1-9][0-9]*$|^write_off(_undone)?:[0-9a-f-]{36}$'),
  transfer_id uuid references transfer (id),
  source text not null,
  destination text not null,
  amount_minor bigint not null,
  currency text not null,
  day date not null,
  at timestamptz not null,
  constraint settlement_posting_accounts_check check (source <> destination),
  constraint settlement_posting_amount_check check (amount_minor > 0)
);
create index settlement_posting_day on settlement_posting (day);
create index settlement_posting_transfer_id on settlement_posting (transfer_id) where transfer_id is not null;
create trigger settlement_posting_append_only before update or delete on settlement_posting
  for each row execute function refuse_change();
create trigger settlement_posting_kept_whole before truncate on settlement_posting execute function refuse_change();

-- The whole ledger: postings of transfers and postings that follow from the sources.
create view ledger_line as
  select p.transfer_id, p.entry, p.line, p.source, p.destination, p.amount_minor, p.currency, p.at,
    (p.at at time zone 'America/La_Paz')::date as day
  from ledger_posting as p
  union all
  select s.transfer_id, s.entry, 1, s.source, s.destination, s.amount_minor, s.currency, s.at, s.day from settlement_posting as s;

create table book_exception (
  id uuid primary key,
  -- Cause, subject and amounts: the same difference has one row however often it is found.
  key text not null,
  cause text not null,
  side text not null,
  transfer_id uuid references transfer (id),
  reference text,
  expected_minor bigint,
  actual_minor bigint,
  difference_minor bigint not null,
  currency text not null,
  day date not null,
  found_at timestamptz not null,
  status text not null check (status in ('open', 'explained', 'accepted', 'settled')),
  note text,
  decided_by_id uuid references app_user (id),
  decided_at timestamptz,
  asked_at timestamptz,
  version int not null,
  constraint book_exception_decided_check check ((status in ('explained', 'accepted')) <= (decided_by_id is not null)),
  constraint book_exception_key_unique unique (key)
);
create index book_exception_found_at_id on book_exception (found_at, id);
create index book_exception_status on book_exception (status, day);
create index book_exception_transfer_id on book_exception (transfer_id) where transfer_id is not null;
create index book_exception_cause on book_exception (cause, found_at, id);

-- Writing off a difference or closing a day, which need a second person.
create table book_request (
  id uuid primary key,
  action text not null,
  exception_id uuid references book_exception (id),
  day date,
  -- The sender of the transfer concerned, who may neither request nor decide.
  sender_id uuid references app_user (id),
  reason text not null,
  requested_by_id uuid not null references app_user (id),
  requested_at timestamptz not null,
  decided_by_id uuid references app_user (id),
  decided_at timestamptz,
  outcome text check (outcome in ('approved', 'declined', 'obsolete')),
  constraint book_request_action_check check ((action = 'accept' and exception_id is not null and day is null)
    or (action = 'close_day' and exception_id is null and day is not null)),
  constraint book_request_decided_check check ((outcome is null) = (decided_at is null)),
  constraint book_request_decider_check check ((decided_by_id is not null) = coalesce((outcome in ('approved', 'declined')), false)),
  constraint book_request_own_transfer_check check ((sender_id is distinct from requested_by_id) or sender_id is null),
  constraint book_request_own_decision_check check (sender_id is null or (sender_id is distinct from decided_by_id)),
  constraint book_request_two_persons_check check (requested_by_id is distinct from decided_by_id)
);
create unique index book_request_one_for_exception on book_request (exception_id) where outcome is null
  and exception_id is not null;
create unique index book_request_one_for_day on book_request (day) where outcome is null and day is not null;
create index book_request_exception_id on book_request (exception_id);

-- Result of the latest comparison of a day; that of a closed day is kept in day_closing.
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
create trigger day_closing_append_only before update or delete on day_closing for each row execute function refuse_change();
create trigger day_closing_kept_whole before truncate on day_closing execute function refuse_change();

-- ===== Notifications and documents =====

create table mail (
  id uuid primary key,
  -- Subject of the e-mail, unique: a job that runs twice writes one e-mail.
  key text not null,
  user_id uuid not null references app_user (id),
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- The mail server rejected it permanently.
  refused_at timestamptz,
  attempts int not null default 0,
  next_attempt_at timestamptz default now(),
  to_address text,
  request_id text,
  dispatch int not null default 1,
  constraint mail_end_check check (sent_at is null or refused_at is null),
  constraint mail_key_unique unique (key)
);
create index mail_transfers_waiting on mail (created_at) where kind = 'transfers_waiting';
create index mail_due on mail (next_attempt_at) where next_attempt_at is not null;
create index mail_created_at on mail (created_at);
create index mail_transfer_id on mail (((data ->> 'transferId'))) where (data ->> 'transferId') is not null;

create table push_subscription (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  session_id uuid not null references session (id) on delete cascade,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  last_sent_at timestamptz,
  last_error text,
  constraint push_subscription_session_id_unique unique (session_id),
  constraint push_subscription_endpoint_unique unique (endpoint)
);
create index push_subscription_user_id_created_at on push_subscription (user_id, created_at);

create table web_push (
  id uuid primary key,
  key text not null,
  subscription_id uuid not null references push_subscription (id) on delete cascade,
  transfer_id uuid not null references transfer (id),
  kind text not null,
  created_at timestamptz not null,
  attempts int not null,
  next_attempt_at timestamptz,
  sent_at timestamptz,
  request_id text,
  dispatch int not null default 1,
  constraint web_push_key_unique unique (key)
);
create index web_push_subscription_id on web_push (subscription_id);
create index web_push_next_attempt_at on web_push (next_attempt_at) where next_attempt_at is not null;
create index web_push_created_at on web_push (created_at);
create index web_push_transfer_id on web_push (transfer_id);

create table webhook_endpoint (
  id uuid primary key,
  url text not null,
  description text not null,
  events text[] not null,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  created_by_id uuid not null references app_user (id),
  disabled_at timestamptz,
  disabled_because text check (disabled_because in ('admin', 'failures')),
  failing_since timestamptz,
  constraint webhook_endpoint_previous_secret check ((previous_secret is null) = (previous_secret_until is null)),
  constraint webhook_endpoint_disabled check ((disabled_at is null) = (disabled_because is null))
);

create table webhook_delivery (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoint (id),
  event_id text not null,
  event_type text not null,
  transfer_id uuid not null references transfer (id),
  body jsonb not null,
  created_at timestamptz not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'stopped')),
  attempts int not null,
  next_attempt_at timestamptz,
  expires_at timestamptz not null,
  last_attempt_at timestamptz,
  response_status int,
  error text check (error in ('status', 'timeout', 'connection', 'address')),
  request_id text,
  dispatch int not null default 1,
  constraint webhook_delivery_pending_is_due check ((status = 'pending') = (next_attempt_at is not null)),
  constraint webhook_delivery_once unique (endpoint_id, event_id)
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at) where next_attempt_at is not null;
create index webhook_delivery_created_at on webhook_delivery (endpoint_id, created_at, id);
create index webhook_delivery_transfer_id on webhook_delivery (transfer_id);

create table paper (
  code text primary key check (code ~ '^[0-9A-HJKMNP-TV-Z]{20}$'),
  kind text not null check (kind in ('receipt', 'statement', 'disclosure', 'letter')),
  user_id uuid not null references app_user (id),
  transfer_id uuid references transfer (id),
  facts jsonb not null,
  facts_hash text not null check (facts_hash ~ '^[0-9a-f]{64}$'),
  issued_at timestamptz not null,
  constraint paper_check check ((jsonb_typeof(facts) = 'object') and ((facts ->> 'kind') = kind)),
  constraint paper_transfer_known check ((transfer_id is null) = (kind = 'statement')),
  constraint paper_facts_hash_unique unique (facts_hash)
);
create trigger paper_append_only before update or delete on paper for each row execute function refuse_change();
create trigger paper_kept_whole before truncate on paper execute function refuse_change();

create table paper_file (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  code text not null references paper (code),
  language text not null check (language in ('es', 'en')),
  at timestamptz not null
);
create trigger paper_file_append_only before update or delete on paper_file for each row execute function refuse_change();
create trigger paper_file_kept_whole before truncate on paper_file execute function refuse_change();

-- ===== Rules: ledger =====

-- At commit the ledger must match the state of the transfer, its operations and its disputes. A transfer has no balance until it
-- is charged. Money that the processor owes us has left card_processor, money that the bank paid has reached bank, refund_due is
-- owed to the sender, and disputed is what the card network withdrew until it is reinstated or lost. What we pay or refund
-- beyond what was owed is our loss.
create function check_transfer_books() returns trigger language plpgsql set search_path = public, pg_temp as $$
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
create constraint trigger dispute_books after insert or update of booking, amount_minor on dispute deferrable initially deferred
  for each row execute function check_transfer_books();
create constraint trigger transfer_books_opened after insert on transfer deferrable initially deferred
  for each row when (new.state in ('captured', 'payout_failed', 'completed', 'refunding', 'refunded'))
  execute function check_transfer_books();
create constraint trigger transfer_books after update of state, currency, amount_minor, fee_minor, net_minor,
  bolivianos_minor on transfer deferrable initially deferred
  for each row when ((old.state in ('captured', 'payout_failed', 'completed', 'refunding', 'refunded')
    or new.state in ('captured', 'payout_failed', 'completed', 'refunding', 'refunded'))
    and (old.state, old.currency, old.amount_minor, old.fee_minor, old.net_minor,
    old.bolivianos_minor) is distinct from (new.state, new.currency, new.amount_minor, new.fee_minor, new.net_minor,
    new.bolivianos_minor))
  execute function check_transfer_books();
create constraint trigger operation_books_begun after insert on operation deferrable initially deferred
  for each row when (new.status = 'succeeded' and new.kind in ('capture', 'payout', 'refund'))
  execute function check_transfer_books();
create constraint trigger operation_books after update of status, amount_minor, returned_minor,
  provider on operation deferrable initially deferred
  for each row when ((old.status = 'succeeded' or new.status = 'succeeded') and new.kind in ('capture', 'payout', 'refund')
    and (old.status, old.amount_minor, old.returned_minor, old.provider) is distinct from (new.status, new.amount_minor,
    new.returned_minor, new.provider))
  execute function check_transfer_books();
create constraint trigger ledger_posting_books after insert on ledger_posting deferrable initially deferred
  for each row when (new.line = 1) execute function check_transfer_books();
create constraint trigger transfer_rest_books after update of rest_kept_minor on transfer deferrable initially deferred
  for each row when (old.rest_kept_minor <> new.rest_kept_minor) execute function check_transfer_books();

-- The ledger is checked once for each entry, at its first line; so a statement that writes lines has to write the first one.
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
create trigger ledger_posting_first_lines after insert on ledger_posting referencing new table as written
  for each statement execute function check_first_lines();

-- ===== Rules: transfers and payouts =====

-- Amounts, rate and terms change once at most: when a transfer is approved whose sender was promised the better rate, to a rate
-- that was published for the currency and gives the recipient more. The accepted terms are kept.
create function refuse_changed_terms() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if (new.currency, new.amount_minor, new.fee_minor, new.net_minor, new.usd_minor, new.eur_usd, new.takes_better_rate)
    is distinct from (old.currency, old.amount_minor, old.fee_minor, old.net_minor, old.usd_minor, old.eur_usd, old.takes_better_rate)
    or not (old.takes_better_rate and old.accepted_rate is null and old.state = 'in_review' and new.state = 'approved'
      and new.rate > old.rate and new.bolivianos_minor > old.bolivianos_minor
      and (new.accepted_rate, new.accepted_bolivianos_minor) is not distinct from (old.rate, old.bolivianos_minor)
      and new.bolivianos_minor = div(new.net_minor::numeric * new.rate, 1000000)
      and coalesce((select bool_or(newest.rate = new.rate) from (
        select rate from rate where currency = new.currency order by id desc limit 10) as newest), true))
  then
    raise exception 'the terms of transfer % are frozen', old.id;
  end if;
  return new;
end $$;
create trigger transfer_frozen_terms before update of currency, amount_minor, fee_minor, net_minor, usd_minor, eur_usd, rate,
  rate_since, bolivianos_minor, reference_rate, markup_basis_points, takes_better_rate, accepted_rate,
  accepted_bolivianos_minor on transfer
  for each row when ((old.currency, old.amount_minor, old.fee_minor, old.net_minor, old.usd_minor, old.eur_usd, old.rate,
    old.rate_since, old.bolivianos_minor, old.reference_rate, old.markup_basis_points, old.takes_better_rate, old.accepted_rate,
    old.accepted_bolivianos_minor) is distinct from (new.currency, new.amount_minor, new.fee_minor, new.net_minor, new.usd_minor,
    new.eur_usd, new.rate, new.rate_since, new.bolivianos_minor, new.reference_rate, new.markup_basis_points,
    new.takes_better_rate, new.accepted_rate, new.accepted_bolivianos_minor))
  execute function refuse_changed_terms();

-- A second payout pays the amount and the recipient that two people approved.
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
create constraint trigger operation_second_payout after insert on operation deferrable initially deferred
  for each row when (new.complaint_id is not null) execute function check_second_payout();

-- An operation about the rest does what its request says. All payouts and refunds together, including those that may have been
-- executed, are at most the promised amount: the rest is paid or refunded once.
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
create constraint trigger operation_rest after insert on operation deferrable initially deferred
  for each row when (new.rest_request_id is not null) execute function check_rest();

-- Target and amount of such an operation stay; re-encrypting the same target is allowed.
create function keep_second_payout() returns trigger language plpgsql set search_path = public, pg_temp as $$
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
create trigger operation_second_payout_kept before update of complaint_id, rest_request_id, payout_target, amount_minor,
  rest_minor on operation
  for each row when ((old.complaint_id is not null or old.rest_request_id is not null)
    and (old.complaint_id, old.rest_request_id, old.payout_target, old.amount_minor,
    old.rest_minor) is distinct from (new.complaint_id, new.rest_request_id, new.payout_target, new.amount_minor, new.rest_minor))
  execute function keep_second_payout();

-- Each statement of a function sees what is committed when it begins: the sums include transactions that the lock waited for.
create function lock_and_sum_sent(senders uuid[], since_day timestamptz, since_month timestamptz,
  paid_states text[]) returns table(user_id uuid, day text, month text) language plpgsql set search_path = public, pg_temp as $$
begin
  perform from app_user as u where u.id = any (senders) order by u.id for no key update;
  return query
    select t.user_id, coalesce(sum(t.usd_minor) filter (where t.paid_at > since_day), 0)::text, sum(t.usd_minor)::text
    from transfer as t
    where t.user_id = any (senders) and t.paid_at > since_month and t.state = any (paid_states)
    group by t.user_id;
end $$;

-- ===== Rules: people =====

-- Files are kept until their uploader is erased.
create function refuse_kept_file() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (select from app_user where id = old.uploaded_by_id and closed_at is not null and name = '') then
    raise exception 'the file % is kept until its sender is erased', old.id;
  end if;
  return old;
end $$;
create trigger attachment_kept before delete on attachment for each row execute function refuse_kept_file();

-- Checks are kept until their user is erased.
create function refuse_kept_identity() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (select from app_user where id = old.user_id and closed_at is not null and name = '') then
    raise exception 'the check % is kept until its person is erased', old.id;
  end if;
  return old;
end $$;
create trigger identity_check_kept before delete on identity_check for each row execute function refuse_kept_identity();

-- The second factors of an account, as rows of their tables.
create function account_factors(of_user uuid) returns jsonb language sql stable set search_path = public, pg_temp as $$
  select jsonb_build_object(
    'apps', (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from second_factor as f where f.user_id = of_user and f.confirmed_at is not null),
    'passkeys', (select coalesce(jsonb_agg(to_jsonb(w)), '[]') from webauthn_credential as w where w.user_id = of_user),
    'codes', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from recovery_code as c where c.user_id = of_user))
$$;

-- E-mail changes that can be undone, also those that an earlier version writes during a rolling deployment.
create function take_over_email_change() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into account_change (id, user_id, kind, email, factors, at, undo_until)
  values (new.id, new.user_id, 'email', new.old_email, account_factors(new.user_id), new.changed_at, new.undo_until)
  on conflict do nothing;
  return null;
end $$;
create trigger email_change_taken_over after update of undo_until on email_change
  for each row when (new.undo_until is not null and new.ended_at is null) execute function take_over_email_change();

create function take_over_email_link() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into account_change_link (token_hash, change_id)
  select new.token_hash, c.id from account_change as c where c.id = new.change_id
  on conflict do nothing;
  return null;
end $$;
create trigger email_change_link_taken_over after insert or update on email_change_link
  for each row when (new.purpose = 'undo') execute function take_over_email_link();

-- At commit, so that the head of the chain is locked briefly and no other lock is requested while it is held. Locking and
-- reading the head are two statements: the second one sees what was committed while the first one waited. Security definer: only
-- this function may write the chain.
create function link_audit_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head_position bigint;
  head_hash text;
begin
  perform pg_advisory_xact_lock(hashtext('audit_chain'));
  select position, hash into head_position, head_hash from audit_chain order by position desc limit 1;
  head_position := coalesce(head_position, 0) + 1;
  insert into audit_chain (position, entry_id, hash) values (
    head_position,
    new.id,
    encode(sha256(convert_to(json_build_array(
      head_position::text, coalesce(head_hash, ''), new.id::text,
      to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      new.kind, new.actor_id::text, new.actor_role, new.subject, new.detail, new.network
    )::text, 'UTF8')), 'hex')
  );
  return null;
end $$;
revoke execute on function link_audit_entry() from public;
create constraint trigger audit_entry_linked after insert on audit_entry deferrable initially deferred
  for each row execute function link_audit_entry();

-- ===== Rules: review, desk and complaints =====

-- Keeps the result of a screening whose names change.
create function keep_past_screening() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into past_screening (screening_key, transfer_id, screening_status, names, hits, checked_at, note, noted_by_id)
    values (old.screening_key, old.transfer_id, old.screening_status, old.names, old.hits, old.checked_at, old.note, old.noted_by_id);
  return null;
end $$;
create trigger review_past_screening after update of screening_key on review
  for each row when (old.screening_key <> new.screening_key and old.checked_at is not null)
  execute function keep_past_screening();

-- The sender is always that of the transfer, because constraints compare it with the people who request and decide.
create function set_desk_request_sender() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  select user_id into new.sender_id from transfer where id = new.transfer_id;
  return new;
end $$;
create trigger desk_request_sender before insert or update on desk_request
  for each row execute function set_desk_request_sender();

create function refuse_unapproved_release() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        if not exists (
          select from desk_request where id = new.request_id and transfer_id = new.transfer_id and outcome = 'approved'
        ) then raise exception 'a hold is released by two people only' using errcode = 'check_violation'; end if;
        return new;
      end $$;
create trigger hold_release_approved before insert or update on hold_release
  for each row execute function refuse_unapproved_release();

-- Scope, author and time of a stop never change, and a lifted stop stays lifted.
create function money_stop_keep_record() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.lifted_at is not null or (old.id, old.scope, old.rail, old.reason, old.cause, old.set_by_id, old.set_at)
    is distinct from (new.id, new.scope, new.rail, new.reason, new.cause, new.set_by_id, new.set_at) then
    raise exception 'a money stop is a record';
  end if;
  return new;
end $$;
create trigger money_stop_kept before update on money_stop for each row execute function money_stop_keep_record();

-- The sender is always that of the transfer, because constraints rely on it. What was reported is evidence.
create function keep_complaint() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  select user_id into new.sender_id from transfer where id = new.transfer_id;
  if tg_op = 'UPDATE' and (new.transfer_id, new.reason, new.wants, new.description, new.paid_from, new.regime, new.in_time, new.reported_at)
    is distinct from (old.transfer_id, old.reason, old.wants, old.description, old.paid_from, old.regime, old.in_time, old.reported_at) then
    raise exception 'what a sender reported is never changed';
  end if;
  return new;
end $$;
create trigger complaint_kept before insert or update on complaint for each row execute function keep_complaint();

-- ===== Rules: reconciliation =====

create function set_book_request_sender() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.sender_id := (select t.user_id from book_exception as e join transfer as t on t.id = e.transfer_id where e.id = new.exception_id);
  return new;
end $$;
create trigger book_request_sender before insert or update on book_request
  for each row execute function set_book_request_sender();

-- Rows of a closed day are refused. The shared lock keeps a day from being closed before the writer commits.
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

-- Days are closed in order, by the people who requested and approved it.
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

-- A posting has to match its reason: a fee the amount that Stripe took, a margin what rate and reference give, a write-off what
-- two people accepted.
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
create constraint trigger settlement_posting_reason after insert on settlement_posting deferrable initially deferred
  for each row execute function check_settlement_posting();

-- ===== Totals and search =====

-- What a transfer adds to the totals.
create function transfer_share(t transfer) returns table(day date, user_id uuid, paid_at timestamptz, paid int,
  paid_usd_minor bigint, day_usd_minor bigint, completed int, rejected int) language sql stable set search_path = public,
  pg_temp as $$
  select (coalesce(t.paid_at, t.created_at) at time zone 'America/La_Paz')::date, t.user_id, t.paid_at,
    paid::int, paid::int * t.usd_minor, (paid and t.paid_at is not null)::int * t.usd_minor,
    (t.state = 'completed')::int, (t.state = 'rejected')::int
  from (select is_paid_state(t.state) as paid) as state
  where t.id is not null
$$;

-- At commit, so that rows of totals are locked briefly; days before senders and in order, so that transactions do not deadlock.
-- Security definer: only triggers may write totals. The contributions are written out, because calling a function for them costs
-- more than the statements.
create function keep_transfer_totals() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
revoke execute on function keep_transfer_totals() from public;
create constraint trigger transfer_totals_opened after insert on transfer deferrable initially deferred
  for each row execute function keep_transfer_totals();
create constraint trigger transfer_totals after update of state, user_id, paid_at,
  usd_minor on transfer deferrable initially deferred
  for each row when ((old.user_id, old.paid_at, old.usd_minor, is_paid_state(old.state), old.state = 'completed', old.state
    = 'rejected') is distinct from (new.user_id, new.paid_at, new.usd_minor, is_paid_state(new.state), new.state = 'completed',
    new.state = 'rejected'))
  execute function keep_transfer_totals();

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
create trigger active_total_again after update of last_paid_at on sender_total
  for each row when (((old.last_paid_at at time zone 'America/La_Paz'))::date is distinct from ((new.last_paid_at at time zone
    'America/La_Paz'))::date)
  execute function keep_active_total();

create function keep_account_total() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into account_total as total (shard, accounts)
    values (pg_backend_pid() % 16, case tg_op when 'INSERT' then 1 else -1 end)
  on conflict (shard) do update set accounts = total.accounts + excluded.accounts;
  return null;
end $$;
create constraint trigger account_total after insert or delete on app_user deferrable initially deferred
  for each row execute function keep_account_total();

-- Merges the shards of past days, so that reading figures adds up fewer rows. Skips rows that a transaction is changing.
create function fold_totals(before date) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with free as materialized (
    select day, shard, paid_usd_minor, completed, rejected from transfer_day_total
    where day < before and day in (select day from transfer_day_total where day < before group by day having count(*) > 1)
    for update skip locked
  ),
  kept as (
    select day, min(shard) as shard, sum(paid_usd_minor) as paid_usd_minor, sum(completed) as completed, sum(rejected) as rejected
    from free group by day having count(*) > 1
  ),
  gone as (
    delete from transfer_day_total as total using free join kept using (day)
    where total.day = free.day and total.shard = free.shard and free.shard <> kept.shard
  )
  update transfer_day_total as total
  set paid_usd_minor = kept.paid_usd_minor, completed = kept.completed, rejected = kept.rejected
  from kept where total.day = kept.day and total.shard = kept.shard;
  with free as materialized (
    select day, shard, senders from active_total
    where day < before and day in (select day from active_total where day < before group by day having count(*) > 1)
    for update skip locked
  ),
  kept as (select day, min(shard) as shard, sum(senders) as senders from free group by day having count(*) > 1),
  gone as (
    delete from active_total as total using free join kept using (day)
    where total.day = free.day and total.shard = free.shard and free.shard <> kept.shard
  )
  update active_total as total set senders = kept.senders from kept where total.day = kept.day and total.shard = kept.shard;
end $$;

-- Security definer: only this trigger may write the table. The first argument names what changed: all, or one number.
create function keep_transfer_search() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_argv[0] = 'all' then
    insert into transfer_search as known
      (transfer_id, part, user_id, opened_at, search_text, search_amounts, amount_minor, bank_name, hashes) values (
      new.id,
      0,
      new.user_id,
      new.created_at,
      search_form(
        transfer_reference(new.id)
        || ' ' || coalesce(new.payout_target ->> 'name', '')
        || ' ' || case when new.payout_target ? 'sealed' then search_number(new.payout_target ->> 'bankAccount') else '' end
      ),
      search_amount(new.amount_minor) || search_amount(new.fee_minor) || search_amount(new.net_minor)
        || search_amount(new.bolivianos_minor) || search_amount(new.usd_minor),
      new.amount_minor,
      new.payout_target ->> 'bankName',
      array(select value from jsonb_each_text(coalesce(new.payout_target -> 'hashes', '{}')))
    ) on conflict (transfer_id, part) do update set
      user_id = excluded.user_id, search_text = excluded.search_text, search_amounts = excluded.search_amounts,
      amount_minor = excluded.amount_minor, bank_name = excluded.bank_name, hashes = excluded.hashes;
  end if;
  insert into transfer_search as known (transfer_id, part, user_id, opened_at, search_text, search_amounts)
  select new.id, number.part, new.user_id, new.created_at, search_form(search_number(number.text)), ''
  from (values
    (1::smallint, 'payment', new.payment_intent_id), (2, 'payout', new.payout_reference), (3, 'card', new.card_last4)
  ) as number (part, name, text)
  where tg_argv[0] = number.name or tg_argv[0] = 'all' and number.text is not null
  on conflict (transfer_id, part) do update set user_id = excluded.user_id, search_text = excluded.search_text;
  return null;
end $$;
revoke execute on function keep_transfer_search() from public;
create trigger transfer_search_opened after insert on transfer for each row execute function keep_transfer_search('all');
create trigger transfer_search_payment after update of payment_intent_id on transfer
  for each row when (old.payment_intent_id is distinct from new.payment_intent_id)
  execute function keep_transfer_search('payment');
create trigger transfer_search_payout after update of payout_reference on transfer
  for each row when (old.payout_reference is distinct from new.payout_reference)
  execute function keep_transfer_search('payout');
create trigger transfer_search_card after update of card_last4 on transfer
  for each row when (old.card_last4 is distinct from new.card_last4) execute function keep_transfer_search('card');
create trigger transfer_search after update of user_id, payout_target, amount_minor, fee_minor, net_minor, bolivianos_minor,
  usd_minor on transfer
  for each row when ((old.user_id, old.payout_target - 'sealed', old.amount_minor, old.fee_minor, old.net_minor,
    old.bolivianos_minor, old.usd_minor) is distinct from (new.user_id, new.payout_target - 'sealed', new.amount_minor,
    new.fee_minor, new.net_minor, new.bolivianos_minor, new.usd_minor))
  execute function keep_transfer_search('all');
