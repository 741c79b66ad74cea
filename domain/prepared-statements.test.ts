import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, EntityManager } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { findSession } from './accounts/session.repository.ts';
import { takeDueEmails } from './notifications/email.repository.ts';
import { takeDueWebPushes } from './notifications/web-push.repository.ts';
import { takeDueOperations } from './operations/due-operations.repository.ts';
import { takeDueEvents } from './payments/stripe-event.repository.ts';
import { findReview, findReviewed } from './review/review.repository.ts';
import { openDatabase } from './testing/database.ts';
import { findTransfer } from './transfers/transfer.repository.ts';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  // All of them on one connection, which has prepared each before the columns are added.
  database = await openDatabase(testDatabase.url, { poolMax: 1 });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

const now = new Date();
const id = randomUUID();
const due = { now, takenBy: 1, limit: 1 };

/** Every prepared statement that returns whole rows of a table. */
const statements: Readonly<Record<string, (em: EntityManager) => Promise<unknown>>> = {
  session: (em) => findSession(em, 'none', now),
  transfer: (em) => findTransfer(em, id),
  review: (em) => findReview(em, id),
  'reviewed transfer': (em) => findReviewed(em, id, now),
  'e-mails': (em) => takeDueEmails(em, due),
  notifications: (em) => takeDueWebPushes(em, due),
  'Stripe events': (em) => takeDueEvents(em, due),
  'operations at Stripe': (em) => takeDueOperations(em, { provider: 'stripe', ...due }),
  'operations at the bank': (em) => takeDueOperations(em, { provider: 'bank', ...due }),
};

test('statements that were prepared before a migration added columns go on after it', async () => {
  const failed = async () => {
    const names: string[] = [];
    for (const [name, run] of Object.entries(statements)) await run(database.fork()).catch(() => names.push(name));
    return names;
  };
  expect(await failed()).toEqual([]);
  await testDatabase.asOwner(`do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('alter table %I add column added_later text null', name);
    end loop;
  end $$`);
  expect(await failed()).toEqual([]);
});
