import { finishRateRun, openDueRateRun } from '#platform/database/observations';
import { RateRun } from '#platform/database/schema/rates';
import { lastTurns } from '#platform/database/source-health';
import type { Engine } from '../engine.ts';
import { sources } from './all.ts';
import type { SourceOutcome } from './collector.ts';
import { isResting } from './resting.ts';
import type { Source } from './source.ts';

/** The schedule's tick. Ticks that were late or held back come in a burst; half an interval between two runs is the least. */
export async function openDueRun(engine: Engine): Promise<void> {
  await openIfQuiet(engine, engine.ratesEveryMs / 2);
}

/** When a worker starts: a run at once if the last one is older than the interval, or there never was one. */
export async function openFirstRun(engine: Engine): Promise<void> {
  await openIfQuiet(engine, engine.ratesEveryMs);
}

async function openIfQuiet(engine: Engine, quietMs: number): Promise<void> {
  await engine.database.transaction((em) =>
    openDueRateRun(em, { quietMs, everyMs: engine.ratesEveryMs, at: engine.now() }),
  );
}

/** Asks every source, all at the same time but each one request by request, and closes the run with what they gave. */
export async function collectRates(engine: Engine, runId: string): Promise<void> {
  const em = engine.database.read();
  const run = await em.findOne(RateRun, { id: runId });
  if (!run || run.finishedAt) return;
  const now = engine.now();
  const turns = await lastTurns(em, now);
  const outcomes = await Promise.all(
    sources.map((source) =>
      isResting(turns.get(source.name) ?? [], now)
        ? leftAlone(source)
        : engine.rateSources.collect(source, run.amountMinor ?? null),
    ),
  );
  const results = outcomes.map(({ result }) => result);
  for (const { source, failure } of results) {
    if (failure) engine.log.warn({ source, failure }, 'a rate source gave nothing');
  }
  const collected = outcomes.flatMap((outcome) => outcome.collected);
  await engine.database.transaction((em) => finishRateRun(em, runId, { collected, results, at: engine.now() }));
}

function leftAlone({ name }: Source): SourceOutcome {
  return { collected: [], result: { source: name, observations: 0, failure: { code: 'circuit_open' }, tookMs: 0 } };
}
