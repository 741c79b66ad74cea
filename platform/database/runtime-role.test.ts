import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { grantRuntimeRole, RuntimeRoleProblem } from './runtime-role.ts';

/** Append-only tables, each with a column that would be worth rewriting. */
const appendOnly = [
  ['ledger_posting', 'amount_minor'],
  ['transfer_step', 'state'],
  ['rate', 'rate'],
  ['rate_observation', 'rate'],
  ['bank_rate', 'rate'],
  ['desk_proof', 'bytes'],
  ['desk_note', 'text'],
  ['transfer_disclosure', 'texts'],
  ['complaint_letter', 'texts'],
  ['complaint_note', 'text'],
  ['complaint_reminder', 'told'],
  ['audit_entry', 'kind'],
  ['audit_chain', 'hash'],
] as const;
/** Tables that triggers keep, each with a column. */
const derived = {
  account_total: 'accounts',
  active_total: 'senders',
  audit_chain: 'hash',
  sender_day_total: 'held',
  sender_total: 'paid_count',
  transfer_day_total: 'completed',
  transfer_search: 'search_text',
};
const denied = { code: '42501' };

let testDatabase: TestDatabase;
let runtime: Client;
let owner: Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runtime = await connect(testDatabase.url);
  owner = await connect(testDatabase.ownerUrl);
});
afterAll(async () => {
  await runtime.end();
  await owner.end();
  await testDatabase.drop();
});

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

/** Connection string of the test database as another role. */
function urlOf(role: string, password = ''): string {
  const url = new URL(testDatabase.ownerUrl);
  url.username = role;
  url.password = password;
  return url.href;
}

/** Runs `work` with a role that is dropped afterwards. */
async function withRole(work: (role: string) => Promise<void>): Promise<void> {
  const role = `role_${randomUUID().slice(0, 8)}`;
  try {
    await work(role);
  } finally {
    await owner.query(`do $$ begin
      if exists (select from pg_roles where rolname = '${role}') then
        reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role};
      end if; end $$`);
  }
}

describe('the role of api and worker', () => {
  test.each(appendOnly)(
    'cannot update, delete or truncate %s, nor disable its triggers or drop it',
    async (table, column) => {
      for (const statement of [
        `update ${table} set ${column} = ${column}`,
        `delete from ${table}`,
        `truncate ${table}`,
        `alter table ${table} disable trigger all`,
        `drop trigger ${table}_append_only on ${table}`,
        `drop table ${table}`,
      ]) {
        await expect(runtime.query(statement), statement).rejects.toMatchObject(denied);
      }
    },
  );

  test('cannot change, truncate or drop files of senders', async () => {
    for (const statement of ['update attachment set bytes = bytes', 'truncate attachment', 'drop table attachment']) {
      await expect(runtime.query(statement), statement).rejects.toMatchObject(denied);
    }
  });

  test('can add a data key, and neither change nor delete one', async () => {
    for (const statement of ['update data_key set wrapped = wrapped', 'delete from data_key', 'truncate data_key'])
      await expect(runtime.query(statement), statement).rejects.toMatchObject(denied);
    await runtime.query('begin');
    await runtime.query(
      `insert into data_key (id, purpose, wrapped, created_at) values ('x', 'encryption', 'x', now())`,
    );
    await runtime.query('rollback');
  });

  test('cannot switch triggers off for its session, replace a trigger’s function, or create objects', async () => {
    for (const statement of [
      "set session_replication_role = 'replica'",
      "create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'",
      'create table mine (id int)',
      'create schema mine',
      `set role ${owner.escapeIdentifier(owner.user as string)}`,
    ]) {
      await expect(runtime.query(statement), statement).rejects.toMatchObject(denied);
    }
  });

  test('cannot delete a transfer, an account or a recipient, nor rewrite which migrations ran', async () => {
    for (const table of ['transfer', 'app_user', 'recipient', 'migration']) {
      await expect(runtime.query(`delete from ${table}`), table).rejects.toMatchObject(denied);
    }
    await expect(runtime.query('update migration set name = name')).rejects.toMatchObject(denied);
  });

  test('cannot write the totals of transfers or search data, nor reuse the triggers that do', async () => {
    for (const [table, column] of Object.entries(derived)) {
      await expect(runtime.query(`delete from ${table}`), table).rejects.toMatchObject(denied);
      await expect(runtime.query(`update ${table} set ${column} = ${column}`), table).rejects.toMatchObject(denied);
    }
    await runtime.query('create temp table forged (like public.transfer)');
    for (const name of ['keep_transfer_totals', 'keep_transfer_search', 'link_audit_entry']) {
      const borrowing = `create trigger t after insert on forged for each row execute function ${name}()`;
      await expect(runtime.query(borrowing)).rejects.toMatchObject(denied);
    }
    await runtime.query('discard temp');
  });

  test('may read every table and insert into all but totals, the search and the list of migrations', async () => {
    const { rows } = await runtime.query(
      `select tablename, has_table_privilege('public.' || tablename, 'select') as reads,
         has_table_privilege('public.' || tablename, 'insert') as inserts
       from pg_tables where schemaname = 'public'`,
    );
    expect(rows.length).toBeGreaterThan(20);
    const readOnly = ['migration', ...Object.keys(derived)];
    for (const { tablename, reads, inserts } of rows) {
      expect([tablename, reads, inserts]).toEqual([tablename, true, !readOnly.includes(tablename)]);
    }
  });

  test('cannot hide the ledger from its check behind temporary tables of the same names', async () => {
    const [user, transfer] = [randomUUID(), randomUUID()];
    await runtime.query(
      `insert into app_user (id, email, name, role, password_hash, created_at) values ($1, $2, 'Ana', 'user', '', now())`,
      [user, `${user}@example.com`],
    );
    await runtime.query('create temp view ledger_balance as select * from public.ledger_balance where false');
    await runtime.query('create temp table transfer as select * from public.transfer');
    const insert = `insert into public.transfer (id, user_id, state, version, currency, amount_minor, fee_minor, net_minor,
        rate, rate_since, eur_usd, bolivianos_minor, usd_minor, quote_expires_at, estimated_delivery, created_at, changed_at,
        returned_minor, payout_returned_minor, paid_again_minor)
      values ($1, $2, 'captured', 1, 'USD', 1000, 0, 1000, 1000000, now(), 1100000, 1000, 1000, now(), now(), now(), now(), 0, 0, 0)`;
    await expect(runtime.query(insert, [transfer, user])).rejects.toThrow('is captured without a capture');
    await runtime.query('discard temp');
  });
});

