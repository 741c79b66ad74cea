import type { JobContext } from '../job-context.ts';
import { isResting } from './circuit-breaker.ts';
import type { SourceOutcome } from './collector.ts';
import { finishRateRun, openDueRateRun } from './observation.repository.ts';
import { RateRun } from './rate-run.entity.ts';
import type { Source } from './source.ts';
import { lastTurns } from './source-health.ts';
import { sources } from './sources/index.ts';

/** The schedule's tick. Ticks that were late or held back come in a burst; half an interval between two runs is the least. */
export async function openDueRun(context: JobContext): Promise<void> {
  await openIfQuiet(context, context.ratesEveryMs / 2);
}

/** When a worker starts: a run at once if the last one is older than the interval, or there never was one. */
export async function openFirstRun(context: JobContext): Promise<void> {
  await openIfQuiet(context, context.ratesEveryMs);
}

async function openIfQuiet(context: JobContext, quietMs: number): Promise<void> {
  await context.database.transaction((em) =>
    openDueRateRun(em, { quietMs, everyMs: context.ratesEveryMs, at: context.now() }),
  );
}

/** Asks every source, all at the same time but each one request by request, and closes the run with what they gave. */
export async function collectRates(context: JobContext, runId: string): Promise<void> {
  const em = context.database.fork();
  const run = await em.findOne(RateRun, { id: runId });
  if (!run || run.finishedAt) return;
  const now = context.now();
  const turns = await lastTurns(em, now);
  const outcomes = await Promise.all(
    sources.map((source) =>
      isResting(turns.get(source.name) ?? [], now)
        ? leftAlone(source)
        : context.rateSources.collect(source, run.amountMinor ?? null),
    ),
  );
  const results = outcomes.map(({ result }) => result);
  for (const { source, failure } of results) {
    if (failure) context.log.warn({ source, failure }, 'a rate source gave nothing');
  }
  const collected = outcomes.flatMap((outcome) => outcome.collected);
  await context.database.transaction((em) => finishRateRun(em, runId, { collected, results, at: context.now() }));
}

function leftAlone({ name }: Source): SourceOutcome {
  return { collected: [], result: { source: name, observations: 0, failure: { code: 'circuit_open' }, tookMs: 0 } };
}
