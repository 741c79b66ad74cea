import { Migration } from '@mikro-orm/migrations';

/** Which of Stripe's fraud warnings a transfer has: people overrule one of them, and not the next one of the same type. */
export class WarningIds extends Migration {
  override up(): void {
    this.addSql('alter table transfer add column fraud_warning_id text null');
  }
}
