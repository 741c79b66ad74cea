import { LockMode } from '@mikro-orm/core';
import { openStatuses, type Provider } from '#core/operations/operation';
import { type EntityManager, type PreparedStatement, runPrepared } from '#platform/database/database';
import { columnsOf, plainRow } from '#platform/database/plain-row';
import { isGoneSql } from '#platform/database/presence';
import { addJob } from '#platform/outbox/outbox';
import { sweepRound } from '../sweep-round.ts';
import { joinedTransferSql, type Transfer, takeJoined } from '../transfers/transfer.repository.ts';
import { leaseMsOf, leaseSql } from './attempt-limits.ts';
import { Operation } from './operation.entity.ts';
import { jobOf, updateOperation, updateReadOperation } from './operation.repository.ts';
import { circuitOpenUntil } from './provider-circuit.repository.ts';

/** An operation that was taken for an attempt. */
export interface TakenOperation {
  readonly operation: Operation;
  readonly transfer: Transfer;
  /** Failures that the circuit breaker of its provider has counted. */
  readonly failures: number;
}

/**
 * Takes operations of a provider that are due for an attempt each, those that wait longest first, with a commit of its own. None while the
 * circuit of the provider is open.
 */
export async function takeDueOperations(
  em: EntityManager,
  { provider, now, takenBy, limit }: { provider: Provider; now: Date; takenBy: number; limit: number },
): Promise<TakenOperation[]> {
  const rows = await runPrepared<{ failures: number }>(em, takeDue, [provider, now, takenBy, limit]);
  return rows.flatMap(({ failures, ...row }) => {
    const { transfer, rest } = takeJoined(em, row);
    return transfer ? [{ operation: plainRow(em, Operation, rest), transfer, failures }] : [];
  });
}

const openList = openStatuses.map((status) => `'${status}'`).join(', ');

/** $1: the provider, $2: the moment, $3: by whom they are taken, $4: how many at most. */
const takeDue: PreparedStatement = {
  name: 'take-due-operations',
  text: `
    with due as materialized (
      select id from operation
      where provider = $1 and status in (${openList}) and next_attempt_at <= $2
        and not exists (select from provider_circuit where provider = $1 and open_until > $2)
      order by next_attempt_at limit $4 for update skip locked
    ),
    taken as (
      update operation as o
      set status = 'in_flight', attempts = o.attempts + 1, next_attempt_at = $2::timestamptz + ${leaseSql('o.kind')},
        taken_by = $3, changed_at = $2
      from due where o.id = due.id returning ${columnsOf(Operation, 'o')}
    )
    select taken.*, coalesce((select failures from provider_circuit where provider = $1), 0) as failures, ${joinedTransferSql}
    from taken join transfer as t on t.id = taken.transfer_id`,
};

/** Whether operations of a provider are due. Those that a process had taken which is gone are due from now on. */
export async function hasDueOperations(
  em: EntityManager,
  { provider, now }: { provider: Provider; now: Date },
): Promise<boolean> {
  const [found] = await runPrepared<{ due: boolean }>(em, findDue, [provider, now]);
  return found?.due ?? false;
}

const findDue: PreparedStatement = {
  name: 'find-due-operations',
  text: `
    with freed as (
      update operation set next_attempt_at = $2, taken_by = null
      where provider = $1 and status = 'in_flight' and next_attempt_at > $2 and taken_by is not null and ${isGoneSql('taken_by')}
      returning id
    )
    select exists (select from freed) or exists (
      select from operation where provider = $1 and status in (${openList}) and next_attempt_at <= $2
    ) as due`,
};

/**
 * Takes an operation for an attempt in the transaction of `em`. Null when it is not due: it ended, another process is at it, or its
 * provider's circuit is open (then it is due again once that closes). `takeOver`: the process that was at it has died.
 */
export async function claimOperation(
  em: EntityManager,
  id: string,
  { now, takenBy, takeOver = false }: { now: Date; takenBy: number; takeOver?: boolean },
): Promise<Operation | null> {
  const operation = await em.findOne(Operation, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!operation || !openStatuses.includes(operation.status) || !operation.nextAttemptAt) return null;
  const abandonedByItsProcess = takeOver && operation.status === 'in_flight';
  if (operation.nextAttemptAt > now && !abandonedByItsProcess) return null;
  const openUntil = await circuitOpenUntil(em, operation.provider, now);
  if (openUntil) {
    await updateOperation(em, operation, { nextAttemptAt: openUntil }, now);
    return null;
  }
  const attempts = operation.attempts + 1;
  const nextAttemptAt = new Date(now.getTime() + leaseMsOf(operation.kind));
  return updateReadOperation(em, operation, { status: 'in_flight', attempts, nextAttemptAt, takenBy }, now);
}

/** Asks for operations that have been due for a sweep interval: their job did not come. Those that wait longest first. Returns how many. */
export async function askForDueOperations(
  em: EntityManager,
  { now, sweepEveryMs, limit }: { now: Date; sweepEveryMs: number; limit: number },
): Promise<number> {
  const dueBefore = new Date(now.getTime() - sweepEveryMs);
  const due = await em.find(
    Operation,
    { nextAttemptAt: { $lte: dueBefore }, status: { $in: [...openStatuses] } },
    { orderBy: { nextAttemptAt: 'asc' }, limit },
  );
  for (const { id, kind, attempts, nextAttemptAt } of due) {
    const round = sweepRound({ since: nextAttemptAt ?? now, now, sweepEveryMs });
    const key = `operation-${id}-${attempts}-swept-${round}`;
    addJob(em, jobOf[kind], { operationId: id }, { key });
  }
  if (due.length > 0) await em.flush();
  return due.length;
}
