import { Migration } from '@mikro-orm/migrations';

/** What helps to decide about transfers: the check of their names, what is known of their cards, and indexes to find similar ones by. */
export class Review extends Migration {
  override up(): void {
    this.addSql(`
alter table transfer add column card_country text null, add column card_holder text null;
create index transfer_account on transfer ((payout_target ->> 'bankAccount')) where paid_at is not null;
create index transfer_card on transfer (card_last4, card_brand) where paid_at is not null;
create index transfer_to_decide on transfer (capture_before, id) where state = 'in_review';

create table review (
  transfer_id uuid primary key references transfer (id),
  version int not null,
  screening_key text not null,
  screening_status text not null,
  names jsonb not null,
  attempts int not null,
  next_attempt_at timestamptz null,
  last_error text null,
  hits jsonb not null,
  checked_at timestamptz null,
  note text null,
  noted_by_id uuid null references app_user (id),
  constraint review_screening_key_unique unique (screening_key),
  constraint review_screening_status_check check (screening_status in ('pending', 'clear', 'hit', 'blocked', 'unavailable', 'checked', 'off')),
  constraint review_pending_is_due check ((screening_status = 'pending') = (next_attempt_at is not null)),
  constraint review_checked_by_a_person check (screening_status <> 'checked' or (note is not null and noted_by_id is not null))
);
create index review_next_attempt_at on review (next_attempt_at) where next_attempt_at is not null;

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
-- What a person said of a name is evidence.
create trigger name_clearance_append_only before update or delete on name_clearance for each row execute function refuse_change();
create trigger name_clearance_kept_whole before truncate on name_clearance execute function refuse_change();
`);
  }
}
