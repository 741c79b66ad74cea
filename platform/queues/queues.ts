import { type ConnectionOptions, createPostgresBackend, Queue, setDefaultBackendFactory, Worker } from 'bullmq';
import { Pool } from 'pg';
import { type QueueName, queueNames } from '#core/contracts/jobs';
import type { ConnectionConfiguration } from '../configuration/variables.ts';

/** Schema of the queues' tables when they live in PostgreSQL. */
const schema = 'bullmq';

/** Connections all queues of a process together, or one worker, keep at most; a worker listens on one of them. */
const poolMax = 4;

/** Where queues live, as BullMQ wants it told, and how to let go of it afterwards. */
interface Connection {
  readonly options: ConnectionOptions;
  close(): Promise<void>;
}

/**
 * The one rule of where queues live: Redis when `REDIS_URL` is given, else PostgreSQL. Producers fail fast so that a request
 * never hangs on a queue; workers wait for it to come back.
 */
function connect(env: ConnectionConfiguration, role: 'producer' | 'worker'): Connection {
  if (env.redisUrl) {
    setDefaultBackendFactory();
    const options = { url: env.redisUrl, maxRetriesPerRequest: role === 'worker' ? null : 1 };
    return { options, close: async () => {} };
  }
  setDefaultBackendFactory(createPostgresBackend);
  const pool = openPool(env.databaseUrl);
  return { options: pool as unknown as ConnectionOptions, close: () => pool.end() };
}

/**
 * BullMQ hears the errors of the connections it makes itself a moment after they stand, and one that nobody hears ends the
 * process: PostgreSQL may end a connection in that very moment when it stops.
 */
function openPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, options: `-c search_path="${schema}"`, keepAlive: true, max: poolMax });
  // Whoever uses the connection is told by what it waits for.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** One queue per name of the contract. */
export type Queues = Readonly<Record<QueueName, Queue>>;

/** How the queues of a process let go of what they share. */
const connections = new WeakMap<Queues, Connection>();

/** Opens every queue for adding jobs and looking at them. `onError` hears connection trouble, which heals by itself. */
export function openQueues(env: ConnectionConfiguration, onError: (error: Error) => void): Queues {
  const connection = connect(env, 'producer');
  const queues = Object.fromEntries(
    queueNames.map((name) => {
      const queue = new Queue(name, {
        connection: connection.options,
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
  connections.set(queues, connection);
  return queues;
}

/** Closes every queue's connections. */
export async function closeQueues(queues: Queues): Promise<void> {
  await Promise.all(Object.values(queues).map((queue) => queue.close()));
  await connections.get(queues)?.close();
}

/** Opens a worker on a queue. The handler may see a job more than once and must not mind. */
export function openWorker(
  env: ConnectionConfiguration,
  name: QueueName,
  handle: (job: { name: string; data: unknown; id?: string; attemptsMade: number }) => Promise<void>,
  options: { concurrency: number },
): Worker {
  const connection = connect(env, 'worker');
  const worker = new Worker(name, handle, {
    connection: connection.options,
    concurrency: options.concurrency,
    // A job whose worker died is given to another one after this long, however often that happens.
    lockDuration: 6_000,
    stalledInterval: 3_000,
    maxStalledCount: 20,
    // How soon a lost connection is tried again.
    runRetryDelay: 1_000,
  });
  worker.once('closed', () => void connection.close());
  return worker;
}

/** Creates or upgrades the queues' own tables; nothing to do on Redis. */
export async function migrateQueues(env: ConnectionConfiguration): Promise<void> {
  if (env.redisUrl) return;
  setDefaultBackendFactory(createPostgresBackend);
  const connection = { connectionString: env.databaseUrl, schema, migrate: true } as unknown as ConnectionOptions;
  const queue = new Queue('sweeps', { connection });
  await queue.waitUntilReady();
  await queue.close();
}
