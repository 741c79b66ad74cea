import { Migration } from '@mikro-orm/migrations';

/** Second factors with their recovery codes, sign-ins that wait for one, and when a session last proved one. */
export class SecondFactors extends Migration {
  override up(): void {
    this.addSql(`
alter table session add column factor_at timestamptz null;

create table second_factor (
  user_id uuid primary key references app_user (id) deferrable initially deferred,
  secret text not null,
  started_at timestamptz not null,
  confirmed_at timestamptz null,
  last_step int not null default 0
);

create table recovery_code (
  user_id uuid not null references second_factor (user_id) on delete cascade deferrable initially deferred,
  code_hash text not null,
  used_at timestamptz null,
  primary key (user_id, code_hash)
);

create table pending_sign_in (
  token_hash text primary key,
  user_id uuid not null references app_user (id) deferrable initially deferred,
  remember boolean not null,
  expires_at timestamptz not null
);
create index pending_sign_in_user_id on pending_sign_in (user_id);
create index pending_sign_in_expires_at on pending_sign_in (expires_at);
`);
  }
}
