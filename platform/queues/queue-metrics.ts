import { Gauge } from 'prom-client';
import { answeredWithin } from '../http/time-limit.ts';
import { countJobs, type Queues } from './queues.ts';

/** How long (ms) counts are kept, and how long a queue may take to tell them. */
const keptMs = 5_000;
const answerMsMax = 2_000;

const queueJobs = new Gauge({
  name: 'chasqui_queue_jobs',
  help: 'Jobs of a queue by what they wait for; failed ones are kept 30 days.',
  labelNames: ['queue', 'state'] as const,
});

let countedAt = 0;
let counting: Promise<void> | undefined;

/**
 * Counts the jobs of every queue for the next scrape; scrapes at the same time share one count. @throws when a queue does not answer; then none
 * is shown.
 */
export function showQueues(queues: Queues): Promise<void> {
  if (Date.now() - countedAt < keptMs) return Promise.resolve();
  counting ??= count(queues).finally(() => {
    counting = undefined;
  });
  return counting;
}

async function count(queues: Queues): Promise<void> {
  try {
    const counted = await answeredWithin(
      answerMsMax,
      Promise.all(Object.values(queues).map(async (queue) => [queue.name, await countJobs(queue)] as const)),
    );
    for (const [queue, counts] of counted)
      for (const [state, count] of Object.entries(counts)) queueJobs.set({ queue, state }, count);
    countedAt = Date.now();
  } catch (error) {
    queueJobs.reset();
    throw error;
  }
}
