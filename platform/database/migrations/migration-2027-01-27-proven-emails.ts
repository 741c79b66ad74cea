import { Migration } from '@mikro-orm/migrations';

const text = `
create table email_proof (
  token_hash text primary key,
  user_id uuid not null,
  email text not null,
  code_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint email_proof_user_id_fkey foreign key (user_id) references app_user (id) on delete cascade deferrable initially deferred
);
create index email_proof_user_id on email_proof (user_id);
create index email_proof_expires_at on email_proof (expires_at);

-- Whose money arrived has read what we wrote about it, or would have told us; nobody who sends already is stopped by the new rule.
update app_user set email_verified_at = arrived.at
from (select user_id, min(changed_at) as at from transfer where state = 'completed' group by user_id) as arrived
where arrived.user_id = app_user.id and email_verified_at is null;
`;

/** Links and codes that prove an account's address, which the first payment needs (decision 49). */
export class ProvenEmails extends Migration {
  override up(): void {
    this.addSql(text);
  }
}
