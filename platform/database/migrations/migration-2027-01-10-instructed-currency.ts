import { Migration } from '@mikro-orm/migrations';

/** A line of a statement says in which currency the bank was told to pay, where the bank knows it; its amount is in the account's. */
export class InstructedCurrency extends Migration {
  override up(): void {
    this.addSql('alter table bank_entry add column instructed_currency text null');
  }
}
