import { Migration } from '@mikro-orm/migrations';

const indexes = [
  // News of a sender: transfers by when they changed last.
  ['transfer_user_id_changed_at', 'transfer (user_id, changed_at)'],
  // The last payment to each of a sender's recipients.
  ['transfer_user_id_recipient_id_paid_at', 'transfer (user_id, recipient_id, paid_at) where paid_at is not null'],
  // What was imported last up to a day.
  ['stripe_entry_imported_at', 'stripe_entry (imported_at, day)'],
  // What is deleted after its time, and sent e-mails of a person.
  ['mail_created_at', 'mail (created_at)'],
] as const;

/** Indexes of lists that grow with the years, made while everything goes on. What an interrupted run left is made anew. */
export class ListIndexes extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, columns] of indexes) {
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on ${columns}`);
    }
  }
}
