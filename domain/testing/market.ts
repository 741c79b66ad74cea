import type { Rate } from '#core/rates/rate';
import type { ReferenceObservation } from '#core/rates/sources';
import { hourMs } from '#core/time/time';
import type { Database } from '#platform/database/database';
import { finishRateRun, openRateRun } from '../rate-sources/observation.repository.ts';

/** How often sources are asked in tests, in ms. */
export const testEveryMs = 2 * hourMs;

/** One source says what the market pays for a unit, in millionths; it is what our rates are held against from `at` on. */
export async function seeMarket(
  database: Database,
  input: { rate: bigint; at: Date; pair?: ReferenceObservation['pair'] },
): Promise<void> {
  const { rate, at, pair = 'USD/BOB' } = input;
  const source = pair === 'EUR/USD' ? ('ecb' as const) : ('dolarApi' as const);
  const observation: ReferenceObservation = { kind: 'reference', source, pair, rate: rate as Rate };
  await database.transaction(async (em) => {
    const { runId } = await openRateRun(em, { trigger: 'forced', everyMs: testEveryMs, at });
    const collected = [{ observation, rawHash: 'hash', observedAt: at }];
    await finishRateRun(em, runId, { collected, results: [], at });
  });
}
