import type { SourceFailure } from '#core/rates/sources';
import { dayMs, hourMs } from '#core/time/time';

/** A source's result in a finished run. */
export interface SourceAttempt {
  readonly failure: SourceFailure | null;
  readonly at: Date;
}

/** Consecutive failures that open a source's circuit; this many attempts need to be known. */
export const failuresToOpen = 3;

/** How long the circuit then stays open, in ms. A source that answers 403 is called once a day. */
const coolDownMs = { default: 6 * hourMs, forbidden: dayMs } as const;

/** After "too many requests" (429), in ms: the longest stated wait that is respected, and the default. */
const longestNamedWaitMs = dayMs;
const assumedMs = hourMs / 2;

/**
 * Whether a source must not be called at `now`, given its last attempts, newest first. Its circuit opens after several
 * consecutive failures; after the cool-down one more failure opens it again. A forced run (`isForced`) calls it anyway,
 * unless the source itself stated a time to wait.
 */
export function isCircuitOpen(attempts: readonly SourceAttempt[], now: Date, isForced: boolean): boolean {
  const [last] = attempts;
  if (!last?.failure) return false;
  const waitMs = isForced
    ? namedWaitMs(last.failure)
    : Math.max(coolDownOf(attempts, last.failure), namedWaitMs(last.failure), assumedWaitMs(last.failure));
  return now.getTime() < last.at.getTime() + waitMs;
}

function coolDownOf(attempts: readonly SourceAttempt[], { code }: SourceFailure): number {
  const inARow = attempts.slice(0, failuresToOpen);
  if (inARow.length < failuresToOpen || inARow.some(({ failure }) => !failure)) return 0;
  return coolDownMs[code === 'forbidden' ? 'forbidden' : 'default'];
}

/** The wait that the source stated. */
function namedWaitMs(failure: SourceFailure): number {
  if (failure.code !== 'too_many_requests' || failure.retryAfterSeconds === null) return 0;
  return Math.min(failure.retryAfterSeconds * 1000, longestNamedWaitMs);
}

/** For a source that requests a wait without stating its length. */
function assumedWaitMs(failure: SourceFailure): number {
  return failure.code === 'too_many_requests' && failure.retryAfterSeconds === null ? assumedMs : 0;
}
