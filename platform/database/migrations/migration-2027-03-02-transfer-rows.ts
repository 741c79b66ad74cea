import { Migration } from '@mikro-orm/migrations';

/** The rows about a transfer are found by it: its page lists the jobs that work on them. */
export class TransferRows extends Migration {
  override up(): void {
    this.addSql(
      `create index mail_transfer_id on mail ((data ->> 'transferId')) where data ->> 'transferId' is not null`,
    );
    this.addSql('create index web_push_transfer_id on web_push (transfer_id)');
    this.addSql('create index webhook_delivery_transfer_id on webhook_delivery (transfer_id)');
  }
}
