import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyAudit } from '#domain/audit/verify';
import { readTarget } from '#domain/personal-data/payout-target';
import { Recipient } from '#domain/recipients/recipient.entity';
import { targetOf } from '#domain/recipients/recipient-views';
import { Transfer } from '#domain/transfers/transfer.entity';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../../testing/database.ts';
import { testMoment } from '../../testing/transfers.ts';
import { demoManySender } from '../commands/demo-accounts.ts';
import type { Making } from './making.ts';
import { makeScaleData } from './scale-data.ts';
import { deriveFromTransfers } from './transfers.ts';

let testDatabase: TestDatabase;
let database: Database;
let client: Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url);
  client = new Client({ connectionString: testDatabase.ownerUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
  await testDatabase.drop();
});

const derived = {
  transfer_search:
    'select transfer_id, part, user_id, opened_at, search_text, search_amounts, amount_minor, bank_name, hashes from transfer_search order by 1, 2',
  transfer_day_total: `select day, sum(paid_usd_minor) as paid, sum(completed) as completed, sum(rejected) as rejected from transfer_day_total
    group by day having (sum(paid_usd_minor), sum(completed), sum(rejected)) <> (0, 0, 0) order by day`,
  sender_total: 'select * from sender_total order by user_id',
  sender_day_total: 'select * from sender_day_total where (sent_usd_minor, held) <> (0, 0) order by user_id, day',
  active_total:
    'select day, sum(senders) as senders from active_total group by day having sum(senders) <> 0 order by day',
  account_total: 'select sum(accounts) as accounts from account_total',
};

async function readDerived() {
  const entries = Object.entries(derived).map(async ([name, sql]) => [name, (await client.query(sql)).rows] as const);
  return Object.fromEntries(await Promise.all(entries));
}

test('a small generated data set passes every trigger and key, and a large one equals their results', async () => {
  const admins = [await createTestUser(database, { role: 'admin' }), await createTestUser(database, { role: 'admin' })];
  const making: Making = {
    ...{ seed: 7, transfers: 400, ofOne: 150, senders: 20, observations: 400, days: 6, until: testMoment },
    em: database.fork(),
  };
  const [one = '', other = ''] = admins.map(({ email }) => email);
  await makeScaleData(client, making, { passwordHash: '!', admins: [one, other] });
  const { rows } = await client.query(
    `select count(*)::int as transfers, count(distinct state)::int as states,
       count(*) filter (where user_id = (select id from app_user where email = $1))::int as many from transfer`,
    [demoManySender.email],
  );
  expect(rows[0]).toEqual({ transfers: 400, states: 9, many: 152 });
  expect(await verifyAudit(database)).toMatchObject({ broken: null });
  const written = await readDerived();
  expect(written.transfer_search?.length).toBeGreaterThan(1_000);
  await client.query('set session_replication_role = replica; truncate transfer_search');
  await deriveFromTransfers(client);
  expect(await readDerived()).toEqual(written);
  const em = database.fork();
  const { id, payoutTarget, recipientId } = await em.findOneOrFail(
    Transfer,
    { state: 'completed' },
    { orderBy: { id: 'asc' } },
  );
  const recipient = await em.findOneOrFail(Recipient, { id: recipientId ?? '' });
  expect(payoutTarget && (await readTarget(em, id, payoutTarget))).toMatchObject(await targetOf(em, recipient));
});
