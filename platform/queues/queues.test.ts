import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type JobName, jobs, queueNames } from '#core/contracts/jobs';
import { onEveryQueueBackend, type QueueServices } from '../../infra/testing/redis.ts';
import { closeQueues, migrateQueues, openQueues, openWorker, type Queues } from './queues.ts';

onEveryQueueBackend('queues', (_backend, start) => {
  let services: QueueServices;
  let env: Parameters<typeof openQueues>[0];
  let queues: Queues;

  beforeAll(async () => {
    services = await start();
    env = { databaseUrl: services.database.url, redisUrl: services.redisUrl };
    queues = openQueues(env, () => {});
  });
  afterEach(() => Promise.all(Object.values(queues).map((queue) => queue.obliterate({ force: true }))));
  afterAll(async () => {
    await closeQueues(queues);
    await services.close();
  });

  const add = (name: JobName, data: object, options: object = {}) => queues[jobs[name].queue].add(name, data, options);

  test('are those of the contract, each with patience and a memory', () => {
    expect(Object.keys(queues).sort()).toEqual([...queueNames].sort());
    for (const queue of Object.values(queues)) {
      expect(queue.defaultJobOptions).toMatchObject({
        attempts: 8,
        backoff: { type: 'exponential' },
        removeOnComplete: { age: 24 * 3600 },
        removeOnFail: { age: 30 * 24 * 3600 },
      });
    }
  });

  test('give a job to one worker, whatever the number of workers, and tell it its name, data and id', async () => {
    const handled: { name: string; data: unknown; id?: string }[] = [];
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const open = () =>
      openWorker(env, 'payouts', async ({ name, data, id }) => void handled.push({ name, data, id }), {
        concurrency: 3,
      });
    const workers = [open(), open()];
    for (const worker of workers) worker.on('error', () => {});
    await Promise.all(ids.map((transferId) => add('pay-out', { transferId }, { jobId: `pay-out-${transferId}` })));
    await expect.poll(() => queues.payouts.getCompletedCount(), { timeout: 15_000, interval: 10 }).toBe(ids.length);
    await Promise.all(workers.map((worker) => worker.close()));
    const byId = (one: { id?: string }, other: { id?: string }) => String(one.id).localeCompare(String(other.id));
    expect(handled.sort(byId)).toEqual(
      ids.map((transferId) => ({ name: 'pay-out', data: { transferId }, id: `pay-out-${transferId}` })).sort(byId),
    );
  });

  test('try a failed job again, and keep one that failed for good for a person to retry', async () => {
    const attempts: number[] = [];
    let healed = false;
    const worker = openWorker(
      env,
      'payouts',
      async ({ attemptsMade }) => {
        attempts.push(attemptsMade);
        if (!healed) throw new Error('the bank does not answer');
      },
      { concurrency: 1 },
    );
    worker.on('error', () => {});
    const job = await add(
      'pay-out',
      { transferId: randomUUID() },
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

  test('let a worker finish what it has begun when it is closed, and keep the rest', async () => {
    const begun = Promise.withResolvers<void>();
    const may = Promise.withResolvers<void>();
    const worker = openWorker(
      env,
      'payouts',
      async () => {
        begun.resolve();
        await may.promise;
      },
      { concurrency: 1 },
    );
    worker.on('error', () => {});
    const [first, second] = [
      await add('pay-out', { transferId: randomUUID() }),
      await add('pay-out', { transferId: randomUUID() }),
    ];
    await begun.promise;
    const closing = worker.close();
    may.resolve();
    await closing;
    expect([await first.getState(), await second.getState()].sort()).toEqual(['completed', 'waiting']);
  });

  test('may be migrated again', async () => {
    await migrateQueues(env);
    await add('pay-out', { transferId: randomUUID() });
    expect(await queues.payouts.getWaitingCount()).toBe(1);
  });
});
