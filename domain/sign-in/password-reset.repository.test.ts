import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../database.ts';
import { Email } from '../emails/email.entity.ts';
import { PasswordReset } from './password-reset.entity.ts';
import { createResetLink, issuePasswordReset, requestPasswordReset } from './password-reset.repository.ts';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 6 });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const now = new Date('2026-11-21T12:00:00Z');
const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

/** Requests a reset and returns the id that the job carries. */
async function ask(email: string, at = now): Promise<string> {
  await database.transaction(async (em) => requestPasswordReset(em, { email, at }));
  const [row] = await database
    .fork()
    .find(OutboxRow, { name: 'issue-password-reset' }, { orderBy: { id: 'desc' }, limit: 1 });
  return String(row?.data.resetId);
}
const answer = (id: string, at = now) => database.transaction((em) => issuePasswordReset(em, id, at));
const stored = (id: string) => database.fork().findOne(PasswordReset, { id });
const link = (id: string, at = now) => database.transaction((em) => createResetLink(em, id, at));

test('a request for an unknown address is deleted without an e-mail', async () => {
  const id = await ask('nadie@example.com');
  await answer(id);
  expect(await stored(id)).toBeNull();
  expect(await database.fork().count(Email)).toBe(0);
});

test('a password reset forgets the address as typed and writes one e-mail, however many jobs run', async () => {
  const { id: userId, email } = await createTestUser(database);
  const id = await ask(email);
  await Promise.all([answer(id), answer(id), answer(id)]);
  await answer(id);
  expect(await stored(id)).toMatchObject({ email: null, userId, endedAt: null });
  const mails = await database.fork().find(Email, { userId });
  expect(mails.map(({ kind, data }) => [kind, data])).toEqual([['password_recovery', { resetId: id }]]);
});

test('the newest request wins, whatever the order of the jobs', async () => {
  for (const inOrder of [(ids: string[]) => ids, (ids: string[]) => ids.toReversed(), null]) {
    const { id: userId, email } = await createTestUser(database);
    const ids = [await ask(email, now), await ask(email, after(1)), await ask(email, after(2))];
    if (inOrder) for (const id of inOrder(ids)) await answer(id, after(3));
    else await Promise.all(ids.map((id) => answer(id, after(3))));
    const open = await database.fork().find(PasswordReset, { userId, endedAt: null });
    expect(open.map(({ id }) => id)).toEqual([ids[2]]);
    expect((await stored(ids[0] as string))?.ending).toBe('replaced');
    expect(await link(ids[1] as string, after(3))).toBeNull();
    expect(await link(ids[2] as string, after(3))).toMatch(/^[\w-]{43}$/);
  }
});

test('a request that is processed or sent too late creates no link', async () => {
  const { email } = await createTestUser(database);
  const late = await ask(email);
  await answer(late, after(60));
  expect(await stored(late)).toBeNull();
  const id = await ask(email);
  await answer(id, after(59));
  expect(await link(id, after(59))).not.toBeNull();
  expect(await link(id, after(60))).toBeNull();
});
