import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { SourceResult } from '../rate-sources/source.ts';

/** One round of calls to every source. A unique index allows a single open one. */
export const RateRun = defineEntity({
  name: 'RateRun',
  tableName: 'rate_run',
  properties: {
    id: p.uuid().primary(),
    trigger: p.enum(['scheduled', 'forced'] as const),
    /** An additional amount for price requests. */
    amountMinor: p.bigint().nullable(),
    startedAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
    results: p.json<readonly SourceResult[]>().nullable(),
    /**
     * How it ended. `abandoned`: its worker crashed and no other took over. `missed`: no worker was running to open
     * `missedWindows` runs between its start and its end.
     */
    outcome: p.enum(['collected', 'abandoned', 'missed'] as const).nullable(),
    missedWindows: p.integer().nullable(),
  },
  indexes: [{ name: 'rate_run_started_at', properties: ['startedAt'] }],
});
export type RateRun = InferEntity<typeof RateRun>;
