import { execFile } from 'node:child_process';
import { Agent } from 'node:http';
import { promisify } from 'node:util';
import pg from 'pg';
import { nodeProgram, root } from '../paths.ts';
import type { PostgresServer } from '../postgres/server.ts';
import { databaseUrls } from '../testing/database-urls.ts';
import { testEnvironment } from '../testing/environment.ts';
import { createDatabase, migrateDatabase } from '../testing/services.ts';
import { Stack } from '../testing/stack.ts';
import { median, send } from './load.ts';

const password = 'una-clave-larga';
/** Accounts of `npm run scale-data` and of the seed. */
const people = { many: 'muchos@chasqui.test', light: 'pocos@chasqui.test', admin: 'admin@chasqui.test' } as const;
type Who = keyof typeof people;

/** Transfers of one sender, and of all others together, in the smaller database. */
const smallest = 10_000;

/** What calls name, of a database. */
interface Known {
  readonly transfer: string;
  /** A cursor half way down, and near the end, of the list of the sender with many transfers and of all. */
  readonly own: readonly [string, string];
  readonly all: readonly [string, string];
  readonly reviewed: string;
  readonly sender: string;
  readonly reference: string;
  readonly month: string;
  readonly day: string;
  readonly audited: string;
}

/** A call: by whom, what, and how often slower it may be with many transfers. */
type Call = readonly [who: Who, name: string, path: (known: Known) => string, most?: number];

/** One transfer in 250 has such an amount. */
const amounts = '/api/admin/transactions?limit=20&least=497.00&most=498.00';

