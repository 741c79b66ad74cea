import { Migration } from '@mikro-orm/migrations';

/** Which process took an operation or an event; presence.ts says whether it still lives. */
export class TakenBy extends Migration {
  override up(): void {
    this.addSql('alter table operation add column taken_by int null;');
    this.addSql('alter table stripe_event add column taken_by int null;');
  }
}
