import { Migration } from '@mikro-orm/migrations';

/** Changes of an account's e-mail address, and e-mails to another address than the account's. */
export class EmailChanges extends Migration {
  override up(): void {
    this.addSql('alter table mail add column to_address text null');
    this.addSql(`create table email_change (
      id uuid primary key,
      user_id uuid not null references app_user (id) deferrable initially deferred,
      session_id uuid not null,
      old_email text not null,
      new_email text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      changed_at timestamptz null,
      undo_until timestamptz null,
      ended_at timestamptz null,
      constraint email_change_undo_check check (undo_until is null or changed_at is not null)
    )`);
    this.addSql('create index email_change_user_id_created_at on email_change (user_id, created_at)');
    this.addSql('create index email_change_old_email on email_change (old_email) where undo_until is not null');
    this.addSql('create index email_change_created_at on email_change (created_at)');
    this.addSql(`create table email_change_link (
      token_hash text primary key,
      change_id uuid not null references email_change (id) on delete cascade deferrable initially deferred,
      purpose text not null constraint email_change_link_purpose_check check (purpose in ('confirm', 'undo'))
    )`);
    this.addSql('create index email_change_link_change_id on email_change_link (change_id)');
  }
}
