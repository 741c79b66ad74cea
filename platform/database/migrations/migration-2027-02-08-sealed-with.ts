import { Migration } from '@mikro-orm/migrations';

/** Rows with encrypted numbers, and what of them is encrypted: as rotate-encryption-keys.ts has them. */
const encrypted = [
  ['name_check', 'sealed', `bank_account <> ''`],
  ['recipient', 'sealed', `bank_account <> ''`],
  ['app_user', 'phone_sealed', 'phone is not null'],
  ['identity_check', 'sealed', 'sealed is not null'],
  ['transfer', `payout_target ->> 'sealed'`, 'payout_target is not null'],
  ['complaint', `payout_target ->> 'sealed'`, 'payout_target is not null'],
] as const;

/**
 * With which key each row is encrypted: every hour looks for those of another than the newest, and read them all. Nearly all have the same one, so
 * the indexes are small. Made while everything goes on; what an interrupted run left is made anew.
 */
export class SealedWith extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [table, sealed, where] of encrypted) {
      this.addSql(`drop index concurrently if exists ${table}_sealed_with`);
      this.addSql(
        `create index concurrently ${table}_sealed_with on ${table} (coalesce(left(${sealed}, 9), '')) where ${where}`,
      );
    }
  }
}
