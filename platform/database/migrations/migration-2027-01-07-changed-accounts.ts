import { Migration } from '@mikro-orm/migrations';

/** A recipient knows since when it has its account, so that a sender is warned before paying to one that changed. */
export class ChangedAccounts extends Migration {
  override up(): void {
    this.addSql('alter table recipient add column account_changed_at timestamptz null');
  }
}
