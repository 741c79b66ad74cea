import { type RateSource, rateSources, type SourceFailure } from '#core/rates/sources';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { type SourceSummary, summarizeSources } from './rate-run.repository.ts';

/** Older runs do not count towards a source's current health. */
export const attemptsCountMs = 7 * dayMs;

/** The health of a source over the last seven days. A run in which its circuit was open is no attempt. */
export interface SourceHealth {
  readonly source: RateSource;
  /** `working`: its last attempt succeeded. `failing`: it did not. `circuit_open`: the last run skipped it. */
  readonly status: 'working' | 'failing' | 'circuit_open' | 'never_asked';
  readonly lastSuccessAt: Date | null;
  readonly lastAskedAt: Date | null;
  /** Duration of the last attempt, all requests together. */
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly failures: number;
  /** The error of the last attempt, or null if it succeeded. */
  readonly lastFailure: SourceFailure | null;
}

/** The health of every source over the last seven days, and when the last run in them ended. */
export async function readSourceHealth(
  em: EntityManager,
  now: Date,
): Promise<{ sources: SourceHealth[]; lastRunAt: Date | null }> {
  const summaries = await summarizeSources(em, new Date(now.getTime() - attemptsCountMs));
  const known = new Map(summaries.map((summary) => [summary.source, summary]));
  const lastRunMs = Math.max(...summaries.map(({ lastRunAt }) => lastRunAt.getTime()));
  return {
    sources: rateSources.map((source) => healthOf(source, known.get(source))),
    lastRunAt: summaries.length === 0 ? null : new Date(lastRunMs),
  };
}

function healthOf(source: RateSource, summary: SourceSummary | undefined): SourceHealth {
  // Not called all week: the failures that opened the circuit were in older runs.
  const failure = summary?.attempts === 0 ? { code: 'circuit_open' as const } : (summary?.failure ?? null);
  return {
    source,
    status: statusOf(summary, failure),
    lastSuccessAt: summary?.lastSuccessAt ?? null,
    lastAskedAt: summary?.lastAskedAt ?? null,
    latencyMs: summary?.tookMs ?? null,
    attempts: summary?.attempts ?? 0,
    failures: summary?.failures ?? 0,
    lastFailure: failure,
  };
}

function statusOf(summary: SourceSummary | undefined, failure: SourceFailure | null): SourceHealth['status'] {
  if (!summary) return 'never_asked';
  if (summary.circuitOpen) return 'circuit_open';
  return failure ? 'failing' : 'working';
}
