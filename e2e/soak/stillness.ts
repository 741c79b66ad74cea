import { setTimeout as pause } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { type JobName, jobs } from '#core/contracts/jobs';
import { parseMinor } from '#core/money/money';
import { connectQueues } from '#platform/queues/queues';
import { query } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';
import { until } from '../until.ts';

/**
 * How long the state may stay unchanged before it counts as stuck, in ms, unless an attempt is due later: longer than a
 * lease.
 */
const stuckMs = 120_000;
/** Polling interval, in ms: each poll reads all jobs of all queues. */
const lookMs = 1_000;
/** Longest wait altogether, in ms. */
const longestMs = 60 * 60_000;

/** Rounds that schedules repeat for ever. */
const repeated = /^(sweep-|purge-|watch-rates$|open-rate-run$|collect-rates$|reconcile-books$)/;

/** Counts of unfinished work; empty at rest. */
export type Unfinished = Record<string, number>;

const waiting = `
select 'open operations' as what, count(*)::int as count from operation where status in ('pending', 'in_flight', 'unknown')
union all select 'unhandled events', count(*)::int from stripe_event where handled_at is null
union all select 'abandoned events', count(*)::int from stripe_event where outcome = 'abandoned'
union all select 'outbox rows', count(*)::int from outbox
union all select 'ended transfers not voided', count(*)::int from transfer
  where state in ('rejected', 'cancelled', 'failed', 'expired') and authorization_voided_at is null and payment_intent_id is not null
union all select state || ' transfers', count(*)::int from transfer
  where state in ('awaiting_payment', 'in_review', 'approved') group by state`;

/** When the last operation that is put off is due, in ms since the epoch, or null. Those that wait for a dispute ask once an hour. */
const lastDue = `select extract(epoch from max(next_attempt_at))::float8 * 1000 as at from operation
  where status in ('pending', 'in_flight', 'unknown') and next_attempt_at < now() + interval '15 minutes'`;

/**
 * Waits until no operation, event, job or webhook is left. @throws with the remaining work when nothing changed for a
 * long time.
 */
export async function untilStill(app: TestApp, redisUrl?: string): Promise<void> {
  const connection = connectQueues({ databaseUrl: app.databaseUrl, redisUrl });
  const names = [...new Set(Object.values(jobs).map(({ queue }) => queue))];
  const queues = names.map((name) => new Queue(name, { connection: connection.producer }));
  for (const queue of queues) queue.on('error', () => {});
  let last = '';
  let changedAt = Date.now();
  try {
    await until(
      'nothing moves any more',
      async () => {
        const left = await unfinished(app, queues);
        const now = JSON.stringify(left);
        if (now !== last) {
          last = now;
          changedAt = Date.now();
        }
        if (now === '{}') return true;
        const [due] = await query<{ at: number | null }>(app.databaseUrl, lastDue);
        if (Date.now() - Math.max(changedAt, due?.at ?? 0) > stuckMs) return 'stuck';
        await pause(lookMs);
        return false;
      },
      longestMs,
    ).then((end) => {
      if (end === 'stuck') throw new Error(`nothing changes, but this is left: ${last}`);
    });
  } finally {
    await Promise.all(queues.map((queue) => queue.close()));
    await connection.close();
  }
}

/** The places to search for unfinished work. */
interface Places {
  readonly databaseUrl: string;
  readonly sandbox: Pick<TestApp['sandbox'], 'idle' | 'payouts'>;
}

/** Counts unfinished work by name. */
export async function unfinished(app: Places, queues: readonly Queue[]): Promise<Unfinished> {
  const { databaseUrl, sandbox } = app;
  const rows = await query<{ what: string; count: number }>(databaseUrl, waiting);
  const left: Unfinished = Object.fromEntries(
    rows.filter(({ count }) => count > 0).map((row) => [row.what, row.count]),
  );
  if (!(await sandbox.idle())) left['due at the simulators'] = 1;
  for (const queue of queues) {
    for (const status of ['waiting', 'active', 'prioritized', 'delayed', 'failed'] as const) {
      const found = (await queue.getJobs([status])).filter((job) => job && !repeated.test(job.name as JobName));
      for (const { name } of found) left[`${status} ${name}`] = (left[`${status} ${name}`] ?? 0) + 1;
    }
  }
  if (Object.keys(left).length === 0 && !(await areReturnsTaken(app))) left['returned payments'] = 1;
  return left;
}

/** Whether the product knows of all payments that came back to the bank. */
async function areReturnsTaken({ databaseUrl, sandbox }: Places): Promise<boolean> {
  const returned = (await sandbox.payouts()).reduce((sum, one) => sum + (parseMinor(one.returnedAmount) ?? 0n), 0n);
  const sql = 'select coalesce(sum(amount_minor), 0)::text as sum from bank_return';
  const [taken] = await query<{ sum: string }>(databaseUrl, sql);
  return BigInt(taken?.sum ?? 0) === returned;
}
