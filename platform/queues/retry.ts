import { DriverException } from '@mikro-orm/core';
import { UnrecoverableError } from 'bullmq';
import { ZodError } from 'zod';
import { isRefusal } from '../stripe-errors.ts';

/** Something no repetition can mend: the job ends at once and waits in the queue dashboard for a person. */
export class NonRetryableError extends Error {
  override readonly name = 'NonRetryableError';
}

/** An attempt failed that its row puts off: the job runs again at that moment, and shows why it failed until then. */
export class AttemptFailedError extends Error {
  override readonly name = 'AttemptFailedError';
  readonly again: Date;

  constructor(message: string, again: Date) {
    super(message);
    this.again = again;
  }
}

/** Pauses between attempts of a job whose row does not say when it is due, in ms: doubled each time, up to the longest. */
const firstPauseMs = 1_000;
const longestPauseMs = 120_000;

/** BullMQ's back-off of every job, in ms: as the row says, or ever longer. */
export function backOffMs(attemptsMade: number, _type?: string, error?: Error): number {
  if (error instanceof AttemptFailedError) return Math.max(0, error.again.getTime() - Date.now());
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (attemptsMade - 1));
  return pause * (0.5 + Math.random() / 2);
}

/**
 * The only place that decides whether a failed job is retried. Failures may be temporary (a network, a database, a rate
 * limit, an outage) except our own bugs: invalid data or requests stay invalid.
 */
export function classifyError(error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  // Its message holds the statement with its data, and the queue keeps and shows messages.
  if (failure instanceof DriverException) return new Error(`${failure.name} (${failure.code ?? 'no code'})`);
  return isNonRetryable(failure) ? new UnrecoverableError(failure.message) : failure;
}

/** Whether no repetition can mend an error: it is a mistake of ours, in data or requests. */
export function isNonRetryable(error: unknown): boolean {
  return error instanceof NonRetryableError || error instanceof ZodError || isRefusal(error);
}
