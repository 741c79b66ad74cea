import { Failure } from '#core/contracts/failures';
import { operationToRetry } from '#core/operations/desk-action';
import type { Database } from '#platform/database/database';
import { findOpenCases } from '../desk/desk-case.repository.ts';
import { type Act, actOnCase } from '../desk-actions/act-on-case.ts';
import { factsOf } from '../desk-actions/desk-views.ts';
import { readHoldFacts } from '../holds/holds.repository.ts';
import { findOperation, findOperations } from '../provider-calls/operation.repository.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';

/**
 * Retries an operation as the desk does, through a case that offers it: with its rules, its second person and its audit
 * entry. Returns whether the retry now awaits a second person.
 * @throws Failure as `actOnCase`; `action_not_possible` if no open case offers it.
 */
export async function retryOperation(
  database: Database,
  { operationId, ...act }: Omit<Act, 'caseId' | 'action' | 'reason' | 'recipientId'> & { readonly operationId: string },
): Promise<{ readonly waits: boolean }> {
  const em = database.fork();
  const operation = await findOperation(em, operationId);
  const transfer = operation && (await findTransfer(em, operation.transferId));
  if (!transfer) throw new Failure('not_found');
  const operations = await findOperations(em, transfer.id);
  const holds = await readHoldFacts(em, transfer);
  const deskCase = (await findOpenCases(em, transfer.id)).find((one) => {
    return operationToRetry(factsOf(one, transfer, { operations, holds, at: act.at }))?.id === operationId;
  });
  if (!deskCase) throw new Failure('action_not_possible');
  const { request } = await actOnCase(database, { ...act, caseId: deskCase.id, action: 'retry', reason: '' });
  return { waits: request !== null };
}
