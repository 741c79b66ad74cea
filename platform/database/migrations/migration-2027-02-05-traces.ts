import { Migration } from '@mikro-orm/migrations';

/** Operations carry the trace that led to them, as jobs and pushes do in their data. Null, and so made in an instant, where nothing is traced. */
export class Traces extends Migration {
  override up(): void {
    this.addSql('alter table operation add column traceparent text null');
  }
}
