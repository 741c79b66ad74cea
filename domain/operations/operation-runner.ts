import type { Provider } from '#core/operations/operation';
import { Runner } from '#platform/outbox/runner';
import type { JobContext } from '../job-context.ts';
import { type TakenOperation, takeDueOperations } from './due-operations.repository.ts';
import { attemptOperation } from './run-operation.ts';

/** Attempts at operations of one provider that run at the same time. */
const width = 16;

/**
 * Attempts the operations of a provider that are due; one provider never holds up the other. Operations are their own outbox rows: they
 * are due until their row says otherwise.
 */
export class OperationRunner extends Runner<TakenOperation> {
  constructor(context: JobContext, provider: Provider) {
    const { database, log, now, presence: takenBy } = context;
    super({
      width,
      take: (limit) => database.statement((em) => takeDueOperations(em, { provider, now: now(), takenBy, limit })),
      requestId: ({ operation }) => operation.requestId,
      attempt: (one) =>
        attemptOperation(context, one).catch((error: unknown) => {
          // Our own database: its lease ends, and it is attempted again under the same key.
          log.error({ err: error, operationId: one.operation.id }, 'an attempt could not be written down');
        }),
    });
  }
}
