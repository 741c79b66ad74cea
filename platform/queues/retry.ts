import { DriverException } from '@mikro-orm/core';
import { UnrecoverableError } from 'bullmq';
import { ZodError } from 'zod';
import { isRefusal } from '../stripe-errors.ts';

/** Something no repetition can mend: the job ends at once and waits in the queue dashboard for a person. */
export class NonRetryableError extends Error {
  override readonly name = 'NonRetryableError';
}

/**
 * The one place that decides whether a failed job is tried again. Everything may heal by itself (a network, a database, a
 * rate limit, an outage) except our own mistakes: data or requests that are wrong stay wrong.
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
