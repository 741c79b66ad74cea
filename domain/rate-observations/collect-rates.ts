import type { JobContext } from '../jobs/job-context.ts';
import type { SourceOutcome } from '../rate-sources/collector.ts';
import type { Source } from '../rate-sources/source.ts';
import { sources } from '../rate-sources/sources/index.ts';
import { failuresToOpen, isCircuitOpen } from './circuit-breaker.ts';
import { findLastAttempts, findRateRun } from './rate-run.repository.ts';
import { finishRateRun, openDueRateRun } from './rate-runs.ts';
import { attemptsCountMs } from './source-health.ts';

/** The schedule's tick. Late ticks arrive in a burst, so two runs are at least half an interval apart. */
export async function openScheduledRateRun(context: JobContext): Promise<void> {
  await openAfter(context, context.ratesEveryMs / 2);
}

/** Called when a worker starts: opens a run at once if the last one is older than the interval, or there was none. */
export async function openFirstRateRun(context: JobContext): Promise<void> {
  await openAfter(context, context.ratesEveryMs);
}

async function openAfter(context: JobContext, quietMs: number): Promise<void> {
  await context.database.transaction((em) =>
    openDueRateRun(em, { quietMs, everyMs: context.ratesEveryMs, at: context.now() }),
  );
}

/**
 * Calls every source without an open circuit, all in parallel but each one request at a time, and closes the run with
 * the results.
 */
export async function collectRates(context: JobContext, runId: string): Promise<void> {
  const em = context.database.fork();
  const run = await findRateRun(em, runId);
  if (!run || run.finishedAt) return;
  const now = context.now();
  const since = new Date(now.getTime() - attemptsCountMs);
  const attempts = await findLastAttempts(em, { since, now, count: failuresToOpen });
  const outcomes = await Promise.all(
    sources.map((source) =>
      isCircuitOpen(attempts.get(source.name) ?? [], now, run.trigger === 'forced')
        ? skipped(source)
        : context.rateSources.collect(source, run.amountMinor ?? null),
    ),
  );
  for (const { result, error } of outcomes) {
    const { source, failure } = result;
    if (failure) context.log.warn({ source, failure, ...(error ? { err: error } : {}) }, 'a rate source failed');
  }
  const results = outcomes.map(({ result }) => result);
  const collected = outcomes.flatMap((outcome) => outcome.collected);
  await context.database.transaction((em) => finishRateRun(em, runId, { collected, results, at: context.now() }));
}

function skipped({ name }: Source): SourceOutcome {
  return { collected: [], result: { source: name, observations: 0, failure: { code: 'circuit_open' }, tookMs: 0 } };
}
