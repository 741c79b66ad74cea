import { Migration } from '@mikro-orm/migrations';

/** Until when the sender of a payout that failed may name another account; what waits already has a week from now on. */
export class AccountCorrection extends Migration {
  override up(): void {
    this.addSql('alter table transfer add column correct_account_by timestamptz null;');
    this.addSql(`update transfer set correct_account_by = now() + interval '7 days' where state = 'payout_failed';`);
  }
}
