import { Migration } from '@mikro-orm/migrations';

/** The rate desk's paper: who wanted which rate and why, pauses, what banks pay, alerts of senders, e-mails. */
export class RateDesk extends Migration {
  override up(): void {
    for (const part of [changes, runs, pauses, banks, alerts, mails]) this.addSql(part);
  }
}

const changes = `
create table rate_change (
  id bigserial primary key,
  currency text not null,
  rate bigint not null check (rate > 0),
  previous_rate bigint null,
  state text not null,
  proposed_by_id uuid not null references app_user (id),
  proposed_at timestamptz not null,
  -- Since when it waits for a second person; a scheduled one may come to wait again.
  awaiting_since timestamptz null,
  reason text null,
  guard_rails text[] not null,
  decided_by_id uuid null references app_user (id),
  decided_at timestamptz null,
  activate_at timestamptz null,
  activated_at timestamptz null,
  constraint rate_change_currency_check check (currency in ('USD', 'EUR')),
  constraint rate_change_state_check check (state in ('awaiting_confirmation', 'scheduled', 'activated', 'declined',
    'cancelled', 'expired')),
  constraint rate_change_guard_rails_check check (guard_rails <@ array['step_too_large', 'above_reference',
    'stale_sources']),
  constraint rate_change_activated_at_check check ((state = 'activated') = (activated_at is not null)),
  constraint rate_change_awaiting_check check (state <> 'awaiting_confirmation' or awaiting_since is not null),
  constraint rate_change_scheduled_check check (state <> 'scheduled' or activate_at is not null),
  -- Nobody passes a guard-rail alone, whatever the code above says.
  constraint rate_change_second_person check (guard_rails = '{}' or state not in ('scheduled', 'activated')
    or (reason is not null and decided_by_id is not null and decided_by_id <> proposed_by_id))
);
create index rate_change_currency_id on rate_change (currency, id);
create unique index rate_change_one_open on rate_change (currency) where state in ('awaiting_confirmation', 'scheduled');

-- What was set before there were changes: by one person, and nothing was asked.
insert into rate_change (currency, rate, state, proposed_by_id, proposed_at, guard_rails, activated_at)
  select currency, rate, 'activated', set_by_id, created_at, '{}', created_at from rate order by id;
alter table rate add column change_id bigint null references rate_change (id);
create unique index rate_change_id_unique on rate (change_id);
`;

const runs = `
-- Why a run has no results: its worker was lost, or nobody was there to open it (then it spans the missing windows).
alter table rate_run add column outcome text null;
alter table rate_run add column missed_windows int null check (missed_windows > 0);
update rate_run set outcome = case when results is null then 'abandoned' else 'collected' end where finished_at is not null;
alter table rate_run add constraint rate_run_outcome_check check (outcome in ('collected', 'abandoned', 'missed'));
alter table rate_run add constraint rate_run_outcome_told check (
  (outcome is not null) = (finished_at is not null) and (outcome = 'missed') = (missed_windows is not null));
create index rate_run_finished_at on rate_run (finished_at);
`;

const pauses = `
create table rate_pause (
  id bigserial primary key,
  currency text not null,
  paused_at timestamptz not null,
  resumed_at timestamptz null,
  constraint rate_pause_currency_check check (currency in ('USD', 'EUR'))
);
create unique index rate_pause_one_open on rate_pause (currency) where resumed_at is null;
`;

const banks = `
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
`;

const alerts = `
create table rate_alert (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  currency text not null,
  rate bigint not null check (rate > 0),
  created_at timestamptz not null,
  fired_at timestamptz null,
  fired_rate bigint null check (fired_rate >= rate),
  constraint rate_alert_currency_check check (currency in ('USD', 'EUR')),
  constraint rate_alert_fired_check check ((fired_at is null) = (fired_rate is null))
);
create index rate_alert_user_id_created_at on rate_alert (user_id, created_at desc, id);
create index rate_alert_waiting on rate_alert (currency, rate) where fired_at is null;
`;

const mails = `
create table mail (
  id uuid primary key,
  -- What it is about, once: a job that runs twice writes one e-mail.
  key text not null,
  user_id uuid not null references app_user (id),
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null,
  sent_at timestamptz null,
  -- The mail server does not want it, now or ever.
  refused_at timestamptz null,
  constraint mail_end_check check (sent_at is null or refused_at is null),
  constraint mail_key_unique unique (key)
);
create index mail_unsent on mail (created_at) where sent_at is null and refused_at is null;
`;
