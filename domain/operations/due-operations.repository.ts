import { LockMode } from '@mikro-orm/core';
import { leaseMs, maxAttempts, openStatuses, type Provider } from '#core/operations/operation';
import { type EntityManager, type PreparedStatement, runPrepared } from '#platform/database/database';
import { columnsOf, plainRow } from '#platform/database/plain-row';
import { isGoneSql } from '#platform/database/presence';
import { addJob } from '#platform/outbox/outbox';
import { sweepRound } from '../sweep-round.ts';
import { notePushed, type Pushed, pushedRowsSql, pushedSql, steppedSql } from '../transfers/move.repository.ts';
import { joinedTransferSql, type Transfer, takeJoined } from '../transfers/transfer.repository.ts';
import { Operation } from './operation.entity.ts';
import { jobOf, updateOperation, updateReadOperation } from './operation.repository.ts';
import { circuitOpenUntil } from './provider-circuit.repository.ts';

/** An operation that was taken for an attempt. */
export interface TakenOperation {
  readonly operation: Operation;
  readonly transfer: Transfer;
  /** Failures that the circuit breaker of its provider has counted. */
  readonly failures: number;
  /** Whether the transfer's first payout began with that, so that nothing is left to do before the bank is called. */
  readonly begun: boolean;
}

/**
 * Takes operations of a provider that are due for an attempt each, those that wait longest first, with a commit of its own. None while the
 * circuit of the provider is open. Payouts that nothing speaks against begin with that: from then on their transfers cannot be cancelled.
 */
export async function takeDueOperations(
  em: EntityManager,
  { provider, now, takenBy, limit }: { provider: Provider; now: Date; takenBy: number; limit: number },
): Promise<TakenOperation[]> {
  const lease = new Date(now.getTime() + leaseMs);
  const rows = await runPrepared<TakenRow>(em, takeDue[provider], [provider, now, lease, takenBy, limit]);
  notePushed(em, rows[0]?.outbox ?? null);
  return rows.flatMap(({ failures, begun, outbox: _, ...row }) => {
    const { transfer, rest } = takeJoined(em, row);
    if (!transfer) return [];
    // The statement shows the transfer as it was at its beginning.
    const asBegun = begun && { version: transfer.version + 1, payoutStartedAt: now, changedAt: now };
    return [{ operation: plainRow(em, Operation, rest), transfer: { ...transfer, ...asBegun }, failures, begun }];
  });
}

interface TakenRow {
  failures: number;
  begun: boolean;
  outbox: Pushed;
}

const openList = openStatuses.map((status) => `'${status}'`).join(', ');

/**
 * Takes charged transfers for the payouts in `due`, as `changed`, but for those that have to be looked at: a dispute, or an earlier payout, which
 * may have been made or have paid somebody else. Left out are also those that somebody else is changing or has changed since the statement began: a
 * cancellation that locked the transfer waits for the operation, so this must not wait for it. $2: the moment.
 */
const begunSql = `
    free as materialized (
      select t.id, due.request_id from due join transfer as t on t.id = due.transfer_id
      -- As the statement sees it, also where t is a newer one that was just committed.
      join transfer as seen on seen.id = t.id and seen.version = t.version
      where due.kind = 'payout' and due.sequence = 1 and due.complaint_id is null and due.attempts < ${maxAttempts}
        and t.state = 'captured' and t.payout_started_at is null and t.cancel_requested_at is null and t.payout_target is not null
        and not exists (select from dispute where transfer_id = t.id)
        and not exists (
          select from operation as o where o.transfer_id = t.id and o.kind = 'payout' and o.status = 'abandoned' and o.attempts > 0
        )
      for no key update of t skip locked
    ),
    changed as (
      update transfer as t set payout_started_at = $2, version = t.version + 1, changed_at = $2
      from free where t.id = free.id returning t.id, t.version, t.state, jsonb_build_object('requestId', free.request_id) as asked
    ),
    ${steppedSql({ name: 'start_payout', owner: 'payouts' })},
    ${pushedSql}`;

/** $1: the provider, $2: the moment, $3: until when they are taken, $4: by whom, $5: how many at most. */
function takeDueSql(parts: { with: string; begun: string; outbox: string }): string {
  return `
    with due as materialized (
      select id, transfer_id, kind, sequence, complaint_id, attempts, request_id from operation
      where provider = $1 and status in (${openList}) and next_attempt_at <= $2
        and not exists (select from provider_circuit where provider = $1 and open_until > $2)
      order by next_attempt_at limit $5 for update skip locked
    ),${parts.with}
    taken as (
      update operation as o
      set status = 'in_flight', attempts = o.attempts + 1, next_attempt_at = $3, taken_by = $4, changed_at = $2
      from due where o.id = due.id returning ${columnsOf(Operation, 'o')}
    )
    select taken.*, coalesce((select failures from provider_circuit where provider = $1), 0) as failures,
      ${parts.begun} as begun, ${parts.outbox} as outbox, ${joinedTransferSql}
    from taken join transfer as t on t.id = taken.transfer_id`;
}

const takeOnly = {
  name: 'take-due-operations',
  text: takeDueSql({ with: '', begun: 'false', outbox: 'null' }),
};

const takeDue: Readonly<Record<Provider, PreparedStatement>> = {
  stripe: takeOnly,
  manual: takeOnly,
  bank: {
    name: 'take-and-begin-due-payouts',
    text: takeDueSql({
      with: `${begunSql},`,
      begun: 't.id in (select id from changed)',
      outbox: pushedRowsSql,
    }),
  },
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
  const nextAttemptAt = new Date(now.getTime() + leaseMs);
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
