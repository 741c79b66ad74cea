import { Migration } from '@mikro-orm/migrations';

/** Steps of a transfer write e-mails themselves; a person may switch some of them off. */
export class StepEmails extends Migration {
  override up(): void {
    this.addSql(`alter table app_user add column muted_emails text[] not null default '{}'`);
    // The last e-mail about new transfers says when the next one may be written.
    this.addSql(`create index mail_transfers_waiting on mail (created_at) where kind = 'transfers_waiting'`);
  }
}
