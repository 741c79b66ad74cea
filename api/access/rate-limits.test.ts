import type { Pool } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '#core/contracts/failures';
import { openDatabase } from '#domain/database';
import type { Database } from '#platform/database/database';
import { onEveryQueueBackend, type QueueServices } from '../../infra/testing/redis.ts';
import { rateLimitRules } from './rate-limit-rules.ts';
import { openRateLimits } from './rate-limits.ts';

const log = pino({ level: 'silent' });
const refused = (error: unknown) => error instanceof Failure && error.code === 'too_many_requests';

onEveryQueueBackend('rate limits', (_backend, start) => {
  let services: QueueServices;
  let database: Database;
  let pool: Pool;

  beforeAll(async () => {
    services = await start();
    database = await openDatabase(services.database.url, { poolMax: 4 });
    pool = await database.pool();
  });
  afterAll(async () => {
    await database?.close();
    await services?.close();
  });

  const open = () =>
    openRateLimits({ pool, redisUrl: services.redisUrl || undefined }, log, { signInsPerEmailAndNetwork: 3 });

  it('rate limits are shared by all processes, hold for concurrent calls, and survive restarts', async () => {
    const first = open();
    const second = open();
    // Wait for the connection to Redis: until then each process counts locally.
    await expect.poll(() => isShared(first.limits, second.limits)).toBe(true);
    const takes = [first, second, first, second, first].map(({ limits }) =>
      limits.take('signInsPerEmailAndNetwork', 'shared'),
    );
    const results = await Promise.allSettled(takes);
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refusals).toHaveLength(2);
    expect(refusals.every(refused)).toBe(true);
    expect(refusals[0].details.retryAfterSeconds).toBeGreaterThan(800);
    await first.close();
    await second.close();
    const third = open();
    await expect.poll(() => third.limits.allows('signInsPerEmailAndNetwork', 'shared')).toBe(false);
    await third.close();
  });

  it('rate limits can take back one counted call, or forget all of a key', async () => {
    const { limits, close } = open();
    for (let turn = 0; turn < 6; turn += 1) {
      await limits.take('signInsPerEmailAndNetwork', 'rewarded');
      await limits.giveBack('signInsPerEmailAndNetwork', 'rewarded');
    }
    for (let turn = 0; turn < 3; turn += 1) await limits.take('signInsPerEmailAndNetwork', 'cleared');
    await limits.clear('signInsPerEmailAndNetwork', 'cleared');
    await limits.take('signInsPerEmailAndNetwork', 'cleared');
    await close();
  });

  let probes = 0;
  /** Whether what one process counts is seen by another. */
  async function isShared(...[one, other]: ReturnType<typeof open>['limits'][]): Promise<boolean> {
    probes += 1;
    const key = `probe-${probes}`;
    for (let turn = 0; turn < 3; turn += 1) await one?.take('signInsPerEmailAndNetwork', key);
    return (await other?.allows('signInsPerEmailAndNetwork', key)) === false;
  }
});

describe('limits of calls by cost', () => {
  it('a process counts the first tenth of a limit locally and the rest in the shared store, and says when to retry', async () => {
    const counted = new Map<string, number>();
    // As the statement of the library counts: key and points are its first values.
    const pool = {
      query: async ({ values: [key, points] }: { values: [string, number] }) => {
        counted.set(key, (counted.get(key) ?? 0) + points);
        return { rows: [{ points: counted.get(key), expire: Date.now() + 60_000 }] };
      },
    };
    const open = () => openRateLimits({ pool: pool as never, redisUrl: undefined }, log).limits;
    const [first, second] = [open(), open()];
    const { points, alone = 0 } = rateLimitRules.secretCallsPerPerson;
    for (let call = 0; call < alone; call += 1) await first.take('secretCallsPerPerson', 'ana');
    expect(counted.size).toBe(0);
    for (let call = 0; call < points; call += 1) await first.take('secretCallsPerPerson', 'ana');
    expect([...counted.values()]).toEqual([points]);
    await expect(first.take('secretCallsPerPerson', 'ana')).rejects.toMatchObject({
      details: { retryAfterSeconds: 60 },
    });
    for (let call = 0; call < alone; call += 1) await second.take('secretCallsPerPerson', 'ana');
    expect(await second.allows('secretCallsPerPerson', 'ana')).toBe(false);
    expect(await second.allows('secretCallsPerPerson', 'luis')).toBe(true);
  });

  it('load is tried with limits of calls that are larger by a factor, and those against guessing stay', async () => {
    const queries: unknown[] = [];
    const pool = { query: async (query: unknown) => queries.push(query) };
    const { limits } = openRateLimits({ pool: pool as never, redisUrl: undefined }, log, {}, 1000);
    const { points } = rateLimitRules.secretCallsPerPerson;
    for (let call = 0; call < points * 2; call += 1) await limits.take('secretCallsPerPerson', 'ana');
    expect(queries).toEqual([]);
    await limits.allows('signInsPerNetwork', 'ana').catch(() => {});
    expect(queries).toHaveLength(1);
  });
});

describe('rate limits in PostgreSQL', () => {
  it('rate limits in PostgreSQL store keys as hashes only, and count per process while the store does not answer', async () => {
    const queries: unknown[] = [];
    const pool = {
      query: (query: unknown) => {
        queries.push(query);
        return new Promise(() => {});
      },
    };
    const store = { pool: pool as never, redisUrl: undefined };
    const { limits } = openRateLimits(store, log, { signInsPerEmailAndNetwork: 1 });
    await limits.take('signInsPerEmailAndNetwork', 'ana@example.com');
    await expect(limits.take('signInsPerEmailAndNetwork', 'ana@example.com')).rejects.toSatisfy(refused);
    expect(queries).toHaveLength(2);
    expect(JSON.stringify(queries)).not.toContain('ana@');
  });
});
