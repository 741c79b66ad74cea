import type { SourceFailure } from '#core/rates/sources';
import { dayMs, hourMs } from '#core/time/time';

/** How a source did when it was asked in a run that is over. */
export interface SourceAttempt {
  readonly failure: SourceFailure | null;
  readonly at: Date;
}

/** Failed attempts in a row that open a source's circuit; as many attempts need to be known. */
export const failuresToOpen = 3;

/** How long the circuit then stays open, in ms. Who refuses us (403) is asked once a day. */
const coolDownMs = { usual: 6 * hourMs, forbidden: dayMs } as const;

/** After an answer "too many requests" (429), in ms: the longest wait that is granted, and the one where it names none. */
const longestNamedWaitMs = dayMs;
const assumedMs = hourMs / 2;

/**
 * Whether a source is not to be asked at `now`, after its last attempts, newest first. Its circuit opens after several failures
 * in a row; after the cool-down one more failure opens it again. A run that a person forces asks nevertheless (`isForced`),
 * except a source that itself named a time to wait.
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
  return coolDownMs[code === 'forbidden' ? 'forbidden' : 'usual'];
}

/** The time that the source itself named. */
function namedWaitMs(failure: SourceFailure): number {
  if (failure.code !== 'too_many_requests' || failure.retryAfterSeconds === null) return 0;
  return Math.min(failure.retryAfterSeconds * 1000, longestNamedWaitMs);
}

/** For a source that asks us to wait without naming a time. */
function assumedWaitMs(failure: SourceFailure): number {
  return failure.code === 'too_many_requests' && failure.retryAfterSeconds === null ? assumedMs : 0;
}
