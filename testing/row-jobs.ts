import type { JobContext } from '#domain/jobs/job-context';
import { handleStripeEvent } from '#domain/payments/handle-stripe-event';
import { StripeEvent } from '#domain/payments/stripe-event.entity';
import { NameCheck } from '#domain/recipients/name-check.entity';
import { checkAccountName } from '#domain/recipients/name-checks';
import { Review } from '#domain/review/review.entity';
import { screenNames } from '#domain/review/screen-names';
import type { JobResult } from '#platform/outbox/row-jobs';
import { NonRetryableError } from '#platform/queues/retry';

/** Ignores the failure of a job that was given up, which is recorded in the row. */
const unlessGivenUp = (error: unknown): undefined => {
  if (!(error instanceof NonRetryableError)) throw error;
};

/** Handles a stored Stripe event as its last job does, when that is due. */
export async function handleStoredEvent(context: JobContext, id: string): Promise<JobResult> {
  const { dispatch, nextAttemptAt } = await context.database.fork().findOneOrFail(StripeEvent, { id });
  const now = () => (nextAttemptAt && nextAttemptAt > context.now() ? nextAttemptAt : context.now());
  return handleStripeEvent({ ...context, now }, { id, dispatch }).catch(unlessGivenUp);
}

/** Attempts every due screening, once each and concurrently. */
export async function screenDueNames(context: JobContext): Promise<void> {
  const due = await context.database.fork().find(Review, { nextAttemptAt: { $lte: context.now() } });
  const jobs = due.map(({ transferId: id, dispatch }) => screenNames(context, { id, dispatch }).catch(unlessGivenUp));
  await Promise.all(jobs);
}

/** Makes every due name check with the bank, once each and concurrently. */
export async function askDueNames(context: JobContext): Promise<void> {
  const due = await context.database.fork().find(NameCheck, { nextAttemptAt: { $lte: context.now() } });
  await Promise.all(due.map(({ id, dispatch }) => checkAccountName(context, { id, dispatch }).catch(unlessGivenUp)));
}
