import { randomUUID } from 'node:crypto';
import { Failure } from '#core/contracts/failures';
import type { RowJobName } from '#core/contracts/jobs';
import { heldPrefix } from '#core/holds/holds';
import type { OperationFacts } from '#core/operations/desk-action';
import {
  idempotencyKeyOf,
  type OperationKind,
  type OperationStatus,
  openStatuses,
  type Provider,
  providerOf,
  retryDelayMs,
} from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import { dispatchAgain, dispatchRow, type RowTable } from '#platform/outbox/row-jobs';
import { currentRequestId } from '#platform/request-id';
import { currentTraceparent } from '#platform/telemetry/tracing';
import type { PayoutTarget } from '../personal-data/payout-target.ts';
import { Operation } from './operation.entity.ts';

export type { Operation } from './operation.entity.ts';

/** The transfer an operation is opened for. */
interface Subject {
  readonly id: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly bolivianosMinor: bigint;
}

/** The full amount of an operation of a kind, in its currency. */
function wholeAmount(kind: OperationKind, transfer: Subject): { amountMinor: bigint; currency: string } {
  return kind === 'payout'
    ? { amountMinor: transfer.bolivianosMinor, currency: 'BOB' }
    : { amountMinor: transfer.amountMinor, currency: transfer.currency };
}

/**
 * The authorization with which a transfer is opened; the sender's browser performs it. Persisted with the transaction
 * of `em`.
 */
export function addAuthorization(em: EntityManager, transfer: Subject, at: Date): void {
  const key = { transferId: transfer.id, kind: 'authorization', sequence: 1 } as const;
  const amount = wholeAmount('authorization', transfer);
  em.persist(
    em.create(Operation, {
      ...{ id: randomUUID(), ...key, idempotencyKey: idempotencyKeyOf(key), provider: 'stripe', ...amount },
      ...{ status: 'pending', attempts: 0, dispatch: 1, returnedMinor: 0n, createdAt: at, changedAt: at },
      requestId: currentRequestId() ?? null,
    }),
  );
}

async function nextSequence(em: EntityManager, transferId: string, kind: OperationKind): Promise<number> {
  const last = await em.findOne(Operation, { transferId, kind }, { orderBy: { sequence: 'desc' } });
  return (last?.sequence ?? 0) + 1;
}

/** How an operation starts, unless it is due at once. */
export interface Opening {
  readonly at: Date;
  /** Defaults to the full amount, in minor units. */
  readonly amountMinor?: bigint;
  /** When it is due; null: no job attempts it. */
  readonly dueAt?: Date | null;
  /** Attempts that earlier sequences used. */
  readonly attempts?: number;
  readonly lastError?: string | null;
  /** What ordered it, if not the state of the transfer. */
  readonly order?: OperationOrder;
}

/**
 * The report that a second payout corrects; or the request about money that the bank returned, with its payee or the
 * bolivianos that it refunds.
 */
export type OperationOrder =
  | { readonly complaintId: string; readonly payoutTarget: PayoutTarget }
  | { readonly restRequestId: string; readonly payoutTarget: PayoutTarget }
  | { readonly restRequestId: string; readonly restMinor: bigint }
  /** The dispute that a response answers. */
  | { readonly providerReference: string };

/** What ordered an operation that continues under a new key, if anything. */
export function orderOf(operation: Operation): { order?: OperationOrder } {
  const { kind, complaintId, restRequestId, payoutTarget, restMinor, providerReference } = operation;
  if (kind === 'dispute_response' && providerReference) return { order: { providerReference } };
  if (complaintId && payoutTarget) return { order: { complaintId, payoutTarget } };
  if (restRequestId && payoutTarget) return { order: { restRequestId, payoutTarget } };
  return restRequestId && restMinor != null ? { order: { restRequestId, restMinor } } : {};
}

/**
 * Opens an operation in the transaction of `em`, which must hold the lock of the transfer's row, and adds its job. An
 * open one of the same kind is kept.
 */
export async function openOperation(
  em: EntityManager,
  transfer: Subject,
  kind: OperationKind,
  opening: Opening,
): Promise<Operation> {
  const open = await findOpenOperation(em, transfer.id, kind);
  if (open) return open;
  const { at, dueAt = at, attempts = 0, lastError = null } = opening;
  const operation = await insertOperation(em, transfer, kind, {
    status: 'pending',
    attempts,
    lastError,
    nextAttemptAt: dueAt,
    at,
    ...(opening.amountMinor === undefined ? {} : { amountMinor: opening.amountMinor }),
    ...opening.order,
  });
  if (dueAt) dispatchRow(em, jobOf[kind], operation, dueAt > at ? { runAt: dueAt } : {});
  return operation;
}

