import { Migration } from '@mikro-orm/migrations';

/** What the bank says of whose a recipient's account is, a row for each name and account that it is asked about. */
export class NameChecks extends Migration {
  override up(): void {
    this.addSql(`
-- The default is for processes of the version before, which write no such column.
alter table recipient add column version int not null default 1;

create table name_check (
  id uuid primary key,
  recipient_id uuid not null references recipient (id),
  user_id uuid not null references app_user (id),
  name text not null,
  bank_name text not null,
  bank_account text not null,
  status text not null,
  -- Masked: whose the account is stays between the bank and its customer.
  bank_says text null,
  attempts int not null,
  next_attempt_at timestamptz null,
  last_error text null,
  asked_at timestamptz not null,
  answered_at timestamptz null,
  confirmed_at timestamptz null,
  constraint name_check_status_check
    check (status in ('pending', 'match', 'close', 'different', 'unsupported', 'unavailable', 'withdrawn')),
  constraint name_check_pending_is_due check ((status = 'pending') = (next_attempt_at is not null)),
  constraint name_check_confirmed_check check (confirmed_at is null or status in ('close', 'different'))
);
create index name_check_recipient_id_asked_at on name_check (recipient_id, asked_at);
create index name_check_user_id_asked_at on name_check (user_id, asked_at);
create index name_check_next_attempt_at on name_check (next_attempt_at) where next_attempt_at is not null;
`);
  }
}
