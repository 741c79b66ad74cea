import { Migration } from '@mikro-orm/migrations';

/** What price and rate sources said, and the runs that asked them. Observations are never rewritten. */
export class RateObservations extends Migration {
  override up(): void {
    this.addSql(`
create table rate_run (
  id uuid primary key,
  trigger text not null,
  amount_minor bigint null check (amount_minor > 0),
  started_at timestamptz not null,
  finished_at timestamptz null,
  results jsonb null,
  constraint rate_run_trigger_check check (trigger in ('scheduled', 'forced'))
);
create index rate_run_started_at on rate_run (started_at);
-- One run at a time, whoever asks for it.
create unique index rate_run_one_open on rate_run ((true)) where finished_at is null;

create table rate_observation (
  id bigserial primary key,
  run_id uuid not null references rate_run (id) deferrable initially deferred,
  source text not null,
  kind text not null,
  competitor text null,
  pair text not null,
  amount_minor bigint null check (amount_minor > 0),
  rate bigint not null check (rate > 0),
  fee_minor bigint null check (fee_minor >= 0),
  raw_hash text not null,
  outlier boolean not null,
  observed_at timestamptz not null,
  constraint rate_observation_kind_check check (kind in ('price', 'reference')),
  constraint rate_observation_pair_check check (pair in ('USD/BOB', 'EUR/BOB', 'EUR/USD')),
  constraint rate_observation_price_is_whole check ((kind = 'price') = (competitor is not null and amount_minor is not null
    and fee_minor is not null))
);
create index rate_observation_kind_pair_observed_at on rate_observation (kind, pair, observed_at);
create trigger rate_observation_append_only before update or delete on rate_observation
  for each row execute function refuse_change();
create trigger rate_observation_kept_whole before truncate on rate_observation execute function refuse_change();
`);
  }
}
