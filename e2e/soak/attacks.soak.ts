import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { beforeAll, expect, test } from 'vitest';
import { soakSeed } from '../../infra/testing/soak.ts';
import { type ApiClient, signUp } from '../api-client.ts';
import { adminAccount, useApp } from '../test-app.ts';
import type { AttackName, AttackOrder, AttackReport } from './attacks/attacker.ts';

// `npm run soak -- attacks`: how long another visitor waits while one client attacks ten times a second. The limits are the product's own.

const attackMs = 20_000;
/** Every so often the visitor asks for something, whether or not the last answer came. */
const visitEveryMs = 50;
const maxP99Ms = 200;

const app = useApp({ alone: true });
let visitor: ApiClient;
let cookie: string;

beforeAll(async () => {
  visitor = await signUp(app);
  const { email, password } = adminAccount;
  const response = await fetch(`${app.url()}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.url() },
    body: JSON.stringify({ email, password }),
  });
  cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(cookie).toContain('chasqui_session=');
  // Warm up, so that compilation and connections are not measured.
  await visitDuring(2_000);
});

/** What a visitor asks for: a page, figures of memory, and rows of their own. */
const visits = ['/', '/api/rate', '/api/recipients', '/api/health/live', '/api/dashboard'];

interface Visits {
  readonly tookMs: number[];
  readonly failed: string[];
}

async function visitDuring(ms: number): Promise<Visits> {
  const tookMs: number[] = [];
  const failed: string[] = [];
  const pending: Promise<void>[] = [];
  const visit = async (path: string) => {
    const startedAt = performance.now();
    const { status } = await visitor.request('GET', path).catch((error: Error) => ({ status: error.name }));
    tookMs.push(performance.now() - startedAt);
    if (status !== 200) failed.push(`${path}: ${status}`);
  };
  for (let count = 0; count * visitEveryMs < ms; count += 1) {
    pending.push(visit(visits[count % visits.length] as string));
    await pause(visitEveryMs);
  }
  await Promise.all(pending);
  return { tookMs, failed };
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number);
}

function report(name: string, { tookMs }: Visits, answers: AttackReport = {}): void {
  const [half, most, longest] = [0.5, 0.99, 1].map((share) => quantile(tookMs, share));
  console.log(`${name}: median ${half} ms, p99 ${most} ms, longest ${longest} ms of ${tookMs.length}`, answers);
}

test('serves a visitor within 200 ms without an attack', async () => {
  const calm = await visitDuring(attackMs / 2);
  report('no attack', calm);
  expect(calm.failed).toEqual([]);
  expect(quantile(calm.tookMs, 0.99)).toBeLessThan(maxP99Ms);
});

test.each<AttackName>([
  'nested JSON without a session',
  'a flood of CONNECT packets',
  'unsigned webhooks',
  'bodies without an end',
  'nested JSON of a treasurer',
  // Last: files that were accepted are read one after another for a while.
  'large statements of a treasurer',
])('serves a visitor within 200 ms during %s', async (name) => {
  const order: AttackOrder = { url: app.url(), name, cookie, seed: soakSeed };
  const attacker = new Worker(new URL('./attacks/attacker.ts', import.meta.url), { workerData: order });
  try {
    await new Promise((resolve, reject) => attacker.once('online', resolve).once('error', reject));
    const during = await visitDuring(attackMs);
    const answers = new Promise<AttackReport>((resolve, reject) =>
      attacker.once('message', resolve).once('error', reject),
    );
    attacker.postMessage('stop');
    report(name, during, await answers);
    expect(during.failed).toEqual([]);
    expect(quantile(during.tookMs, 0.99)).toBeLessThan(maxP99Ms);
    expect(Object.values(await answers).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(attackMs / 100 / 2);
  } finally {
    await attacker.terminate();
  }
});
