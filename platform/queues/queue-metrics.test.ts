import { register } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { showQueues } from './queue-metrics.ts';
import type { Queues } from './queues.ts';

const shown = async () =>
  [...(await register.metrics()).matchAll(/^chasqui_queue_jobs\{queue="(\w+)",state="waiting"\} (\d+)$/gm)].map(
    ([, queue, jobs]) => `${queue} ${jobs}`,
  );
const queue = (name: string, getJobCounts: () => Promise<object>) => ({ name, getJobCounts });

test('concurrent scrapes share one count with every queue, and show none while queues do not respond', async () => {
  vi.useFakeTimers();
  const answers: ((counts: object) => void)[] = [];
  const counted = vi.fn(() => new Promise<object>((resolve) => answers.push(resolve)));
  const queues = { payouts: queue('payouts', counted), refunds: queue('refunds', counted) } as unknown as Queues;
  const scrape = () => showQueues(queues).then(shown);
  const scrapes = [scrape(), scrape()];
  answers[0]?.({ waiting: 3 });
  await vi.advanceTimersByTimeAsync(500);
  scrapes.push(scrape());
  // Waiting jobs of a paused queue.
  answers[1]?.({ waiting: 0, paused: 4 });
  const all = ['payouts 3', 'refunds 4'];
  expect(await Promise.all(scrapes)).toEqual([all, all, all]);
  expect(await scrape()).toEqual(all);
  expect(counted).toHaveBeenCalledTimes(2);

  await vi.advanceTimersByTimeAsync(5_000);
  // While they are counted again, the counts of before are shown.
  const silent = [showQueues(queues), showQueues(queues)];
  expect(await shown()).toEqual(all);
  const failed = Promise.allSettled(silent);
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await shown()).toEqual([]);
  vi.useRealTimers();
});
