import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../ports.ts';
import { type Checkout, copyCheckout, type StartedProduct } from '../testing/checkout.ts';
import { type Bench, pause } from './bench.ts';
import type { Figure } from './figure.ts';

const readyLine = 'Ctrl-C lo detiene todo.';
/** Until what a start leaves to do is done, and connections that only it needed are closed. */
const idleMs = 75_000;

/** `npm start` in a copy of the checkout: its second start, what each process needs while idle, and connections to PostgreSQL. */
export async function measureStart({ product: { redis } }: Bench): Promise<Figure[]> {
  if (process.platform !== 'linux') return [];
  const checkout = await copyCheckout();
  let started: StartedProduct | undefined;
  const start = async () => {
    const [port, sandboxPort, smtpPort] = [await freePort(), await freePort(), await freePort()];
    const ports = { PORT: String(port), SANDBOX_PORT: String(sandboxPort), SANDBOX_SMTP_PORT: String(smtpPort) };
    const since = performance.now();
    started = checkout.npmStart({ ...ports, ...(redis && { REDIS_URL: `${redis.url}/2` }) });
    await started.prints(readyLine);
    return (performance.now() - since) / 1000;
  };
  const stop = async () => {
    started?.interrupt();
    await started?.ended;
  };
  try {
    await start();
    await stop();
    const seconds = await start();
    await pause(idleMs);
    const memory = await memoryOf(started?.pid ?? 0);
    const connections = await connectionsOf(checkout);
    const [npm, supervisor] = [memory.npm, memory.supervisor].map((one) => one ?? { resident: 0, proportional: 0 });
    const each = Object.entries(memory).map(([name, one]) => `${name} ${one.resident.toFixed(0)}`);
    return [
      { name: 'second start', value: seconds, unit: 's' },
      {
        name: 'supervisor and npm, idle',
        value: (npm?.resident ?? 0) + (supervisor?.resident ?? 0),
        ...{ unit: 'MB', aim: { most: 60 } },
        note: `of their own, shared pages divided: ${((npm?.proportional ?? 0) + (supervisor?.proportional ?? 0)).toFixed(0)}`,
      },
      {
        name: 'all processes, idle, shared pages divided',
        value: Object.values(memory).reduce((sum, { proportional }) => sum + proportional, 0),
        ...{ unit: 'MB', note: `resident of each: ${each.join(', ')}` },
      },
      {
        name: 'connections to PostgreSQL, idle',
        value: connections.reduce((sum, { count }) => sum + count, 0),
        unit: 'connections',
        aim: { most: 20 },
        note: connections.map(({ count, query }) => `${count} ${query}`).join(' | '),
      },
    ];
  } finally {
    await stop();
    await checkout.remove();
  }
}

interface Memory {
  /** MB in memory, with pages that other processes have too. */
  readonly resident: number;
  /** MB in memory, a page that several have divided among them. */
  readonly proportional: number;
}

/** Of npm and everything it started. PostgreSQL's processes are one: they share most of what they have. */
async function memoryOf(npmPid: number): Promise<Record<string, Memory>> {
  const memory: Record<string, Memory> = {};
  for (const pid of await descendantsOf(npmPid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    const name = nameOf(command, pid === npmPid);
    const known = memory[name] ?? { resident: 0, proportional: 0 };
    memory[name] = {
      resident: known.resident + megabytes(rollup, 'Rss'),
      proportional: known.proportional + megabytes(rollup, 'Pss'),
    };
  }
  return memory;
}

const megabytes = (rollup: string, field: 'Rss' | 'Pss') =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) / 1024;

function nameOf(command: string, isNpm: boolean): string {
  if (isNpm) return 'npm';
  if (/postgres/.test(command)) return 'postgres';
  const server = /dist\/(api|worker|sandbox)\//.exec(command)?.[1];
  if (server) return server;
  return /infra\/start/.test(command) ? 'supervisor' : 'others';
}

async function descendantsOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const below = await Promise.all(children.trim().split(' ').filter(Boolean).map(Number).map(descendantsOf));
  return [pid, ...below.flat()];
}

/** Connections that the product keeps open, by what was asked last. */
async function connectionsOf({ home }: Checkout): Promise<{ count: number; query: string }[]> {
  const [password, port] = await Promise.all(
    ['password', 'port'].map(async (file) => (await readFile(join(home, 'postgres', file), 'utf8')).trim()),
  );
  const client = new pg.Client({ connectionString: `postgresql://chasqui:${password}@127.0.0.1:${port}/chasqui` });
  await client.connect();
  const { rows } = await client.query<{ count: number; query: string }>(
    `select count(*)::int, left(regexp_replace(query, '\\s+', ' ', 'g'), 50) as query from pg_stat_activity
     where backend_type = 'client backend' and pid <> pg_backend_pid() group by 2 order by 1 desc`,
  );
  await client.end();
  return rows;
}
