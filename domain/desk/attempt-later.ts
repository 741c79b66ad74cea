import { slowRefusals } from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import { followCorrection } from '../complaints/complaint.repository.ts';
import { type Operation, openOperation, orderOf } from '../provider-calls/operation.repository.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { openCase } from './desk-case.repository.ts';

/**
 * Opens again, under a new key, what its provider refused for a reason that ends by itself, such as too little money in an account of ours; in
 * the transaction that has the lock of the transfer's row. It never ends by itself: after several refusals a case is opened. `failed`: the
 * operation that has failed for certain.
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
    // Enough are left for answers that get lost.
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
