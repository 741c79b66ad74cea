import { Migration } from '@mikro-orm/migrations';

/** A worker claims an e-mail before it sends it, instead of holding the row's lock while the mail server answers. */
export class EmailClaims extends Migration {
  override up(): void {
    this.addSql('alter table mail add column claimed_at timestamptz');
  }
}
