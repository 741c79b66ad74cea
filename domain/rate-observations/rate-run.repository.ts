import { randomUUID } from 'node:crypto';
import type { RateSource, SourceFailure } from '#core/rates/sources';
import { minuteMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import type { SourceResult } from '../rate-sources/source.ts';
import type { SourceAttempt } from './circuit-breaker.ts';
import { RateRun } from './rate-run.entity.ts';

export type { RateRun } from './rate-run.entity.ts';

/** A run that is open for longer has lost its worker. */
const abandonedMs = 15 * minuteMs;

/** Inserts a new run, unless one is open. @returns its id, or null. */
export async function insertRateRun(
  em: EntityManager,
  run: { trigger: RateRun['trigger']; amountMinor: bigint | null; startedAt: Date },
): Promise<string | null> {
  const id = randomUUID();
  const insert = em
    .createQueryBuilder(RateRun)
    .insert({ id, ...run })
    .onConflict()
    .ignore();
  const { affectedRows } = await insert.execute('run');
  return affectedRows === 1 ? id : null;
}

/** Records that no worker was running to open runs between `startedAt` and `finishedAt`. */
export function addMissedWindows(
  em: EntityManager,
  missed: { startedAt: Date; finishedAt: Date; missedWindows: number },
): void {
  em.persist(em.create(RateRun, { id: randomUUID(), trigger: 'scheduled', outcome: 'missed', ...missed }));
}

export function findRateRun(em: EntityManager, id: string): Promise<RateRun | null> {
  return em.findOne(RateRun, { id });
}

export function findOpenRateRun(em: EntityManager): Promise<RateRun | null> {
  return em.findOne(RateRun, { finishedAt: null });
}

/** The last run started by `at`, except `exceptId`. */
export function findLastRateRun(em: EntityManager, at: Date, exceptId: string): Promise<RateRun | null> {
  return em.findOne(RateRun, { id: { $ne: exceptId }, startedAt: { $lte: at } }, { orderBy: { startedAt: 'desc' } });
}

/** The one of these runs that ended last. */
export async function findLastFinishedRateRun(em: EntityManager, ids: readonly string[]): Promise<RateRun | null> {
  return em.findOne(RateRun, { id: { $in: [...ids] }, finishedAt: { $ne: null } }, { orderBy: { finishedAt: 'desc' } });
}

/** Whether a run is under way. */
export async function isRateRunUnderWay(em: EntityManager, now: Date): Promise<boolean> {
  return (await em.count(RateRun, { finishedAt: null, startedAt: { $gt: new Date(now.getTime() - abandonedMs) } })) > 0;
}

/**
 * Whether a collected run started less than `withinMs` from `at`, before or after, because the clocks of two workers
 * differ.
 */
export async function hasCollectedRunAround(em: EntityManager, at: Date, withinMs: number): Promise<boolean> {
  const around = { $gt: new Date(at.getTime() - withinMs), $lt: new Date(at.getTime() + withinMs) };
  return (await em.count(RateRun, { startedAt: around, outcome: 'collected' })) > 0;
}

/**
 * Closes open runs whose worker is gone. A run with a start in the future came from a wrong clock; it must not block
 * the others until then.
 */
export async function abandonStaleRateRuns(em: EntityManager, at: Date): Promise<void> {
  const [tooOld, tooNew] = [new Date(at.getTime() - abandonedMs), new Date(at.getTime() + abandonedMs)];
  await em.nativeUpdate(
    RateRun,
    { finishedAt: null, $or: [{ startedAt: { $lt: tooOld } }, { startedAt: { $gt: tooNew } }] },
    { finishedAt: at, outcome: 'abandoned' },
  );
}

/** Closes a run with its results. @returns false when it is already over. */
export async function closeRateRun(
  em: EntityManager,
  id: string,
  { results, at }: { results: readonly SourceResult[]; at: Date },
): Promise<boolean> {
  const closed = await em.nativeUpdate(
    RateRun,
    { id, finishedAt: null },
    { finishedAt: at, results, outcome: 'collected' },
  );
  return closed > 0;
}

/** Blocks other openings of scheduled runs until the transaction of `em` ends. */
export async function lockRateRuns(em: EntityManager): Promise<void> {
  await em.execute(`select pg_advisory_xact_lock(hashtext('rate_run'))`);
}

/** The last attempts at each source, at most `count` after `since`, newest first. */
export async function findLastAttempts(
  em: EntityManager,
  { since, now, count }: { since: Date; now: Date; count: number },
): Promise<Map<RateSource, SourceAttempt[]>> {
  const rows: { source: RateSource; failure: SourceFailure | null; at: Date }[] = await em.execute(
    `select source, failure, at from (
       select finished_at as at, source, failure, row_number() over (partition by source order by finished_at desc) as nth
       from rate_run cross join lateral jsonb_to_recordset(results) as result (source text, failure jsonb)
       where finished_at between ? and ? and outcome = 'collected' and coalesce(failure ->> 'code', '') <> 'circuit_open'
     ) attempt
     where nth <= ? order by source, nth`,
    [since, now, count],
  );
  const attempts = rows.map(({ source, failure, at }) => ({ source, failure, at: new Date(at) }));
  return Map.groupBy(attempts, ({ source }) => source);
}

/** A source's runs after a moment in one row. Runs in which its circuit was open do not count as attempts. */
export interface SourceSummary {
  readonly source: RateSource;
  readonly lastSuccessAt: Date | null;
  readonly lastAskedAt: Date | null;
  readonly lastRunAt: Date;
  /** Duration of the last attempt, in ms. */
  readonly tookMs: number | null;
  readonly attempts: number;
  readonly failures: number;
  /** Failure of the last attempt. */
  readonly failure: SourceFailure | null;
  /** Whether the last run skipped it. */
  readonly circuitOpen: boolean;
}

/** A summary of every source in the runs that ended after `since`; sources in none of them are missing. */
export async function summarizeSources(em: EntityManager, since: Date): Promise<SourceSummary[]> {
  const rows: SourceSummary[] = await em.execute(
    `with result as (
       select finished_at as at, source, failure, "tookMs" as took_ms,
         coalesce(failure ->> 'code', '') <> 'circuit_open' as attempted
       from rate_run
         cross join lateral jsonb_to_recordset(results) as result (source text, failure jsonb, "tookMs" int)
       where finished_at >= ? and outcome = 'collected')
     select source,
       max(at) filter (where failure is null) as "lastSuccessAt",
       max(at) filter (where attempted) as "lastAskedAt",
       max(at) as "lastRunAt",
       (array_agg(took_ms order by at desc) filter (where attempted))[1] as "tookMs",
       (count(*) filter (where attempted))::int as attempts,
       (count(*) filter (where attempted and failure is not null))::int as failures,
       (array_agg(failure order by at desc) filter (where attempted))[1] as failure,
       not (array_agg(attempted order by at desc))[1] as "circuitOpen"
     from result group by source`,
    [since],
  );
  const dateOf = (value: Date | string | null) => (value === null ? null : new Date(value));
  return rows.map((row) => ({
    ...row,
    lastSuccessAt: dateOf(row.lastSuccessAt),
    lastAskedAt: dateOf(row.lastAskedAt),
    lastRunAt: new Date(row.lastRunAt),
  }));
}
