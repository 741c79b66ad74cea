import { slowRefusals } from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import { followCorrection } from '../complaints/complaint.repository.ts';
import { type Operation, openOperation, orderOf } from '../provider-calls/operation.repository.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { openCase } from './desk-case.repository.ts';

/**
 * Reopens, under a new key, an operation that its provider rejected for a temporary reason, such as insufficient funds
 * in our account; in the transaction that holds the lock of the transfer's row. It never gives up: after several
 * rejections a case is opened. `failed`: the operation that has certainly failed.
 */
export async function attemptLater(
  em: EntityManager,
  transfer: Transfer,
  failed: Operation,
  { error, at, dueAt }: { error: string; at: Date; dueAt: Date },
): Promise<void> {
  const { kind, amountMinor, attempts } = failed;
  const next = await openOperation(em, transfer, kind, {
    at,
    dueAt,
    // Leaves enough attempts for lost answers.
    attempts: Math.min(attempts, slowRefusals),
    lastError: error,
    amountMinor,
    ...orderOf(failed),
  });
  await followCorrection(em, failed.id, next.id);
  if (attempts < slowRefusals) return;
  const { id: operationId } = next;
  await openCase(em, { transferId: transfer.id, operationId, reason: 'operation_slow', details: error, at });
}
