import { Migration } from '@mikro-orm/migrations';

/**
 * Nobody decides about a transfer of their own. `not valid`: rows written before the rule are history and stay, every row
 * written from now on is checked.
 */
export class OwnTransfers extends Migration {
  override up(): void {
    this.addSql(`
      alter table transfer
        add constraint transfer_not_decided_by_its_sender check (decided_by_id <> user_id) not valid
    `);
  }
}
