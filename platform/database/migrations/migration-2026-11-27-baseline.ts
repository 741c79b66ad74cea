import { readFile } from 'node:fs/promises';
import { Migration } from '@mikro-orm/migrations';

/** Next to this file, and in `dist` below the folder of the bundles (infra/servers.ts). */
const schema = new URL(
  import.meta.url.endsWith('.ts')
    ? './migration-2026-11-27-baseline.sql'
    : '../platform/database/migrations/migration-2026-11-27-baseline.sql',
  import.meta.url,
);

/** The newest of the migrations that the baseline replaced. A database that ran it has this schema. */
const lastReplaced = '2027-03-02-transfer-rows';

/** The database cannot be migrated as it is. The message is one sentence for the operator. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused';
}

/**
 * Creates the schema of 2026-11-27 in an empty database. Where the migrations of earlier versions created it, nothing is left to do and only the
 * baseline's name is recorded (decision 62). @throws MigrationRefused where only a part of them ran.
 */
export class Baseline extends Migration {
  override async up(): Promise<void> {
    const executed = (await this.execute('select name from migration order by id')) as { name: string }[];
    const newest = executed.at(-1);
    if (!newest) return this.addSql(await readFile(schema, 'utf8'));
    if (executed.some(({ name }) => name === lastReplaced)) return;
    throw new MigrationRefused(
      `The newest migration of this database is "${newest.name}": first migrate it with the last version that has "${lastReplaced}" (docs/operations.md, "Migrations"), then again with this one.`,
    );
  }
}
