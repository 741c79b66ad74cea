import { Migration } from '@mikro-orm/migrations';

/** An e-mail says itself when it is to be sent, as operations and Stripe's events do; no job asks for it. */
export class DueEmails extends Migration {
  override up(): void {
    this.addSql('drop index mail_unsent');
    this.addSql(`alter table mail
      add column attempts int not null default 0,
      -- The default is for processes of the version before, which write no such column.
      add column next_attempt_at timestamptz null default now(),
      add column taken_by int null,
      drop column claimed_at`);
    this.addSql('update mail set next_attempt_at = null where sent_at is not null or refused_at is not null');
    this.addSql('create index mail_due on mail (next_attempt_at) where next_attempt_at is not null');
  }
}
