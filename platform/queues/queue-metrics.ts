import { Gauge } from 'prom-client';
import type { Queues } from './queues.ts';

const states = ['waiting', 'active', 'delayed', 'failed'] as const;
/** How long (ms) counts are kept, and how long a queue may take to tell them. */
const keptMs = 5_000;
const answerMsMax = 2_000;

const queueJobs = new Gauge({
  name: 'chasqui_queue_jobs',
  help: 'Jobs of a queue by what they wait for; failed ones are kept 30 days.',
  labelNames: ['queue', 'state'] as const,
});

let countedAt = 0;

/** Counts the jobs of every queue for the next scrape. @throws when a queue does not answer. */
export async function showQueues(queues: Queues): Promise<void> {
  if (Date.now() - countedAt < keptMs) return;
  countedAt = Date.now();
  queueJobs.reset();
  const late = AbortSignal.timeout(answerMsMax);
  const counted = Promise.all(
    Object.values(queues).map(async (queue) => {
      const counts = await queue.getJobCounts(...states);
      if (!late.aborted) for (const state of states) queueJobs.set({ queue: queue.name, state }, counts[state] ?? 0);
    }),
  );
  const tooLate = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error('the queues do not answer')));
  });
  await Promise.race([counted, tooLate]);
}
