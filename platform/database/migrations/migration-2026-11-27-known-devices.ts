import { Migration } from '@mikro-orm/migrations';

/** Browsers that signed in to an account before: guesses made elsewhere do not keep them out. */
export class KnownDevices extends Migration {
  override up(): void {
    this.addSql(`
      create table known_device (
        secret_hash text not null,
        user_id uuid not null references app_user (id) on delete cascade deferrable initially deferred,
        last_sign_in_at timestamptz not null,
        primary key (secret_hash, user_id)
      )
    `);
    this.addSql('create index known_device_user_id_index on known_device (user_id)');
    this.addSql('create index known_device_last_sign_in_at_index on known_device (last_sign_in_at)');
  }
}
