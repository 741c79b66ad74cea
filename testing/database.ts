import { openDatabase as open } from '#domain/database';
import type { Database, DatabaseOptions } from '#platform/database/database';
import { testEnvironment } from '../infra/testing/environment.ts';

const personalDataKeys = [Buffer.from(testEnvironment.PERSONAL_DATA_KEY, 'base64')];

/** Opens a test database, with the keys of its personal data. */
export async function openDatabase(url: string, options: Omit<DatabaseOptions, 'entities'> = {}): Promise<Database> {
  const database = await open(url, { ...options, personalDataKeys });
  await database.personalData.load();
  return database;
}
