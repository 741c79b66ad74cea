import { Migration } from '@mikro-orm/migrations';

/** People who forgot their password, and the links that let them set a new one. */
export class PasswordRecoveries extends Migration {
  override up(): void {
    this.addSql(recoveries);
    this.addSql(links);
  }
}

const recoveries = `
create table password_recovery (
  id uuid primary key,
  email text null,
  user_id uuid null references app_user (id) on delete cascade deferrable initially deferred,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz null,
  ending text null,
  constraint password_recovery_ending_check check (ending in ('used', 'replaced')),
  constraint password_recovery_end_check check ((ended_at is null) = (ending is null)),
  -- Either an address that nobody has looked up, or a person.
  constraint password_recovery_whose_check check ((email is null) <> (user_id is null))
);
create index password_recovery_user_id_index on password_recovery (user_id);
create index password_recovery_expires_at_index on password_recovery (expires_at);
`;

const links = `
create table password_recovery_link (
  token_hash text primary key,
  recovery_id uuid not null references password_recovery (id) on delete cascade deferrable initially deferred
);
create index password_recovery_link_recovery_id_index on password_recovery_link (recovery_id);
`;
