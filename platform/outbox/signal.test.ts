import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { onEveryQueueBackend, type QueueServices } from '../../infra/testing/redis.ts';
import { createLogger } from '../logging.ts';
import { openTestQueues, type TestQueues } from '../testing/queues.ts';
import { Signal } from './signal.ts';

const log = createLogger('platform', 'silent');

onEveryQueueBackend('a signal', (_backend, start) => {
  let services: QueueServices;
  let opened: TestQueues;

  beforeAll(async () => {
    services = await start();
    opened = await openTestQueues({ databaseUrl: services.database.url, redisUrl: services.redisUrl });
  });
  afterAll(async () => {
    await opened.close();
    await services.close();
  });

  test('given many times costs few jobs, and one given while its job runs is not lost', async () => {
    let runs = 0;
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const worker = opened.work('stripe-events', async () => {
      runs += 1;
      begun.resolve();
      if (runs === 1) await release.promise;
    });
    const signal = new Signal(opened.queues, 'handle-due-stripe-events', log);
    signal.send();
    await begun.promise;
    for (let count = 0; count < 50; count += 1) signal.send();
    await signal.stop();
    release.resolve();
    await expect.poll(() => runs, { interval: 5, timeout: 10_000 }).toBeGreaterThan(1);
    expect(runs).toBeLessThan(5);
    await worker.close();
  });

  test('that a queue does not take is left to the sweep', async () => {
    vi.spyOn(opened.queues['stripe-events'], 'add').mockRejectedValueOnce(new Error('queue down'));
    const signal = new Signal(opened.queues, 'handle-due-stripe-events', log);
    signal.send();
    await signal.stop();
    vi.restoreAllMocks();
  });
});
