import { findOutliers } from '#core/rates/outliers';
import type { BankObservation, PriceObservation, ReferenceObservation } from '#core/rates/sources';
import type { EntityManager } from '#platform/database/database';
import { addJob, addPush } from '#platform/outbox/outbox';
import type { Collected, SourceResult } from '../rate-sources/source.ts';
import { addBankRates, addObservations } from './observation.repository.ts';
import {
  abandonStaleRateRuns,
  addMissedWindows,
  closeRateRun,
  findLastRateRun,
  findOpenRateRun,
  hasCollectedRunAround,
  insertRateRun,
  lockRateRuns,
  type RateRun,
} from './rate-run.repository.ts';

interface RunRequest {
  readonly trigger: RateRun['trigger'];
  /** An additional amount for price requests. */
  readonly amountMinor?: bigint;
  /** Interval of scheduled runs, in ms. */
  readonly everyMs: number;
  readonly at: Date;
}

/**
 * Opens a run and adds its job, in the transaction of `em`. If one is already open, that one is returned instead, so
 * that sources are never called by two runs at once. Missed windows of `everyMs` are recorded.
 */
export async function openRateRun(
  em: EntityManager,
  request: RunRequest,
): Promise<{ runId: string; opened: boolean; trigger: RateRun['trigger'] }> {
  const { trigger, amountMinor = null, at } = request;
  await abandonStaleRateRuns(em, at);
  const runId = await insertRateRun(em, { trigger, amountMinor, startedAt: at });
  if (runId === null) {
    const open = await findOpenRateRun(em);
    // It ended between the two statements.
    return open ? { runId: open.id, opened: false, trigger: open.trigger } : openRateRun(em, request);
  }
  await recordMissedWindows(em, runId, request);
  addJob(em, 'collect-rates', { runId });
  await em.flush();
  return { runId, opened: true, trigger };
}

/** No window counts as missed up to one and a half intervals after the last run, because ticks may be late. */
async function recordMissedWindows(em: EntityManager, runId: string, { everyMs, at }: RunRequest): Promise<void> {
  const last = await findLastRateRun(em, at, runId);
  const sinceLastMs = last ? at.getTime() - last.startedAt.getTime() : 0;
  if (!last || sinceLastMs <= 1.5 * everyMs) return;
  addMissedWindows(em, {
    startedAt: new Date(last.startedAt.getTime() + everyMs),
    finishedAt: at,
    missedWindows: Math.round(sinceLastMs / everyMs) - 1,
  });
}

/**
 * Opens a scheduled run unless one was collected, or is under way, within `quietMs`. Missed runs are not repeated.
 * Concurrent ticks wait for each other, so that all but the first see its run.
 */
export async function openDueRateRun(
  em: EntityManager,
  { quietMs, everyMs, at }: { quietMs: number; everyMs: number; at: Date },
): Promise<void> {
  await lockRateRuns(em);
  // Around, not before: a corrected clock that was days ahead must not stop the collection.
  if (!(await hasCollectedRunAround(em, at, quietMs))) await openRateRun(em, { trigger: 'scheduled', everyMs, at });
}

/** Stores a run's results, marks outliers, and notifies every browser. Does nothing when the run is already over. */
export async function finishRateRun(
  em: EntityManager,
  runId: string,
  outcome: { collected: readonly Collected[]; results: readonly SourceResult[]; at: Date },
): Promise<void> {
  if (!(await closeRateRun(em, runId, outcome))) return;
  const comparable = outcome.collected.filter(isComparable);
  const outliers = findOutliers(comparable.map(({ observation }) => observation));
  addObservations(em, runId, comparable, outliers);
  // The page lists the banks' rates with a total: if the total is an outlier, the rates are not trusted either.
  const doubted = comparable.some(({ observation }, index) => observation.source === 'bcb' && outliers[index]);
  if (!doubted) addBankRates(em, runId, outcome.collected.filter(isOfBank));
  addPush(em, 'rates-collected', { runId });
  // A euro that follows the dollar has changed with the ECB's rate, and paused payments may resume.
  addPush(em, 'rate-changed', {});
  addJob(em, 'fire-rate-alerts', {});
  addJob(em, 'watch-rates', {});
  await em.flush();
}

function isOfBank(one: Collected): one is Collected<BankObservation> {
  return one.observation.kind === 'bank';
}

function isComparable(one: Collected): one is Collected<PriceObservation | ReferenceObservation> {
  return !isOfBank(one);
}
