import { Migration } from '@mikro-orm/migrations';

/** Finds a page of the exceptions of one cause. */
export class ExceptionCauses extends Migration {
  override up(): void {
    this.addSql('create index book_exception_cause on book_exception (cause, found_at, id)');
  }
}
