import { LockMode } from '@mikro-orm/core';
import type { RowJobData } from '#core/contracts/jobs';
import { openStatuses } from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import type { RunAgain } from '#platform/outbox/row-jobs';
import { Operation } from './operation.entity.ts';
import { updateOperation, updateReadOperation } from './operation.repository.ts';
import { circuitOpenUntil } from './provider-circuit.repository.ts';

/**
 * Starts an attempt at an operation for its job, in the transaction of `em`. Null when it ended or has a newer job; the
 * due time when it is not due yet, or its provider's circuit is open.
 */
export async function claimOperation(
  em: EntityManager,
  { id, dispatch }: RowJobData,
  now: Date,
): Promise<{ readonly operation: Operation } | { readonly early: RunAgain } | null> {
  const operation = await em.findOne(Operation, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!operation || operation.dispatch !== dispatch) return null;
  const { status, nextAttemptAt, attempts, provider } = operation;
  if (!openStatuses.includes(status) || !nextAttemptAt) return null;
  if (nextAttemptAt > now) return { early: { at: nextAttemptAt } };
  const openUntil = await circuitOpenUntil(em, provider, now);
  if (openUntil) {
    await updateOperation(em, operation, { nextAttemptAt: openUntil, attemptStartedAt: null }, now);
    return { early: { at: openUntil } };
  }
  const begun = { status: 'in_flight', attempts: attempts + 1, attemptStartedAt: now } as const;
  return { operation: await updateReadOperation(em, operation, begun, now) };
}
