import type { Rate } from '#core/rates/rate';
import type { RatePair, ReferenceObservation } from '#core/rates/sources';
import { hourMs } from '#core/time/time';
import { finishRateRun, openRateRun } from '#domain/rate-observations/rate-runs';
import type { Database } from '#platform/database/database';

/** Interval of source runs in tests, in ms. */
export const testEveryMs = 2 * hourMs;

/** Records a source's figure of a pair, in millionths, as a market reference from `at` on. */
export async function observeMarket(
  database: Database,
  input: { rate: bigint; at: Date; pair?: RatePair; asOf?: string },
): Promise<void> {
  const { rate, at, pair = 'USD/BOB', asOf } = input;
  const source = pair === 'EUR/USD' ? ('ecb' as const) : ('dolarApi' as const);
  const day = asOf === undefined ? {} : { asOf };
  const observation: ReferenceObservation = { kind: 'reference', source, pair, rate: rate as Rate, ...day };
  await database.transaction(async (em) => {
    const { runId } = await openRateRun(em, { trigger: 'forced', everyMs: testEveryMs, at });
    const collected = [{ observation, rawHash: 'hash', observedAt: at }];
    await finishRateRun(em, runId, { collected, results: [], at });
  });
}
