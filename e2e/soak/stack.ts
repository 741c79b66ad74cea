import { startTestDatabaseServer, type TestDatabaseServer } from '../../infra/testing/database-server.ts';
import { TestRedisServer } from '../../infra/testing/redis-server.ts';
import type { QueueHome } from '../../infra/testing/soak.ts';
import type { StackOptions } from '../../infra/testing/stack.ts';
import { openApp, type TestApp } from '../test-app.ts';

/** More than one sender pays in a run of the soak, and two admins for some of the money. */
export const soakEnvironment = {
  LIMIT_DAY_USD: '90000',
  LIMIT_MONTH_USD: '90000',
  LIMIT_UNPAID_TRANSFERS: '1000',
  CALL_LIMIT_FACTOR: '1000',
  LIMIT_DECLINES_ACCOUNT: '100000',
  LIMIT_DECLINES_NETWORK: '100000',
  LIMIT_DECLINES_CARD: '100000',
  DESK_TWO_PERSONS_USD: '40',
  // All transfers of a run are of one day and few senders.
  REVIEW_TWO_PERSONS_USD: '9000000',
  REVIEW_NEW_DEVICE_USD: '9000000',
  BETTER_RATE: 'on',
  // An order that the bank called invalid counts as certainly unpaid after a few seconds instead of half an hour.
  BANK_COMPLETION_MINUTES: '0.05',
};

/** A running product with all that may be killed under it. */
export interface SoakStack {
  readonly app: TestApp;
  readonly server: TestDatabaseServer;
  /** Null: the queues are in PostgreSQL. */
  readonly redis: TestRedisServer | null;
  close(): Promise<void>;
}

/**
 * Starts the product on a separate PostgreSQL and Redis. Sweeps (`SWEEP_SECONDS`) find lost work; running every second
 * they cost half a processor, fine for a few payments. `at`: creation time of its admins and rates. @throws if Redis is
 * wanted and there is no `redis-server`.
 */
export async function startSoakStack(
  queues: QueueHome,
  { env, at, replicas }: { env: Record<string, string>; at?: Date; replicas?: StackOptions['replicas'] },
): Promise<SoakStack> {
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const server = await startTestDatabaseServer();
    closing.push(server.close);
    const redis = queues === 'redis' ? await TestRedisServer.start() : null;
    if (redis) closing.push(() => redis.close());
    const app = await openApp({
      database: server.database,
      redisUrl: redis?.url,
      env,
      ...(at && { at }),
      ...(replicas && { replicas }),
    });
    closing.push(() => app.stack.close());
    return { app, server, redis, close };
  } catch (error) {
    await close();
    throw error;
  }
}
