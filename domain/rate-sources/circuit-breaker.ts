import type { SourceFailure } from '#core/rates/sources';
import { hourMs } from '#core/time/time';
import type { SourceTurn } from './source-health.ts';

/** Failed turns in a row after which a source is left alone. */
const patience = 3;

/** How long then, in ms. Who refuses us (403) is asked once a day. */
const restMs = { usual: 6 * hourMs, forbidden: 24 * hourMs } as const;

/** How long a source that was asked too often (429) is left alone, in ms: what it says itself, within reason. */
const tooManyMs = { unsaid: hourMs / 2, most: 24 * hourMs } as const;

/**
 * Whether a source is left alone at `now`, after its last turns, newest first, those it was left alone in left out. After a rest
 * it has one try: a single further failure makes it rest again.
 */
export function isResting(turns: readonly SourceTurn[], now: Date): boolean {
  const [last] = turns;
  if (!last?.failure) return false;
  const failedInARow = turns.slice(0, patience).filter(({ failure }) => failure).length === patience;
  const restForFailures = failedInARow ? restMs[last.failure.code === 'forbidden' ? 'forbidden' : 'usual'] : 0;
  return now.getTime() < last.at.getTime() + Math.max(restForFailures, restAsked(last.failure));
}

function restAsked(failure: SourceFailure): number {
  if (failure.code !== 'too_many_requests') return 0;
  const { retryAfterSeconds } = failure;
  return retryAfterSeconds === null ? tooManyMs.unsaid : Math.min(retryAfterSeconds * 1000, tooManyMs.most);
}