describe('granting the role', () => {
  test('creates it with its password when it does not exist', async () => {
    await withRole(async (role) => {
      await grantRuntimeRole(owner, urlOf(role, "p%40ss'word"));
      const client = await connect(urlOf(role, "p%40ss'word"));
      expect((await client.query('select count(*)::int from transfer')).rows).toEqual([{ count: 0 }]);
      await client.end();
    });
  });

  test('revokes earlier grants', async () => {
    await withRole(async (role) => {
      await owner.query(`create role ${role} login; grant all on all tables in schema public to ${role}`);
      await grantRuntimeRole(owner, urlOf(role));
      const { rows } = await owner.query(
        `select has_table_privilege($1, 'ledger_posting', 'truncate') as truncates,
           has_table_privilege($1, 'ledger_posting', 'delete') as deletes,
           has_table_privilege($1, 'ledger_posting', 'insert') as inserts`,
        [role],
      );
      expect(rows).toEqual([{ truncates: false, deletes: false, inserts: true }]);
    });
  });

  test('refuses a role that owns tables, may become their owner, or is a superuser', async () => {
    await withRole(async (role) => {
      const granting = () => grantRuntimeRole(owner, urlOf(role));
      await owner.query(`create role ${role} login superuser`);
      await expect(granting()).rejects.toThrow(RuntimeRoleProblem);
      await owner.query(
        `alter role ${role} nosuperuser; grant ${owner.escapeIdentifier(owner.user as string)} to ${role}`,
      );
      await expect(granting()).rejects.toThrow(RuntimeRoleProblem);
      await owner.query(`revoke ${owner.escapeIdentifier(owner.user as string)} from ${role}`);
      await granting();
      await owner.query(`create table owned (id int); alter table owned owner to ${role}`);
      await expect(granting()).rejects.toThrow(`"${role}" of DATABASE_URL owns tables`);
    });
  });

  test('says which role to create when the owner may not create one', async () => {
    await withRole(async (role) => {
      await owner.query(`create role ${role} login; grant pg_read_all_data to ${role}`);
      await owner.query(`set session authorization ${role}`);
      try {
        await expect(grantRuntimeRole(owner, urlOf(`${role}_app`))).rejects.toThrow(`the role "${role}_app"`);
      } finally {
        await owner.query('reset session authorization');
      }
    });
  });
});
