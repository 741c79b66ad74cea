import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#platform/database/database';
import type { SourceResult } from '../rate-sources/source.ts';
import { findRateRun, type RateRun } from './rate-run.repository.ts';
import { openRateRun } from './rate-runs.ts';

/** Polling interval of a running run, in ms. */
const pollMs = 200;

/**
 * Calls every source now, including those with an open circuit, and waits for the results. Waits for a running
 * scheduled run first, because it skips open circuits.
 * @returns the results by source, or null when they take longer than `waitMs`; the run then continues in the
 * background.
 */
export async function forceRateRun(
  database: Database,
  request: { amountMinor: bigint; everyMs: number; waitMs: number },
): Promise<readonly SourceResult[] | null> {
  const { amountMinor, everyMs, waitMs } = request;
  const deadline = Date.now() + waitMs;
  for (;;) {
    const { runId, trigger } = await database.transaction((em) =>
      openRateRun(em, { trigger: 'forced', amountMinor, everyMs, at: new Date() }),
    );
    const run = await finishedRun(database, runId, deadline);
    if (!run || trigger === 'forced') return run?.results ?? null;
  }
}

async function finishedRun(database: Database, id: string, deadline: number): Promise<RateRun | null> {
  for (;;) {
    const run = await findRateRun(database.fork(), id);
    if (run?.finishedAt) return run;
    if (Date.now() + pollMs > deadline) return null;
    await pause(pollMs);
  }
}