/**
 * Opens an operation ordered by a report or a person.
 * @throws Failure `action_not_possible` while another operation of the kind is open, so that an order never adopts an
 * unrelated operation.
 */
export async function orderOperation(
  em: EntityManager,
  transfer: Subject,
  kind: OperationKind,
  opening: Opening,
): Promise<Operation> {
  if (await findOpenOperation(em, transfer.id, kind)) throw new Failure('action_not_possible');
  return openOperation(em, transfer, kind, opening);
}

/** Records an operation that was started elsewhere: in the provider's dashboard, or by other means. */
export async function insertOperation(
  em: EntityManager,
  transfer: Subject,
  kind: OperationKind,
  values: {
    at: Date;
    status: OperationStatus;
    provider?: Provider;
    amountMinor?: bigint;
    attempts?: number;
    nextAttemptAt?: Date | null;
    lastError?: string | null;
    providerReference?: string | null;
  } & Partial<Pick<Operation, 'complaintId' | 'restRequestId' | 'payoutTarget' | 'restMinor'>>,
): Promise<Operation> {
  const { at, ...rest } = values;
  const key = { transferId: transfer.id, kind, sequence: await nextSequence(em, transfer.id, kind) };
  const operation = em.create(Operation, {
    id: randomUUID(),
    ...key,
    idempotencyKey: idempotencyKeyOf(key),
    provider: providerOf[kind],
    attempts: 0,
    dispatch: 1,
    returnedMinor: 0n,
    traceparent: currentTraceparent() ?? null,
    ...wholeAmount(kind, transfer),
    ...rest,
    createdAt: at,
    changedAt: at,
    requestId: currentRequestId() ?? null,
  });
  em.persist(operation);
  await em.flush();
  return operation;
}

/**
 * Makes the held operations of a transfer due at once, because something that held them has changed. An operation being
 * attempted checks again by itself.
 */
export async function resumeHeldOperations(em: EntityManager, transferId: string, at: Date): Promise<void> {
  const open = await em.find(Operation, { transferId, status: { $in: [...openStatuses] } }, { refresh: true });
  for (const operation of open) {
    if (operation.lastError?.startsWith(heldPrefix) && !isTaken(operation)) await resumeOperation(em, operation, at);
  }
}

/** Whether an operation is being attempted. */
export function isTaken({ status, attemptStartedAt }: Operation): boolean {
  return status === 'in_flight' && attemptStartedAt != null;
}

/** Makes an open operation that waits for later due at once. */
export async function resumeOperation(em: EntityManager, { id }: Pick<Operation, 'id'>, at: Date): Promise<void> {
  await dispatchAgain(em, operationRows, id, { at, now: at });
}

/**
 * Makes every operation that waits for a money stop due at once, in the transaction of `em`. An operation being
 * attempted checks again by itself.
 */
export async function resumeStopped(em: EntityManager, at: Date): Promise<void> {
  const waiting = await em.find(Operation, {
    ...{ status: 'in_flight', attemptStartedAt: null, nextAttemptAt: { $gt: at } },
    lastError: { $like: `${heldPrefix}%money_stop%` },
  });
  for (const operation of waiting) await resumeOperation(em, operation, at);
}

/**
 * The job that attempts an operation of a kind. The bank has a separate queue, so that waiting for it never delays the
 * cards.
 */
export const jobOf: Readonly<Record<OperationKind, Extract<RowJobName, `run-${string}`>>> = {
  authorization: 'run-card-operation',
  capture: 'run-card-operation',
  void: 'run-card-operation',
  refund: 'run-refund',
  payout: 'run-payout',
  dispute_response: 'run-card-operation',
};

/** Operations as rows processed by jobs. */
export const operationRows: RowTable = {
  entity: Operation,
  key: 'id',
  jobSql: `case kind ${Object.entries(jobOf)
    .map(([kind, job]) => `when '${kind}' then '${job}'`)
    .join(' ')} end`,
  transferSql: 'transfer_id',
};

/** Whether an operation reached its provider: we sent it, or the provider has a reference for it. */
export function wasSent({ sentAt, providerReference }: Pick<Operation, 'sentAt' | 'providerReference'>): boolean {
  return sentAt != null || providerReference != null;
}

/** Whether a refund was not made by us but in Stripe's dashboard or by a lost dispute. */
export function isForeign({ kind, sentAt, providerReference }: Operation): boolean {
  return kind === 'refund' && sentAt == null && providerReference != null;
}

/** The facts of an operation that determine actions and remedies, apart from the time of its next attempt. */
export function toOperationFacts(one: Operation): Omit<OperationFacts, 'waiting'> {
  return {
    ...{ id: one.id, kind: one.kind, status: one.status, attempts: one.attempts, amountMinor: one.amountMinor },
    ...{ complaintId: one.complaintId ?? null, restRequestId: one.restRequestId ?? null },
    ...{ returnedMinor: one.returnedMinor, restMinor: one.restMinor ?? null, lastError: one.lastError ?? null },
    ...{ sent: wasSent(one), ours: !isForeign(one) },
  };
}