const calls: readonly Call[] = [
  ['many', 'dashboard', () => '/api/dashboard', 1.3],
  ['light', 'dashboard of another', () => '/api/dashboard', 1.3],
  ['many', 'own list', () => '/api/transactions?limit=20'],
  ['many', 'own list, half way', ({ own }) => `/api/transactions?limit=20&cursor=${own[0]}`],
  ['many', 'own list, end', ({ own }) => `/api/transactions?limit=20&cursor=${own[1]}`],
  ['many', 'own search, common name', () => '/api/transactions?limit=20&search=mamani', 1.5],
  ['many', 'own search, one in 997', () => '/api/transactions?limit=20&search=wenceslao', 1.5],
  ['many', 'own search, no match', () => '/api/transactions?limit=20&search=zzyzx', 1.5],
  ['many', 'own search, id', ({ transfer }) => `/api/transactions?limit=20&search=${transfer}`, 1.5],
  ['many', 'own search, reference', ({ reference }) => `/api/transactions?limit=20&search=${reference}`, 1.5],
  ['light', 'own search, no match, another', () => '/api/transactions?limit=20&search=zzyzx', 1.5],
  ['light', 'own search, name, another', () => '/api/transactions?limit=20&search=mamani', 1.5],
  ...['completed', 'cancelled', 'pending', 'failed', 'refunded', 'awaiting_payment', 'rejected', 'expired'].map(
    (status) => ['many', `own filter, ${status}`, () => `/api/transactions?limit=20&status=${status}`, 1.3] as Call,
  ),
  ['many', 'own filter, under way', () => '/api/transactions?limit=20&progress=under_way', 1.3],
  ['many', 'one transfer', ({ transfer }) => `/api/transactions/${transfer}`],
  ['many', 'receipt', ({ transfer }) => `/api/transactions/${transfer}/receipt`],
  ['many', 'months with statements', () => '/api/statements'],
  ['light', 'statement of a month, another', ({ month }) => `/api/statements/${month}/csv`],
  ['many', 'news', () => '/api/news?limit=20'],
  ['many', 'recipients', () => '/api/recipients'],
  ['many', 'own reports', () => '/api/complaints?limit=20'],
  ['many', 'own repeats', () => '/api/repeats'],
  ['many', 'rate alerts', () => '/api/rate-alerts'],
  ['many', 'sessions', () => '/api/account/sessions'],
  ['admin', 'stats', () => '/api/admin/stats', 1.3],
  ['admin', 'list', () => '/api/admin/transactions?limit=20'],
  ['admin', 'list, half way', ({ all }) => `/api/admin/transactions?limit=20&cursor=${all[0]}`],
  ['admin', 'list, end', ({ all }) => `/api/admin/transactions?limit=20&cursor=${all[1]}`],
  ['admin', 'search, common name', () => '/api/admin/transactions?limit=20&search=mamani', 1.5],
  ['admin', 'search, one in 997', () => '/api/admin/transactions?limit=20&search=wenceslao', 1.5],
  ['admin', 'search, e-mail', () => '/api/admin/transactions?limit=20&search=muchos@chasqui.test', 1.5],
  ['admin', 'search, e-mail of another', () => '/api/admin/transactions?limit=20&search=emisor77@chasqui.test', 1.5],
  ['admin', 'search, no match', () => '/api/admin/transactions?limit=20&search=zzyzx', 1.5],
  ['admin', 'search, id', ({ transfer }) => `/api/admin/transactions?limit=20&search=${transfer}`, 1.5],
  ['admin', 'search, reference', ({ reference }) => `/api/admin/transactions?limit=20&search=${reference}`, 1.5],
  ['admin', 'search, an amount', () => '/api/admin/transactions?limit=20&search=123.00', 1.5],
  ['admin', 'search, a whole CI', () => '/api/admin/transactions?limit=20&search=1000007', 1.5],
  ...['completed', 'cancelled', 'pending', 'failed', 'refunded', 'awaiting_payment'].map(
    (status) => ['admin', `filter, ${status}`, () => `/api/admin/transactions?limit=20&status=${status}`, 1.3] as Call,
  ),
  ...['to_decide', 'stuck', 'today'].map(
    (view) => ['admin', `view, ${view}`, () => `/api/admin/transactions?limit=20&view=${view}`, 1.3] as Call,
  ),
  ['admin', 'filter, a bank', () => `/api/admin/transactions?limit=20&bank=${encodeURIComponent('BancoSol')}`, 1.3],
  ['admin', 'filter, an amount', () => amounts, 1.3],
  [
    'admin',
    'filter, an amount without transfers',
    () => '/api/admin/transactions?limit=20&least=497.37&most=497.37',
    1.3,
  ],
  ['admin', 'filter, amount and status', () => `${amounts}&status=completed`, 1.3],
  ['admin', 'filter, a sender', ({ sender }) => `/api/admin/transactions?limit=20&sender=${sender}`, 1.3],
  ['admin', 'filter, days', ({ day }) => `/api/admin/transactions?limit=20&from=${day}&to=${day}`, 1.3],
  ['admin', 'users', () => '/api/admin/users?limit=20'],
  ['admin', 'users, search name', () => '/api/admin/users?limit=20&search=mamani', 1.5],
  ['admin', 'users, search one in 997', () => '/api/admin/users?limit=20&search=wenceslao', 1.5],
  ['admin', 'users, search e-mail', () => '/api/admin/users?limit=20&search=muchos@chasqui.test', 1.5],
  ['admin', 'users, search without match', () => '/api/admin/users?limit=20&search=zzyzx', 1.5],
  ['admin', 'user with many', ({ sender }) => `/api/admin/users/${sender}`],
  ['admin', 'reviews', () => '/api/admin/reviews?limit=20'],
  ['admin', 'one review', ({ reviewed }) => `/api/admin/reviews/${reviewed}`],
  ['admin', 'open cases', () => '/api/admin/cases?limit=20'],
  ['admin', 'resolved cases', () => '/api/admin/cases?limit=20&status=resolved'],
  ['admin', 'open reports', () => '/api/admin/complaints?limit=20'],
  ['admin', 'closed reports', () => '/api/admin/complaints?limit=20&status=resolved'],
  ['admin', 'news', () => '/api/news?limit=20'],
  ['admin', 'audit log', () => '/api/admin/audit?limit=20'],
  ['admin', 'audit log of a transfer', ({ audited }) => `/api/admin/audit?limit=20&subject=${audited}`],
  ['admin', 'reconciliation', () => '/api/admin/reconciliation'],
  ['admin', 'exceptions, open', () => '/api/admin/reconciliation/exceptions?limit=20'],
  ['admin', 'exceptions, decided', () => '/api/admin/reconciliation/exceptions?limit=20&status=decided'],
  ['admin', 'rate management', () => '/api/admin/exchange-rate/desk'],
  ['admin', 'history of rates', () => '/api/admin/exchange-rate/history?limit=20'],
  ['admin', 'rate sources', () => '/api/admin/rate-sources'],
  ['admin', 'webhooks', () => '/api/admin/webhooks'],
  ['light', 'chart of 30 days', () => '/api/rate/EUR/history?days=30'],
  ['light', 'chart of a year', () => '/api/rate/EUR/history?days=365'],
  ['light', 'bank board', () => '/api/bank-board'],
  ['light', 'comparison', () => '/api/exchange-rates'],
  ['light', 'comparison of an amount', () => '/api/scraper/EUR/250'],
  ['light', 'arrival times', () => '/api/arrival-times'],
];

