import { Migration } from '@mikro-orm/migrations';

/** When an account's holder proved that they read the mail of its address; sign-up does not ask for it. */
export class VerifiedEmail extends Migration {
  override up(): void {
    this.addSql('alter table app_user add column email_verified_at timestamptz null');
    // A link of a password reset e-mail that was used proves it as well.
    this.addSql(`
      update app_user set email_verified_at = proven.at
      from (select user_id, min(ended_at) as at from password_recovery where ending = 'used' group by user_id) as proven
      where proven.user_id = app_user.id
    `);
  }
}
