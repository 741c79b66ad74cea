import { type QueueName, queueNames, queues } from '#core/contracts/jobs';
import { BoardRefusal } from './refusals.ts';

/** What a call of the dashboard that changes something wants. */
export type BoardCall =
  | { readonly action: 'pause' | 'resume'; readonly queues: readonly QueueName[] }
  | { readonly action: 'retry'; readonly queue: QueueName; readonly jobId: string }
  | { readonly action: 'retry_all'; readonly queue: QueueName }
  /** Bull Board does it. */
  | { readonly action: 'forward' };

/** Calls that take or hold back jobs, by the path after the queue: not on queues of money. */
const takingJobs = [
  ...[/^empty$/, /^obliterate$/, /^clean\/[^/]+$/, /^[^/]+\/clean$/, /^promote$/, /^[^/]+\/promote$/],
  ...[/^concurrency$/, /^rate-limit(\/release)?$/],
];

/**
 * Reads a call that changes something. Unknown calls are refused, whatever a later version of the dashboard offers.
 * `path`: relative to the dashboard. @throws BoardRefusal `money_queue`, `jobs_not_editable`, `job_not_failed`.
 */
export function readBoardCall(method: string, path: string): BoardCall {
  const rest = /^\/api\/queues\/(.+)$/.exec(path)?.[1];
  if (method !== 'PUT' || rest === undefined) throw new BoardRefusal('jobs_not_editable');
  if (rest === 'pause' || rest === 'resume') return { action: rest, queues: queueNames };
  const [name = '', ...segments] = rest.split('/').map(decoded);
  const queue = queueNames.find((one) => one === name);
  if (!queue) throw new BoardRefusal('jobs_not_editable');
  const [first = '', second] = segments;
  if (segments.length === 1 && (first === 'pause' || first === 'resume')) return { action: first, queues: [queue] };
  if (segments.length === 2 && first === 'retry') {
    if (second !== 'failed') throw new BoardRefusal('job_not_failed');
    return { action: 'retry_all', queue };
  }
  if (segments.length === 2 && second === 'retry') return { action: 'retry', queue, jobId: first };
  if (/^job-schedulers\/[^/]+\/run$/.test(segments.join('/'))) return { action: 'forward' };
  if (!takingJobs.some((pattern) => pattern.test(segments.join('/')))) throw new BoardRefusal('jobs_not_editable');
  if (queues[queue].money) throw new BoardRefusal('money_queue');
  return { action: 'forward' };
}

/** Decodes path segments as Express does; an undecodable one matches nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
