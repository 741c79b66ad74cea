import type { JobContext } from '#domain/jobs/job-context';
import { handleStripeEvent } from '#domain/payments/handle-stripe-event';
import { StripeEvent } from '#domain/payments/stripe-event.entity';
import { NameCheck } from '#domain/recipients/name-check.entity';
import { checkAccountName } from '#domain/recipients/name-checks';
import { Review } from '#domain/review/review.entity';
import { screenNames } from '#domain/review/screen-names';
import type { JobResult } from '#platform/outbox/row-jobs';
import { NonRetryableError } from '#platform/queues/retry';

/** A row that was given up says so itself; its job only fails. */
const unlessGivenUp = (error: unknown): undefined => {
  if (!(error instanceof NonRetryableError)) throw error;
};

/** Handles a stored Stripe event as its last job does, at the moment when that is due. */
export async function handleStoredEvent(context: JobContext, id: string): Promise<JobResult> {
  const { dispatch, nextAttemptAt } = await context.database.fork().findOneOrFail(StripeEvent, { id });
  const now = () => (nextAttemptAt && nextAttemptAt > context.now() ? nextAttemptAt : context.now());
  return handleStripeEvent({ ...context, now }, { id, dispatch }).catch(unlessGivenUp);
}

/** Attempts every check of names that is due, once each and all at the same time. */
export async function screenDueNames(context: JobContext): Promise<void> {
  const due = await context.database.fork().find(Review, { nextAttemptAt: { $lte: context.now() } });
  const jobs = due.map(({ transferId: id, dispatch }) => screenNames(context, { id, dispatch }).catch(unlessGivenUp));
  await Promise.all(jobs);
}

/** Asks the bank every question that is due, once each and all at the same time. */
export async function askDueNames(context: JobContext): Promise<void> {
  const due = await context.database.fork().find(NameCheck, { nextAttemptAt: { $lte: context.now() } });
  await Promise.all(due.map(({ id, dispatch }) => checkAccountName(context, { id, dispatch }).catch(unlessGivenUp)));
}
