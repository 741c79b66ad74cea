import { Migration } from '@mikro-orm/migrations';

const targets = ['transfer', 'complaint', 'desk_request', 'operation'];

/** Tables with personal numbers, and what a row must be: without a number, or with it encrypted. */
const encrypted: readonly (readonly [table: string, condition: string])[] = [
  ['recipient', `(ci = '' and phone = '' and bank_account = '') or sealed is not null`],
  ['name_check', `bank_account = '' or sealed is not null`],
  ['app_user', 'phone is null or phone_sealed is not null'],
  ...targets.map((table) => [table, `payout_target is null or payout_target ->> 'sealed' is not null`] as const),
];

const advice = 'run "npm run personal-data:rotate" of the version before this one, then migrate again';

/**
 * Numbers that are not encrypted are refused: whoever can write rows without the key could choose the account that is paid. Made while everything
 * goes on; what an interrupted run left is made again.
 */
export class EncryptedOnly extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [table, condition] of encrypted) {
      const name = `${table}_encrypted_check`;
      this.addSql(`
do $$ begin
  if exists (select from ${table} where not (${condition})) then
    raise exception 'numbers in ${table} are not encrypted: ${advice}';
  end if;
end $$`);
      this.addSql(`alter table ${table} drop constraint if exists ${name}`);
      this.addSql(`alter table ${table} add constraint ${name} check (${condition}) not valid`);
      this.addSql(`alter table ${table} validate constraint ${name}`);
    }
  }
}
