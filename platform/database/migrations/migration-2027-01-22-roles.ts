import { Migration } from '@mikro-orm/migrations';

/** What each admin may do. Who was an admin before is an owner; whom an earlier version makes one may nothing until an owner says. */
export class AdminRoles extends Migration {
  override up(): void {
    this.addSql(`alter table app_user add column admin_role text null
      constraint app_user_admin_role_check check (admin_role in ('support', 'reviewer', 'treasurer', 'owner'))`);
    this.addSql(`update app_user set admin_role = 'owner' where role = 'admin'`);
    this.addSql('create index app_user_admin_role on app_user (admin_role) where admin_role is not null');
  }
}
