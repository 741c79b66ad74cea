import { setTimeout as pause } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { connectQueues } from '#platform/queues/queues';
import { seededRandom, shuffled, soakPayments, soakQueues, soakSeed, within } from '../../infra/testing/soak.ts';
import type { Progress } from './load.ts';
import { soak } from './run.ts';
import { type SoakStack, soakEnvironment, startSoakStack } from './stack.ts';

/** `npm run soak -- several`: two apis and three workers, of which any is killed or replaced while payments run. */
const replicas = { api: 2, worker: 3 };
const count = Math.min(soakPayments, 1_000);
const width = 32;
const sweepSeconds = 5;

/** Calls of people to the product, and what became of them. */
interface Calls {
  readonly tookMs: number[];
  readonly failures: string[];
}

/** Watches all calls to one address until the test ends. */
function watchCalls(url: string): Calls {
  const calls: Calls = { tookMs: [], failures: [] };
  const usual = globalThis.fetch;
  onTestFinished(() => {
    globalThis.fetch = usual;
  });
  globalThis.fetch = async (input, init) => {
    if (!String(input).startsWith(url)) return usual(input, init);
    const said = `${init?.method ?? 'GET'} ${new URL(String(input)).pathname.replace(/[0-9a-f-]{36}/g, '…')}`;
    const startedAt = performance.now();
    try {
      const answer = await usual(input, init);
      if (answer.status >= 500) calls.failures.push(`${said}: ${answer.status}`);
      calls.tookMs.push(performance.now() - startedAt);
      return answer;
    } catch (error) {
      calls.failures.push(`${said}: ${((error as Error).cause as Error | undefined)?.message ?? error}`);
      throw error;
    }
  };
  return calls;
}

/** One server after another in a random order, each once at least, until all is paid. */
async function oneByOne(
  { app: { stack } }: SoakStack,
  progress: Progress,
  { verb, gapMs, end }: { verb: string; gapMs: readonly [number, number]; end: 'kill' | 'stop' },
): Promise<void> {
  const random = seededRandom(soakSeed, verb);
  for (let round = 0; round === 0 || progress.paying; round += 1) {
    for (const name of shuffled(random, stack.servers)) {
      if (!progress.paying && round > 0) break;
      progress.disturbances.push(`${verb} ${name}`);
      await stack[end](name);
      await stack.start(name);
      await pause(within(random, gapMs));
    }
  }
}

/** How often each schedule's job was carried out, by its name. */
async function roundsOf({ app, redis }: SoakStack): Promise<Map<string, number>> {
  const connection = connectQueues({ databaseUrl: app.databaseUrl, redisUrl: redis?.url });
  const queue = new Queue('sweeps', { connection: connection.producer });
  try {
    const done = (await queue.getJobs(['completed'], 0, 100_000)).filter(({ name }) => name.startsWith('sweep-'));
    return new Map([...Map.groupBy(done, ({ name }) => name)].map(([name, jobs]) => [name, jobs.length]));
  } finally {
    await queue.close();
    await connection.close();
  }
}

test.each([
  { verb: 'kill', end: 'kill', gapMs: [1_000, 3_000], drainSeconds: 0 },
  { verb: 'replace', end: 'stop', gapMs: [500, 1_000], drainSeconds: 1 },
] as const)(
  'with two apis and three workers that are ended one after another by $end, every payment reaches its correct end',
  async ({ drainSeconds, ...how }) => {
    const env = {
      ...soakEnvironment,
      SWEEP_SECONDS: String(sweepSeconds),
      SHUTDOWN_DRAIN_SECONDS: String(drainSeconds),
    };
    const stack = await startSoakStack(soakQueues, { env, replicas });
    onTestFinished(() => stack.close());
    stack.app.stack.showLogOnFailure();
    const startedAt = Date.now();
    const calls = watchCalls(stack.app.url());
    const load = { count, width, seed: soakSeed };
    const { records, disturbances, payingMs } = await soak(stack, load, (progress) => oneByOne(stack, progress, how));
    const seconds = (Date.now() - startedAt) / 1000;
    const rounds = await roundsOf(stack);
    const sorted = calls.tookMs.toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    const ended = [...disturbances.values()].reduce((sum, times) => sum + times, 0);
    console.log(
      [
        `queues in ${soakQueues}: ${records.length} payments in ${Math.round(payingMs / 1000)} s, servers ended by ${how.end} ${ended} times`,
        `${sorted.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms; ${calls.failures.length} failed and were repeated`,
        ...[...Map.groupBy(calls.failures, (one) => one)].map(([what, those]) => `  ${those.length} x ${what}`),
        `rounds of sweeps in ${Math.round(seconds)} s: ${JSON.stringify(Object.fromEntries(rounds))}`,
      ].join('\n'),
    );
    if (how.end === 'stop') expect(calls.failures).toEqual([]);
    expect(rounds.size).toBeGreaterThan(0);
    for (const [name, times] of rounds) expect(times, name).toBeLessThanOrEqual(seconds / sweepSeconds + 2);
  },
);
