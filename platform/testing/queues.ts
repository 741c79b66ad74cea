import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { type Job, Worker, type WorkerOptions } from 'bullmq';
import { type QueueName, queueNames } from '#core/contracts/jobs';
import { QUEUES, QueuesModule } from '../queues/queues.module.ts';
import { connectQueues, type QueueBackend, type Queues, workerDefaults } from '../queues/queues.ts';

/** The queues of a process, and workers on them, as a test needs them. */
export interface TestQueues {
  readonly queues: Queues;
  /** A worker with the product's settings; closed with the queues unless the test closes it before. Without `autorun` it waits for `run()`. */
  work(name: QueueName, handle: TestHandler, options?: WorkOptions): Worker;
  close(): Promise<void>;
}

type TestHandler = (job: Job, token?: string) => Promise<void>;
type WorkOptions = Partial<
  Pick<
    WorkerOptions,
    'concurrency' | 'autorun' | 'lockDuration' | 'stalledInterval' | 'skipLockRenewal' | 'skipStalledCheck'
  >
>;

/** Opens the queues through the same module as api and worker. */
export async function openTestQueues(backend: QueueBackend): Promise<TestQueues> {
  const connection = connectQueues(backend, { workers: queueNames.length });
  const app = await NestFactory.createApplicationContext(
    QueuesModule.register(connection, () => {}),
    { logger: false },
  );
  const workers: Worker[] = [];
  return {
    queues: app.get<Queues>(QUEUES),
    work: (name, handle, options = {}) => {
      const worker = new Worker(name, handle, { ...workerDefaults, ...options, connection: connection.worker });
      worker.on('error', () => {});
      workers.push(worker);
      return worker;
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      await app.close();
      await connection.close();
    },
  };
}
