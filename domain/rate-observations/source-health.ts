import { type RateSource, rateSources, type SourceFailure } from '#core/rates/sources';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { type SourceSummary, summarizeSources } from './rate-run.repository.ts';

/** Runs older than this say nothing about how a source is doing now. */
export const attemptsCountMs = 7 * dayMs;

/** How a source has been doing over the last seven days. A run in which its circuit was open is no attempt. */
export interface SourceHealth {
  readonly source: RateSource;
  /** `working`: its last attempt succeeded. `failing`: it did not. `circuit_open`: it was not asked in the last run. */
  readonly status: 'working' | 'failing' | 'circuit_open' | 'never_asked';
  readonly lastSuccessAt: Date | null;
  readonly lastAskedAt: Date | null;
  /** Of the last attempt, all requests together. */
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly failures: number;
  /** Why the last attempt failed, or null when it did not. */
  readonly lastFailure: SourceFailure | null;
}

/** How every source has been doing over the last seven days, and when a run last ended in them. */
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
  // Not asked all week: the failures that opened the circuit were in older runs.
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
