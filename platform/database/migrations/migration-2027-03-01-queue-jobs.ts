import { Migration } from '@mikro-orm/migrations';

const tables = ['operation', 'stripe_event', 'review', 'name_check', 'mail', 'web_push', 'webhook_delivery'];

/** Rows count the jobs that were added for them, and know no processes any more; paused queues are remembered. */
export class QueueJobs extends Migration {
  override up(): void {
    for (const table of tables) this.addSql(`alter table ${table} add column dispatch int not null default 1`);
    for (const table of ['operation', 'stripe_event', 'mail']) this.addSql(`alter table ${table} drop column taken_by`);
    // Null means that there is nothing left to do, as in every table of rows with jobs.
    this.addSql('alter table stripe_event alter column next_attempt_at drop not null');
    this.addSql('update mail set next_attempt_at = null where sent_at is not null or refused_at is not null');
    this.addSql('update stripe_event set next_attempt_at = null where handled_at is not null');
    this.addSql('drop index stripe_event_handled_at_next_attempt_at');
    this.addSql(
      'create index stripe_event_next_attempt_at on stripe_event (next_attempt_at) where next_attempt_at is not null',
    );
    this.addSql('alter table operation add column attempt_started_at timestamptz');
    this.addSql(`
      create table queue_pause (
        queue text primary key,
        paused_at timestamptz not null,
        paused_by_id uuid not null references app_user
      )`);
  }
}
