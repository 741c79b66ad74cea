import { Migration } from '@mikro-orm/migrations';

/** What a person needs to know a session of theirs by. */
export class SessionDevices extends Migration {
  override up(): void {
    this.addSql(`alter table session
      add column browser text null,
      add column system text null,
      -- The default is for processes of the version before, which write no such column.
      add column last_seen_at timestamptz not null default now()`);
    this.addSql('update session set last_seen_at = created_at');
    this.addSql('create index session_user_id_created_at_id on session (user_id, created_at, id)');
    this.addSql('drop index session_user_id_index');
  }
}
