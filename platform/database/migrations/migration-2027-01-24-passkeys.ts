import { Migration } from '@mikro-orm/migrations';

/** Passkeys and what they are to sign. Recovery codes belong to the account, which may have passkeys and no authenticator app. */
export class Passkeys extends Migration {
  override up(): void {
    this.addSql(`
create table webauthn_credential (
  id uuid primary key,
  user_id uuid not null references app_user (id) deferrable initially deferred,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz null,
  constraint webauthn_credential_credential_id unique (credential_id)
);
create index webauthn_credential_user_id on webauthn_credential (user_id);

create table webauthn_challenge (
  challenge_hash text primary key,
  creator_id uuid null references app_user (id) deferrable initially deferred,
  expires_at timestamptz not null
);
create index webauthn_challenge_expires_at on webauthn_challenge (expires_at);

alter table recovery_code
  drop constraint recovery_code_user_id_fkey,
  add constraint recovery_code_user_id_fkey foreign key (user_id) references app_user (id) deferrable initially deferred;
`);
  }
}
