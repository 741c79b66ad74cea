import { Migration } from '@mikro-orm/migrations';

/** In which language a person reads; who has an account already reads Spanish. */
export class UserLocale extends Migration {
  override up(): void {
    this.addSql(`alter table app_user add column locale text not null default 'es';`);
    this.addSql(`alter table app_user add constraint app_user_locale_check check (locale in ('es', 'en'));`);
  }
}
