import { type ConnectionOptions, createPostgresBackend, Queue, setDefaultBackendFactory, Worker } from 'bullmq';
import { type QueueName, queueNames } from '#core/contracts/jobs';
import type { Env } from '../env.ts';

/** Schema of the queues' tables when they live in PostgreSQL. */
const schema = 'bullmq';

/** Connections one queue or one worker keeps at most. */
const poolMax = 2;

type QueueEnv = Pick<Env, 'databaseUrl' | 'redisUrl'>;

/**
 * The one rule of where queues live: Redis when `REDIS_URL` is given, else PostgreSQL. Producers fail fast so that a request
 * never hangs on a queue; workers wait for it to come back.
 */
function connect(env: QueueEnv, role: 'producer' | 'worker', migrate = false): ConnectionOptions {
  if (env.redisUrl) {
    setDefaultBackendFactory();
    return { url: env.redisUrl, maxRetriesPerRequest: role === 'worker' ? null : 1 };
  }
  setDefaultBackendFactory(createPostgresBackend);
  return { connectionString: env.databaseUrl, schema, migrate, max: poolMax } as unknown as ConnectionOptions;
}

/** One queue per name of the contract. */
export type Queues = Readonly<Record<QueueName, Queue>>;

/** Opens every queue for adding jobs and looking at them. `onError` hears connection trouble, which heals by itself. */
export function openQueues(env: QueueEnv, onError: (error: Error) => void): Queues {
  const connection = connect(env, 'producer');
  return Object.fromEntries(
    queueNames.map((name) => {
      const queue = new Queue(name, {
        connection,
        defaultJobOptions: {
          attempts: 8,
          backoff: { type: 'exponential', delay: 1000, jitter: 0.5 },
          removeOnComplete: { age: 24 * 3600, count: 5000 },
          removeOnFail: { age: 30 * 24 * 3600 },
        },
      });
      queue.on('error', onError);
      return [name, queue];
    }),
  ) as unknown as Queues;
}

/** Closes every queue's connections. */
export async function closeQueues(queues: Queues): Promise<void> {
  await Promise.all(Object.values(queues).map((queue) => queue.close()));
}

/** Opens a worker on a queue. The handler may see a job more than once and must not mind. */
export function openWorker(
  env: QueueEnv,
  name: QueueName,
  handle: (job: { name: string; data: unknown; id?: string; attemptsMade: number }) => Promise<void>,
  options: { concurrency: number },
): Worker {
  return new Worker(name, handle, {
    connection: connect(env, 'worker'),
    concurrency: options.concurrency,
    // A job whose worker died is given to another one after this long, however often that happens.
    lockDuration: 6_000,
    stalledInterval: 3_000,
    maxStalledCount: 20,
    // How soon a lost connection is tried again.
    runRetryDelay: 1_000,
  });
}

/** Creates or upgrades the queues' own tables; nothing to do on Redis. */
export async function migrateQueues(env: QueueEnv): Promise<void> {
  if (env.redisUrl) return;
  const queue = new Queue('sweeps', { connection: connect(env, 'producer', true) });
  await queue.waitUntilReady();
  await queue.close();
}
