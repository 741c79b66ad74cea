import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFor } from '#platform/caller';
import type { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { openDatabase } from '../database.ts';
import { auditCsv, findAuditPage, writeAudit } from './audit.repository.ts';
import { verifyAudit } from './verify.ts';

let test: TestDatabase;
let database: Database;
let owner: Client;

beforeAll(async () => {
  test = await createTestDatabase();
  database = await openDatabase(test.url, { poolMax: 8 });
  owner = new Client({ connectionString: test.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.close();
  await test.drop();
});

const write = (subject: string) =>
  database.transaction((em) =>
    writeAudit(em, 'case_noted', { subject, detail: { text: 'é "\\\u2028\u0007', at: 1n } }),
  );

describe('the chain of the audit log', () => {
  it('is complete and without gaps after many concurrent writers, some of which rolled back', async () => {
    const refused = database.transaction(async (em) => {
      await writeAudit(em, 'case_noted', { subject: 'refused' });
      throw new Error('rolled back');
    });
    const writers = Array.from({ length: 40 }, (_, index) => write(`concurrent-${index}`));
    const outcomes = await Promise.allSettled([refused, ...writers]);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    // Two entries of one transaction have separate links.
    await database.transaction(async (em) => {
      await writeAudit(em, 'case_noted');
      await writeAudit(em, 'case_acted');
    });
    const found = await verifyAudit(database);
    expect(found).toMatchObject({ checked: 42, broken: null });
    const { rows } = await owner.query('select min(position)::int, max(position)::int, count(*)::int from audit_chain');
    expect(rows).toEqual([{ min: 1, max: 42, count: 42 }]);
  });

  /** Runs statements with the triggers off, as only the owner of the tables can, and reverts them after `look`. */
  async function tamper(statements: string, look: () => Promise<void>): Promise<void> {
    await owner.query(`
      create table kept_entries as table audit_entry; create table kept_links as table audit_chain;
      set session_replication_role = 'replica'; ${statements}`);
    try {
      await look();
    } finally {
      await owner.query(`
        truncate audit_entry, audit_chain;
        insert into audit_entry table kept_entries; insert into audit_chain table kept_links;
        drop table kept_entries, kept_links; set session_replication_role = 'origin'`);
    }
  }
  const seventh = '(select entry_id from audit_chain where position = 7)';

  it.each([
    ['an entry was changed', `update audit_entry set detail = '{}' where id = ${seventh}`, 7, 'changed'],
    [
      'a time was changed by a microsecond',
      `update audit_entry set at = at + '1 us' where id = ${seventh}`,
      7,
      'changed',
    ],
    ['an entry was deleted', `delete from audit_entry where id = ${seventh}`, 7, 'entry_missing'],
    ['an entry and its link were deleted', 'delete from audit_chain where position = 7', 7, 'link_missing'],
    ['a link was changed', `update audit_chain set hash = repeat('0', 64) where position = 7`, 7, 'changed'],
    [
      'two links were exchanged',
      'update audit_chain set position = -8 where position = 7; update audit_chain set position = 7 where position = 8; update audit_chain set position = 8 where position = -8',
      7,
      'changed',
    ],
    [
      'an entry was inserted without a link',
      `insert into audit_entry (id, at, kind, detail) values ('${randomUUID()}', now(), 'signed_in', '{}')`,
      null,
      'unlinked',
    ],
  ])('names the row when %s', async (_what, statements, position, problem) => {
    const entry = (await owner.query('select entry_id from audit_chain where position = 7')).rows[0]?.entry_id;
    await tamper(statements, async () => {
      const { broken, checked } = await verifyAudit(database);
      expect(broken).toMatchObject({ position, problem });
      if (position !== null) expect(checked).toBe(position - 1);
      if (problem === 'changed' && !statements.includes('-8')) expect(broken?.entry_id).toBe(entry);
    });
    expect((await verifyAudit(database)).broken).toBe(null);
  });

  it('reveals by a recorded end that its last rows were removed or rewritten', async () => {
    const { checked: position, head_hash: hash } = await verifyAudit(database);
    const anchor = { position, hash: hash ?? '' };
    expect((await verifyAudit(database, anchor)).broken).toBe(null);
    await tamper(
      `delete from audit_chain where position = ${position}; delete from audit_entry
        where not exists (select from audit_chain where entry_id = audit_entry.id)`,
      async () => {
        expect((await verifyAudit(database)).broken).toBe(null);
        expect((await verifyAudit(database, anchor)).broken).toMatchObject({ position, problem: 'link_missing' });
        await write('in its place');
        expect((await verifyAudit(database, anchor)).broken).toMatchObject({ position, problem: 'rewritten' });
      },
    );
  });
});

describe('the entries of the audit log', () => {
  it('contain actor and network, and are found by each filter, page by page', async () => {
    const [personId, subject] = [randomUUID(), randomUUID()];
    const caller = { personId, role: 'admin', network: '203.0.113.0/24', written: new Set<string>() };
    await runFor(caller, () => write(subject));
    expect([...caller.written]).toEqual(['case_noted']);
    const all = { limit: 100 };
    const { items } = await findAuditPage(database.fork(), { ...all, actor: personId });
    expect(items).toMatchObject([{ subject, actor_id: personId, actor_role: 'admin', network: '203.0.113.0/24' }]);
    expect(items[0]?.position).toBeGreaterThan(0);
    const count = async (filter: object) => (await findAuditPage(database.fork(), { ...all, ...filter })).items.length;
    expect(await count({ subject })).toBe(1);
    expect(await count({ subject, kind: 'case_acted' })).toBe(0);
    expect(await count({ kind: 'case_acted' })).toBe(1);
    expect(await count({ subject, to: '2026-01-01' })).toBe(0);
    expect(await count({ subject, from: '2026-01-01' })).toBe(1);
    const first = await findAuditPage(database.fork(), { limit: 40 });
    const second = await findAuditPage(database.fork(), { limit: 40, cursor: first.nextCursor ?? '' });
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(second.nextCursor).toBe(null);
  });

  it('are exported as lines of a CSV file', async () => {
    let text = '';
    for await (const piece of auditCsv(database, { kind: 'case_acted' })) text += String(piece);
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toContain('position,at,kind,actor_id,actor_role,subject,detail,network');
    expect(lines).toHaveLength(2);
  });
});