/** The current open operation of a kind for a transfer, started by us, or null. */
export async function findOpenOperation(
  em: EntityManager,
  transferId: string,
  kind: OperationKind,
): Promise<Operation | null> {
  const open = await em.find(Operation, { transferId, kind, status: { $in: [...openStatuses] } }, { refresh: true });
  return open.find((one) => !isForeign(one)) ?? null;
}

/** All operations of a transfer, or those of a kind, in the order they were opened. */
export function findOperations(em: EntityManager, transferId: string, kind?: OperationKind): Promise<Operation[]> {
  return em.find(
    Operation,
    { transferId, ...(kind ? { kind } : {}) },
    { orderBy: { createdAt: 'asc', kind: 'asc', sequence: 'asc' }, refresh: true },
  );
}

/** All operations of several transfers, each transfer's in the order they were opened. */
export function findOperationsOf(em: EntityManager, transferIds: readonly string[]): Promise<Operation[]> {
  const orderBy = { createdAt: 'asc', kind: 'asc', sequence: 'asc' } as const;
  return em.find(Operation, { transferId: { $in: [...transferIds] } }, { orderBy, refresh: true });
}

/**
 * Makes an operation that was given up or waits for its next attempt due at once, with a full set of attempts, in the
 * transaction of `em`. It keeps its key, because an earlier attempt may have had an effect, and so stays `unknown`.
 * `askOnly`: the provider is only queried, and its earlier acceptance stays on record.
 */
export async function attemptAgain(
  em: EntityManager,
  operation: Operation,
  { askOnly, at }: { askOnly: boolean; at: Date },
): Promise<void> {
  const awaiting = askOnly ? (operation.awaiting ?? null) : null;
  await updateOperation(em, operation, { status: 'unknown', attempts: 0, nextAttemptAt: at, awaiting }, at);
  await resumeOperation(em, operation, at);
}

/** The current operation with an id, or null. */
export function findOperation(em: EntityManager, id: string): Promise<Operation | null> {
  return em.findOne(Operation, { id }, { refresh: true });
}

type OperationChanges = Partial<
  Pick<
    Operation,
    | 'status'
    | 'nextAttemptAt'
    | 'lastError'
    | 'providerReference'
    | 'returnedMinor'
    | 'amountMinor'
    | 'attempts'
    | 'attemptStartedAt'
    | 'sentAt'
    | 'awaiting'
  >
>;

/** Updates the status of an operation. */
export async function updateOperation(
  em: EntityManager,
  operation: Pick<Operation, 'id'>,
  changes: OperationChanges,
  at: Date,
): Promise<void> {
  await em.nativeUpdate(Operation, { id: operation.id }, { ...changes, changedAt: at });
}

/**
 * `updateOperation` for one that `em` has read under the lock of its transfer or its own; returns the result without
 * reading it again.
 */
export async function updateReadOperation(
  em: EntityManager,
  { id }: Operation,
  changes: OperationChanges,
  at: Date,
): Promise<Operation> {
  await em.nativeUpdate(Operation, { id }, { ...changes, changedAt: at });
  return em.merge(Operation, { id, ...changes, changedAt: at }, { refresh: true });
}

/**
 * Ends the open operation of a kind. Without one, the event is recorded as a new operation, made outside our
 * system. Abandoning a missing operation writes nothing.
 */
export async function endOperation(
  em: EntityManager,
  transfer: Subject,
  kind: OperationKind,
  end: {
    status: Extract<OperationStatus, 'succeeded' | 'failed' | 'abandoned'>;
    providerReference?: string | null;
    at: Date;
  },
): Promise<Operation | null> {
  const { status, providerReference, at } = end;
  const open = await findOpenOperation(em, transfer.id, kind);
  const reference = providerReference ? { providerReference } : {};
  if (!open) return status === 'succeeded' ? insertOperation(em, transfer, kind, { status, at, ...reference }) : null;
  return updateReadOperation(em, open, { status, nextAttemptAt: null, ...reference }, at);
}

/** Postpones an attempt without a certain answer by the retry policy; its job runs again then. */
export async function putOff(
  em: EntityManager,
  operation: Operation,
  { error, at }: { error: string; at: Date },
): Promise<void> {
  const nextAttemptAt = new Date(at.getTime() + retryDelayMs(operation.attempts));
  await updateOperation(
    em,
    operation,
    { status: 'unknown', nextAttemptAt, attemptStartedAt: null, lastError: error },
    at,
  );
}
