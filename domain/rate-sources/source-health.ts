import type { SourceHealthView } from '#core/contracts/http/rate-source-health';
import {
  type RateSource,
  rateSourceNames,
  rateSources,
  type SourceFailure,
  sourceFailureSentence,
} from '#core/rates/sources';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';

/** Runs older than this say nothing about how a source is doing now. */
const lookBackMs = 7 * dayMs;

/** A source's turns of the last week in one row. A turn in which it was left alone counts only for `resting`. */
interface Turns {
  readonly source: RateSource;
  readonly last_success_at: Date | null;
  readonly last_asked_at: Date | null;
  readonly last_run_at: Date;
  readonly took_ms: number | null;
  readonly turns: number;
  readonly failures: number;
  readonly failure: SourceFailure | null;
  readonly resting: boolean;
}

/** How every source has been doing over the last seven days, and when a run last ended in them. */
export async function sourceHealth(
  em: EntityManager,
  now: Date,
): Promise<{ sources: SourceHealthView[]; lastRunAt: string | null }> {
  const rows: Turns[] = await em.execute(turnsOfWeek, [new Date(now.getTime() - lookBackMs)]);
  const known = new Map(rows.map((row) => [row.source, row]));
  const lastRunMs = Math.max(...rows.map((row) => new Date(row.last_run_at).getTime()));
  return {
    sources: rateSources.map((source) => toHealth(source, known.get(source))),
    lastRunAt: rows.length === 0 ? null : new Date(lastRunMs).toISOString(),
  };
}

/** The index on `finished_at` cuts the week out, however many runs there have been. */
const turnsOfWeek = `
with turn as (
  select finished_at as at, source, failure, "tookMs" as took_ms,
    coalesce(failure ->> 'code', '') <> 'circuit_open' as asked
  from rate_run cross join lateral jsonb_to_recordset(results) as result (source text, failure jsonb, "tookMs" int)
  where finished_at >= ? and outcome = 'collected'
)
select source,
  max(at) filter (where failure is null) as last_success_at,
  max(at) filter (where asked) as last_asked_at,
  max(at) as last_run_at,
  (array_agg(took_ms order by at desc) filter (where asked))[1] as took_ms,
  (count(*) filter (where asked))::int as turns,
  (count(*) filter (where asked and failure is not null))::int as failures,
  (array_agg(failure order by at desc) filter (where asked))[1] as failure,
  not (array_agg(asked order by at desc))[1] as resting
from turn group by source`;

/** How a source did in a run that is over. */
export interface SourceTurn {
  readonly failure: SourceFailure | null;
  readonly at: Date;
}

/** How each source did when it was last asked, at most three times within the week, newest first. */
export async function lastTurns(em: EntityManager, now: Date): Promise<Map<RateSource, SourceTurn[]>> {
  const rows: { source: RateSource; failure: SourceFailure | null; at: Date }[] = await em.execute(lastThreeTurns, [
    new Date(now.getTime() - lookBackMs),
    now,
  ]);
  const turns = rows.map(({ source, failure, at }) => ({ source, failure, at: new Date(at) }));
  return Map.groupBy(turns, ({ source }) => source);
}

const lastThreeTurns = `
select source, failure, at from (
  select finished_at as at, source, failure, row_number() over (partition by source order by finished_at desc) as nth
  from rate_run cross join lateral jsonb_to_recordset(results) as result (source text, failure jsonb)
  where finished_at between ? and ? and outcome = 'collected' and coalesce(failure ->> 'code', '') <> 'circuit_open'
) turn
where nth <= 3 order by source, nth`;

function toHealth(source: RateSource, turns: Turns | undefined): SourceHealthView {
  // Left alone all week: what made it so was forgotten with the older runs.
  const failure = turns?.resting && turns.turns === 0 ? { code: 'circuit_open' as const } : (turns?.failure ?? null);
  return {
    source,
    name: rateSourceNames[source],
    status: statusOf(turns, failure),
    lastSuccessAt: isoOf(turns?.last_success_at),
    lastAskedAt: isoOf(turns?.last_asked_at),
    latencyMs: turns?.took_ms ?? null,
    turns: turns?.turns ?? 0,
    failures: turns?.failures ?? 0,
    lastFailure: failure && { code: failure.code, sentence: sourceFailureSentence(failure) },
  };
}

function statusOf(turns: Turns | undefined, failure: SourceFailure | null): SourceHealthView['status'] {
  if (!turns) return 'never_asked';
  if (turns.resting) return 'resting';
  return failure ? 'failing' : 'working';
}

const isoOf = (time: Date | string | null | undefined) => (time == null ? null : new Date(time).toISOString());
