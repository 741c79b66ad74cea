import { Migration } from '@mikro-orm/migrations';

/** In which currency a person prefers to pay, and when they closed their account. */
export class ClosedAccounts extends Migration {
  override up(): void {
    this.addSql(`alter table app_user
      add column preferred_currency text null constraint app_user_preferred_currency_check
        check (preferred_currency in ('USD', 'EUR')),
      add column closed_at timestamptz null`);
    this.addSql('create index app_user_closed_at on app_user (closed_at) where closed_at is not null');
  }
}
