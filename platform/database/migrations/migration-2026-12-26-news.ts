import { Migration } from '@mikro-orm/migrations';

/** Until when a person has read their news, which are made of what is stored anyway. */
export class News extends Migration {
  override up(): void {
    this.addSql('alter table app_user add column news_read_until timestamptz not null default now()');
  }
}