/** What a bound of 1 to 1.5 times is compared with where a call says none. */
const flat = 1.3;

/** A separate product on a database with many transfers. */
interface Side {
  readonly url: string;
  readonly known: Known;
  readonly cookies: Readonly<Record<Who, string>>;
  close(): Promise<void>;
}

/**
 * Lists, searches, figures and charts with `transfers` of one sender and as many of others, compared with the same calls at 10,000 and 10,000, in
 * turns: how many times slower each is, by the median.
 */
export async function measureLists(
  server: PostgresServer,
  { transfers, ...options }: Options & { transfers: number },
): Promise<void> {
  const small = await startSide(server, 'few', smallest);
  const large = await startSide(server, 'many', transfers);
  try {
    await compareSides({ small, large }, options);
  } finally {
    await small.close();
    await large.close();
  }
}

interface Options {
  readonly rounds: number;
  /** Only calls with one of these in their names. */
  readonly only: readonly string[];
  readonly say: (line: string) => void;
}

/** Says a row of a table for each call: milliseconds of both sides, their ratio, what it may be. */
export async function compareSides(
  { small, large }: { small: Side; large: Side },
  { rounds, only, say }: Options,
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  try {
    say('| call | 10,000 | many | ratio | aim |\n|---|---|---|---|---|');
    for (const [who, name, path, most = flat] of calls.filter(([by, name]) =>
      only.some((text) => `${by}: ${name}`.includes(text)),
    )) {
      const times = { small: [] as number[], large: [] as number[] };
      // The first calls of each side read into its memory what both have in theirs later.
      for (let turn = -3; turn < rounds * 5; turn += 1) {
        for (const [side, of] of [
          [small, times.small],
          [large, times.large],
        ] as const) {
          const took = await timed(agent, side, who, path(side.known));
          if (turn >= 0) of.push(took);
        }
      }
      const [one, other] = [median(times.small), median(times.large)];
      const ratio = other / one;
      say(
        `| ${who}: ${name} | ${one.toFixed(1)} | ${other.toFixed(1)} | ${ratio.toFixed(2)} | ${most}${ratio > most ? ' **over**' : ''} |`,
      );
    }
  } finally {
    agent.destroy();
  }
}

async function timed(agent: Agent, { url, cookies }: Side, who: Who, path: string): Promise<number> {
  const started = performance.now();
  const { status, text } = await send(agent, `${url}${path}`, { method: 'GET', headers: { cookie: cookies[who] } });
  if (status !== 200) throw new Error(`${path} was answered with ${status} ${text.slice(0, 200)}`);
  return performance.now() - started;
}

