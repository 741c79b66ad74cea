import { Migration } from '@mikro-orm/migrations';

/** Transfers that their senders are reminded of, and the reminders. */
export class Repeats extends Migration {
  override up(): void {
    this.addSql(`
      create table repeat_plan (
        id uuid primary key,
        user_id uuid not null references app_user (id),
        recipient_id uuid not null references recipient (id),
        state text not null check (state in ('active', 'paused', 'ended')),
        fixed text not null check (fixed in ('pay', 'receive')),
        -- Of the currency where it is what the card pays, else centavos.
        amount_minor bigint not null check (amount_minor > 0),
        currency text not null check (currency in ('USD', 'EUR')),
        every text not null check (every in ('month', 'two_weeks')),
        day smallint null check (day between 1 and 31),
        hour smallint not null check (hour between 0 and 23),
        zone text not null,
        next_day date not null,
        next_at timestamptz not null,
        created_at timestamptz not null,
        changed_at timestamptz not null,
        constraint repeat_plan_day check ((every = 'month') = (day is not null))
      )`);
    this.addSql(`create index repeat_plan_user_id_created_at_id on repeat_plan (user_id, created_at, id)`);
    this.addSql(`create index repeat_plan_due on repeat_plan (next_at) where state = 'active'`);
    this.addSql(`
      create table repeat_reminder (
        id uuid primary key,
        plan_id uuid not null references repeat_plan (id) on delete cascade,
        user_id uuid not null references app_user (id),
        period date not null,
        created_at timestamptz not null,
        lapses_at timestamptz not null,
        skipped_at timestamptz null,
        problem text null check (problem in ('rate_unavailable', 'payments_paused', 'recipient_gone', 'amount_too_small',
          'amount_too_large', 'day_limit_reached', 'month_limit_reached')),
        -- Those that were opened with it: several where a payment was left, or its rate ran out.
        transfer_ids text[] not null default '{}',
        constraint repeat_reminder_plan_id_period_unique unique (plan_id, period)
      )`);
    this.addSql('create index repeat_reminder_user_id_created_at on repeat_reminder (user_id, created_at)');
  }
}
