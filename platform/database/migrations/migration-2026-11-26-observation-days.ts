import { Migration } from '@mikro-orm/migrations';

/** The day a source says its figure is of: a fixing that is served for weeks is not fresh because it was read today. */
export class ObservationDays extends Migration {
  override up(): void {
    this.addSql('alter table rate_observation add column as_of date null');
  }
}
