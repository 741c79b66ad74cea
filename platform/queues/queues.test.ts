import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type JobName, jobs, queueNames } from '#core/contracts/jobs';
import { onEveryQueueBackend, type QueueServices } from '../../infra/testing/redis.ts';
import { openTestQueues, type TestQueues } from '../testing/queues.ts';
import { migrateQueues, type QueueBackend, type Queues } from './queues.ts';

onEveryQueueBackend('the queues', (_backEnd, start) => {
  let services: QueueServices;
  let backend: QueueBackend;
  let opened: TestQueues;
  let queues: Queues;

  beforeAll(async () => {
    services = await start();
    backend = { databaseUrl: services.database.url, redisUrl: services.redisUrl };
    opened = await openTestQueues(backend);
    queues = opened.queues;
  });
  afterEach(() => Promise.all(Object.values(queues).map((queue) => queue.obliterate({ force: true }))));
  afterAll(async () => {
    await opened.close();
    await services.close();
  });

  const add = (name: JobName, data: object, options: object = {}) => queues[jobs[name].queue].add(name, data, options);

  test('the queues are those of the contract, with retries and a bounded memory of ended jobs', () => {
    expect(Object.keys(queues).sort()).toEqual([...queueNames].sort());
    for (const queue of Object.values(queues)) {
      expect(queue.defaultJobOptions).toMatchObject({
        attempts: 8,
        backoff: { type: 'custom' },
        removeOnComplete: { age: 24 * 3600 },
        removeOnFail: { age: 30 * 24 * 3600 },
      });
    }
  });

  test('a job is given to one worker, however many there are, with its name, data and id', async () => {
    const handled: { name: string; data: unknown; id?: string }[] = [];
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const open = () =>
      opened.work('payouts', async ({ name, data, id }) => void handled.push({ name, data, id }), { concurrency: 3 });
    const workers = [open(), open()];
    await Promise.all(
      ids.map((operationId) => add('run-payout', { operationId }, { jobId: `run-payout-${operationId}` })),
    );
    await expect.poll(() => queues.payouts.getCompletedCount(), { timeout: 15_000, interval: 10 }).toBe(ids.length);
    await Promise.all(workers.map((worker) => worker.close()));
    const byId = (one: { id?: string }, other: { id?: string }) => String(one.id).localeCompare(String(other.id));
    expect(handled.sort(byId)).toEqual(
      ids
        .map((operationId) => ({ name: 'run-payout', data: { operationId }, id: `run-payout-${operationId}` }))
        .sort(byId),
    );
  });

  test('a failed job is tried again, and one that failed for good is kept for a person to retry', async () => {
    const attempts: number[] = [];
    let healed = false;
    const worker = opened.work(
      'payouts',
      async ({ attemptsMade }) => {
        attempts.push(attemptsMade);
        if (!healed) throw new Error('the bank does not answer');
      },
      { concurrency: 1 },
    );
    const job = await add(
      'run-payout',
      { operationId: randomUUID() },
      { attempts: 3, backoff: { type: 'fixed', delay: 10 } },
    );
    await expect.poll(() => job.getState(), { timeout: 15_000, interval: 10 }).toBe('failed');
    expect(attempts).toEqual([0, 1, 2]);
    const [failed] = await queues.payouts.getFailed();
    expect(failed).toMatchObject({ id: job.id, failedReason: 'the bank does not answer' });
    healed = true;
    await failed?.retry();
    await expect.poll(() => job.getState(), { timeout: 15_000, interval: 10 }).toBe('completed');
    await worker.close();
  });

  test('a worker that is closed finishes the job it has begun and leaves the others waiting', async () => {
    const begun = Promise.withResolvers<void>();
    const may = Promise.withResolvers<void>();
    const worker = opened.work(
      'payouts',
      async () => {
        begun.resolve();
        await may.promise;
      },
      { concurrency: 1 },
    );
    const [first, second] = [
      await add('run-payout', { operationId: randomUUID() }),
      await add('run-payout', { operationId: randomUUID() }),
    ];
    await begun.promise;
    const closing = worker.close();
    may.resolve();
    await closing;
    expect([await first.getState(), await second.getState()].sort()).toEqual(['completed', 'waiting']);
  });

  test('the tables of the queues can be migrated again', async () => {
    await migrateQueues({ ...backend, databaseUrl: services.database.ownerUrl });
    await add('run-payout', { operationId: randomUUID() });
    expect(await queues.payouts.getWaitingCount()).toBe(1);
  });
});
