import { type Hold, heldError, type Movement, neverEnds } from '#core/holds/holds';
import { pollMs } from '#core/operations/operation';
import type { TransferState } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import type { JobContext } from '../jobs/job-context.ts';
import type { Attempt } from '../provider-calls/attempt.ts';
import { findOperation, type Operation, updateOperation } from '../provider-calls/operation.repository.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { findHolds } from './holds.repository.ts';

/** A movement whose operation may be sent to its provider now, or the result of its attempt instead. */
export type Claim = { readonly transfer: Transfer; readonly sentAt: Date } | { readonly instead: Attempt };

/**
 * The last check before calling a provider: under the lock of the transfer's row, whether its state still requires the
 * movement and nothing holds it. From this commit on the operation counts as sent, so that later transactions know that
 * it may have had an effect. `begin` changes the transfer in the same transaction; with null it is no longer required.
 */
export function claimMovement(
  { database, now }: JobContext,
  operation: Operation,
  movement: Movement,
  {
    states,
    begin = async (_, transfer) => transfer,
  }: {
    states: readonly TransferState[];
    begin?: (em: EntityManager, transfer: Transfer) => Promise<Transfer | null>;
  },
): Promise<Claim> {
  return database.transaction(async (em) => {
    const locked = await lockTransfer(em, operation.transferId);
    if (!locked || !states.includes(locked.state)) return { instead: { result: 'unneeded' } };
    const current = await findOperation(em, operation.id);
    if (current?.status !== 'in_flight') return { instead: { result: 'settled' } };
    const holds = await findHolds(em, locked, movement, operation.id);
    if (holds.length > 0) return { instead: heldAttempt(current, { holds, movement, at: now() }) };
    const transfer = await begin(em, locked);
    if (!transfer) return { instead: { result: 'unneeded' } };
    const sentAt = now();
    await updateOperation(em, operation, { sentAt }, sentAt);
    return { transfer, sentAt };
  });
}

/**
 * The result of a held attempt. A permanent hold fails the operation, unless an earlier unanswered request may still
 * take effect.
 */
function heldAttempt(
  { sentAt }: Operation,
  { holds, movement, at }: { holds: readonly Hold[]; movement: Movement; at: Date },
): Attempt {
  const error = heldError(holds);
  const mayArrive = sentAt != null && at.getTime() - sentAt.getTime() < pollMs;
  if (mayArrive || !holds.some(({ reason }) => neverEnds(reason, movement))) return { result: 'waiting', error };
  return { result: 'refused', error, reason: 'correction_failed' };
}
