import type { OperationKind } from '#core/operations/operation';
import type { JobContext } from '#domain/jobs/job-context';
import { Operation } from '#domain/provider-calls/operation.entity';
import { runOperation } from '#domain/row-jobs/run-operation';
import { NonRetryableError } from '#platform/queues/retry';

/** Attempts an operation as its last job does. A given-up operation is recorded in its row. */
export async function attemptNow(context: JobContext, id: string): Promise<void> {
  const { dispatch } = await context.database.fork().findOneOrFail(Operation, { id });
  await runOperation(context, { id, dispatch }).catch((error: unknown) => {
    if (!(error instanceof NonRetryableError)) throw error;
  });
}

/** Attempts every due operation, of some kinds or all, once each and concurrently. */
export async function attemptDue(context: JobContext, kinds?: readonly OperationKind[]): Promise<void> {
  const due = await context.database.fork().find(Operation, {
    nextAttemptAt: { $lte: context.now() },
    ...(kinds && { kind: { $in: [...kinds] } }),
  });
  await Promise.all(due.map(({ id }) => attemptNow(context, id)));
}
