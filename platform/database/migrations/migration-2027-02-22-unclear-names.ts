import { Migration } from '@mikro-orm/migrations';

/** A check of names that sanctions lists may not recognise ends as `unclear`, never as `clear`. */
export class UnclearNames extends Migration {
  override up(): void {
    this.addSql(`
alter table review drop constraint review_screening_status_check;
alter table review add constraint review_screening_status_check
  check (screening_status in ('pending', 'clear', 'hit', 'blocked', 'unavailable', 'checked', 'unclear', 'off'));
`);
  }
}
