import {
  type ConnectionOptions,
  createPostgresBackend,
  type JobType,
  Queue,
  type QueueOptions,
  setDefaultBackendFactory,
  type Telemetry,
} from 'bullmq';
import { Pool } from 'pg';
import { type JobName, jobs, type QueueName } from '#core/contracts/jobs';
import { idleConnectionMs } from '../database/database.ts';
import { backOffMs } from './retry.ts';

/** Schema of the queues' tables when they live in PostgreSQL. */
export const queueSchema = 'bullmq';

/** Connections for short queries. */
const queryConnections = 3;

/** Where queues live. */
export interface QueueBackend {
  readonly databaseUrl: string;
  /** Redis when given, else PostgreSQL. */
  readonly redisUrl: string | undefined;
}

/** One queue per name of the contract. Only the relay and the schedules add to them: an import rule holds it. */
export type Queues = Readonly<Record<QueueName, Queue>>;

/** States of a job that is about to run, or runs. One that is put off beyond the moment in its row counts as lost: delays are only hints. */
const openJobStates: readonly string[] = ['waiting', 'paused', 'active', 'prioritized'];

/** Counts the jobs of a queue by state. On PostgreSQL BullMQ counts those that wait in a paused queue as `paused`, a state its types do not name. */
export async function countJobs(queue: Pick<Queue, 'getJobCounts'>) {
  const counts = await queue.getJobCounts('waiting', 'paused' as JobType, 'active', 'delayed', 'failed');
  const { waiting = 0, paused = 0, active = 0, delayed = 0, failed = 0 } = counts;
  return { waiting: waiting + paused, active, delayed, failed };
}

/** Lists the queued jobs for sweeps (`QueuedJobs` of the job context). */
export function queuedJobsOf(queues: Queues) {
  return {
    has: async (name: JobName, jobId: string): Promise<boolean> => {
      return openJobStates.includes(await queues[jobs[name].queue].getJobState(jobId));
    },
  };
}

/** The connections that all queues and workers of a process share. */
export interface QueueConnection {
  /** For queues: a call fails fast, so that a request never hangs on a queue. */
  readonly producer: ConnectionOptions;
  /** For workers: they wait until a lost server is back. */
  readonly worker: ConnectionOptions;
  /** Carries traces through the queues, where anything is traced. */
  readonly telemetry: Telemetry | undefined;
  /** Closes the process's shared connections; queues and workers must be closed before. */
  close(): Promise<void>;
}

/**
 * Opens nothing by itself: connections are made when the first queue or worker needs one. `workers`: number of workers
 * in the process; on PostgreSQL each has a separate listening connection.
 */
export function connectQueues(
  backend: QueueBackend,
  { workers = 0, telemetry }: { readonly workers?: number; readonly telemetry?: Telemetry | undefined } = {},
): QueueConnection {
  if (backend.redisUrl) {
    setDefaultBackendFactory();
    const url = backend.redisUrl;
    return {
      producer: { url, maxRetriesPerRequest: 1 },
      worker: { url, maxRetriesPerRequest: null },
      telemetry,
      close: async () => {},
    };
  }
  setDefaultBackendFactory(createPostgresBackend);
  const pool = openPool(backend.databaseUrl, queryConnections + workers);
  const connection = pool as unknown as ConnectionOptions;
  return { producer: connection, worker: connection, telemetry, close: () => pool.end() };
}

/**
 * BullMQ attaches its error listeners only once connected, and an 'error' event without a listener ends the process:
 * PostgreSQL may end a connection in between when it stops.
 */
function openPool(connectionString: string, max: number): Pool {
  const pool = new Pool({
    ...{ connectionString, keepAlive: true, max, idleTimeoutMillis: idleConnectionMs },
    options: `-c search_path="${queueSchema}"`,
  });
  // Every queue and worker listens for its errors.
  pool.setMaxListeners(0);
  // The query that uses the connection fails and is reported.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Failed jobs are kept 30 days for a person to look at, and completed ones a day. Kept by age alone: with a number of jobs to keep, PostgreSQL
 * would read every kept one at each completion.
 */
export const defaultJobOptions: NonNullable<QueueOptions['defaultJobOptions']> = {
  // Within about two minutes.
  attempts: 8,
  backoff: { type: 'custom' },
  removeOnComplete: { age: 24 * 3600 },
  removeOnFail: { age: 30 * 24 * 3600 },
};

/** Attempts of a row's job. The row says when the last one was: below this number always. */
export const rowJobAttempts = 10_000;

/** How workers treat jobs of a process that died, and lost connections (ms). */
export const workerDefaults = {
  // A job whose worker died is given to another one after this long, however often that happens.
  lockDuration: 6_000,
  stalledInterval: 6_000,
  maxStalledCount: 20,
  // In seconds. A new job wakes the worker; without one it looks again after this long.
  drainDelay: 300,
  // How soon a lost connection is tried again.
  runRetryDelay: 1_000,
  settings: { backoffStrategy: backOffMs },
} as const;

/** Creates or upgrades the queues' own tables; nothing to do on Redis. */
export async function migrateQueues(backend: QueueBackend): Promise<void> {
  if (backend.redisUrl) return;
  setDefaultBackendFactory(createPostgresBackend);
  const connection = {
    connectionString: backend.databaseUrl,
    schema: queueSchema,
    migrate: true,
  } as unknown as ConnectionOptions;
  const queue = new Queue('maintenance', { connection });
  await queue.waitUntilReady();
  await queue.close();
}
