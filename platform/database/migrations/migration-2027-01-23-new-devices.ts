import { Migration } from '@mikro-orm/migrations';

/** Since when a browser knows an account, and since when that of a payment does. */
export class NewDevices extends Migration {
  override up(): void {
    this.addSql(`
-- The version before this one writes rows without the column.
alter table known_device add column first_sign_in_at timestamptz not null default now();
-- Nobody knows it of these: they are as old as their account, and no reason to look twice.
update known_device as d set first_sign_in_at = u.created_at from app_user as u where u.id = d.user_id;
alter table payment_origin add column device_since timestamptz null;
`);
  }
}
