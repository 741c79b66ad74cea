import { Migration } from '@mikro-orm/migrations';

const text = `
-- All empty at first; a version before goes on and replaces no secret.
alter table session
  add column replaced_hash text null,
  add column replaced_until timestamptz null,
  add column replaced_factor_at timestamptz null,
  add column password_at timestamptz null;
alter table session add constraint session_replaced_hash unique (replaced_hash);
`;

/** Secrets of sessions that are replaced when their person proves again who they are, and when a password was typed again. */
export class ReplacedSecrets extends Migration {
  override up(): void {
    this.addSql(text);
  }
}
