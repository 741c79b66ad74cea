import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { laPazDay } from '#core/time/time';
import { readApiConfiguration } from '#platform/configuration/api';
import type { Database } from '#platform/database/database';
import { createTestDatabase } from '../infra/testing/database.ts';
import { testEnvironment } from '../infra/testing/environment.ts';
import { openDatabase } from '../testing/database.ts';
import { testMoment, transferIn } from '../testing/transfers.ts';
import { TestApi, unlimited } from './testing/test-api.ts';

// `npm run soak -- api/exports.soak.ts`: memory use and duration of exports of 100,000 rows.
const rows = 100_000;
/** Maximum additional memory of an export, whatever its number of rows. */
const maxBytes = 24 * 1024 * 1024;

const day = laPazDay(testMoment);

let api: TestApi;
let admin: Awaited<ReturnType<TestApi['person']>>;
let sender: Awaited<ReturnType<TestApi['person']>>;
/** Of the tables: it may leave out what else a new row brings. */
let owner: Database;
let drop = async () => {};

/** Rows half a second apart from midnight in La Paz, all of one day. */
const at = (column: string) =>
  `date_trunc('day', ${column} - interval '4 hours') + interval '4 hours' + number * interval '0.5 second'`;

/** A hundred thousand copies of a row, otherwise than the original in what `changed` says (a JSON object in SQL). */
const copies = (table: string, changed: string, where: string) =>
  `insert into ${table} select made.* from ${table} as t, generate_series(1, ${rows}) as number,
     lateral jsonb_populate_record(null::${table}, to_jsonb(t) || ${changed}) as made where ${where}`;

beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: testDatabase.url });
  api = await TestApi.start(env, { rateLimitPoints: unlimited });
  admin = await api.person('admin');
  sender = await api.person();
  const { id } = await transferIn(api.database, 'completed', { userId: sender.user.id });
  owner = await openDatabase(testDatabase.ownerUrl, { poolMax: 2, withoutTimeouts: true });
  const em = owner.fork();
  drop = async () => {
    await owner.close();
    await testDatabase.drop();
  };
  for (const table of ['transfer', 'transfer_step', 'ledger_posting', 'book_exception', 'audit_entry'])
    await em.execute(`alter table ${table} disable trigger user`);
  const idOf = `md5(number::text)::uuid`;
  await em.execute(
    copies(
      'transfer',
      `jsonb_build_object('id', ${idOf}, 'payment_intent_id', null, 'created_at', ${at('t.created_at')})`,
      `t.id = '${id}'`,
    ),
  );
  await em.execute(
    copies(
      'transfer_step',
      `jsonb_build_object('transfer_id', ${idOf}, 'at', ${at('t.at')})`,
      `t.transfer_id = '${id}' and t.state = 'completed'`,
    ),
  );
  await em.execute(
    copies(
      'ledger_posting',
      `jsonb_build_object('transfer_id', ${idOf}, 'at', ${at('t.at')})`,
      `t.transfer_id = '${id}' and t.entry = 'charge' and t.line = 1`,
    ),
  );
  await em.execute(
    `insert into book_exception (id, key, cause, side, expected_minor, difference_minor, currency, day, found_at, status, version)
     select ${idOf}, number::text, 'payout_missing', 'bank', number, -number, 'BOB', '${day}',
       now() + number * interval '1 millisecond', 'open', 1 from generate_series(1, ${rows}) as number`,
  );
  await em.execute(
    `insert into audit_entry (id, at, kind, actor_id, actor_role, subject, detail, network)
     select ${idOf}, now() - number * interval '1 second', 'note_added', '${sender.user.id}', 'user', number::text, '{"length":120}', '10.0.0.0/24'
     from generate_series(1, ${rows}) as number`,
  );
  await em.execute(
    `insert into audit_chain (position, entry_id, hash) select 1000 + number, ${idOf}, md5(number::text) from generate_series(1, ${rows}) as number`,
  );
  await em.execute('analyze');
}, 600_000);
afterAll(async () => {
  await api?.close();
  await drop();
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const held = () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);

/** Asks for a file as its person's browser does. */
function open(path: string): Promise<IncomingMessage> {
  const { cookie } = (path.startsWith('/api/admin') ? admin : sender).browser;
  return new Promise((done, fail) => {
    const sent = request(`${api.url}${path}`, { headers: { cookie } }, (answer) => {
      if (answer.statusCode === 200) done(answer);
      else fail(new Error(`${path}: ${answer.statusCode}`));
    });
    sent.on('error', fail);
    sent.end();
  });
}

const lists = ['transfers', 'postings', 'exceptions'] as const;
const listPath = (list: (typeof lists)[number]) =>
  endpoints.exportCsv.path.replace('{list}', list).replace('{from}', day).replace('{to}', day);
const paths = [
  ...lists.map(listPath),
  endpoints.exportAudit.path,
  endpoints.exportTransfers.path,
  endpoints.exportData.path,
  endpoints.statementCsv.path.replace('{period}', day.slice(0, 4)),
  endpoints.statementPdf.path.replace('{period}', day.slice(0, 4)),
];

test.for(paths)('a file of 100,000 rows is sent without growing memory: %s', async (path) => {
  const before = held();
  const began = performance.now();
  const answer = await open(path);
  let [lines, bytes, firstMs, most, looked] = [0, 0, 0, 0, 0];
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    firstMs ||= performance.now() - began;
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
    if (lines - looked < rows / 20) continue;
    looked = lines;
    most = Math.max(most, held() - before);
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `${path}: ${lines} lines, ${megabytes(bytes)} MB; first byte after ${firstMs.toFixed(0)} ms, all after ${seconds} s; ${megabytes(most)} MB above the start at most`,
  );
  // A PDF adds them all up and lists the first ones.
  if (!path.endsWith('/pdf')) expect(lines).toBeGreaterThanOrEqual(rows);
  expect(bytes).toBeGreaterThan(rows);
  expect(most).toBeLessThan(maxBytes);
});

/** Time of the api's last database query. */
async function lastAsked(): Promise<string> {
  const [row] = await owner.fork().execute<{ at: string }[]>(
    `select max(query_start)::text as at from pg_stat_activity
     where datname = current_database() and query ~ '(from|join) "?(transfer|ledger_posting|book_exception|audit_entry)'
       and pid <> pg_backend_pid()`,
  );
  return row?.at ?? '';
}

test.for(paths)('stops reading for a file that the client stopped reading or cancelled: %s', async (path) => {
  const answer = await open(path);
  await once(answer, 'readable');
  const settled = async () => {
    let known = '';
    // The buffers are full once two checks, a second apart, agree.
    for (let next = await lastAsked(); next !== known; next = await lastAsked()) {
      known = next;
      await setTimeout(1000);
    }
    return known;
  };
  const full = await settled();
  answer.destroy();
  expect(await settled()).toBe(full);
});