async function startSide(server: PostgresServer, name: string, ofOne: number): Promise<Side> {
  const database = databaseUrls(server.url(), name);
  await createDatabase(server.url(), name).catch(unlessKept);
  await migrateDatabase(database);
  const env = { DEMO_PASSWORD: password, NODE_ENV: 'production', CALL_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn' };
  const urls = { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl };
  const run = (command: string, args: string[]) =>
    promisify(execFile)(nodeProgram, [`dist/tools/commands/${command}.js`, ...args], {
      cwd: root,
      env: { ...process.env, ...testEnvironment, ...env, ...urls },
    });
  if (!(await isFilled(database.ownerUrl))) {
    await run('seed', []);
    await run('scale-data', [`--transfers=${2 * ofOne}`, `--of-one=${ofOne}`]);
  }
  return openSide(database, env);
}

/** @throws the error, unless it says that the database is there already. */
function unlessKept(error: { code?: string }): void {
  if (error.code !== '42P04') throw error;
}

/** Whether an earlier run made the data, which is one transaction. */
async function isFilled(url: string): Promise<boolean> {
  const sql = new pg.Client({ connectionString: url });
  await sql.connect();
  try {
    const { rowCount } = await sql.query('select from app_user where email = $1', [people.many]);
    return rowCount === 1;
  } finally {
    await sql.end();
  }
}

/** Starts the api on a database that `npm run scale-data` filled, and signs in. */
export async function openSide(
  database: { url: string; ownerUrl: string },
  env: Record<string, string>,
): Promise<Side> {
  const stack = await Stack.prepare({ database, env });
  const sql = new pg.Client({ connectionString: database.ownerUrl });
  await sql.connect();
  try {
    await stack.start('api');
    const agent = new Agent();
    const cookies: Partial<Record<Who, string>> = {};
    for (const [who, email] of Object.entries(people) as [Who, string][]) {
      const body = JSON.stringify({ email, password });
      const headers = { 'content-type': 'application/json' };
      const answer = await send(agent, `${stack.apiUrl}/api/auth/login`, { headers, body });
      if (answer.status >= 400) throw new Error(`${email} could not sign in: ${answer.text}`);
      cookies[who] = answer.cookies.map((line) => line.split(';')[0]).join('; ');
    }
    const known = await lookUp(sql);
    return { url: stack.apiUrl, known, cookies: cookies as Record<Who, string>, close: () => stack.close() };
  } catch (error) {
    console.error(stack.log());
    await stack.close().catch(() => {});
    throw error;
  } finally {
    await sql.end();
  }
}

async function lookUp(sql: pg.Client): Promise<Known> {
  const one = async (statement: string, values: unknown[] = []) => (await sql.query(statement, values)).rows[0];
  const { id: sender } = await one('select id from app_user where email = $1', [people.many]);
  const { since, until } = await one(
    'select min(created_at) as since, max(created_at) as until from transfer where user_id = $1',
    [sender],
  );
  const cursor = async (share: number, whose: string) => {
    const at = new Date(since.getTime() + (until.getTime() - since.getTime()) * share);
    const row = await one(
      `select created_at, id from transfer where ${whose} and created_at >= $1 order by created_at, id limit 1`,
      [at],
    );
    return Buffer.from(JSON.stringify([row.created_at.toISOString(), row.id])).toString('base64url');
  };
  const own = `user_id = '${sender}'`;
  const { id: transfer, reference } = await one(
    `select id, transfer_reference(id) as reference from transfer where ${own} and state = 'completed' and created_at < $1
     order by created_at desc limit 1`,
    [new Date((since.getTime() + until.getTime()) / 2)],
  );
  const { reviewed } = await one(`select id as reviewed from transfer where state = 'in_review' order by id limit 1`);
  const { audited } = await one(`select subject as audited from audit_entry order by at desc limit 1`);
  const { day, month } = await one(
    `select (now() - interval '40 days')::date::text as day, to_char(now() - interval '40 days', 'YYYY-MM') as month`,
  );
  return {
    ...{ transfer, reference, sender, reviewed, audited, day, month },
    own: [await cursor(0.5, own), await cursor(0.001, own)],
    all: [await cursor(0.5, 'true'), await cursor(0.001, 'true')],
  };
}
