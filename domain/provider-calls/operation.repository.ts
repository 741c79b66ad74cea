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

/** The whole amount of an operation of a kind, in the currency it happens in. */
function wholeAmount(kind: OperationKind, transfer: Subject): { amountMinor: bigint; currency: string } {
  return kind === 'payout'
    ? { amountMinor: transfer.bolivianosMinor, currency: 'BOB' }
    : { amountMinor: transfer.amountMinor, currency: transfer.currency };
}

/** The authorization that a transfer is opened with; the sender's browser brings it about. Persisted with the transaction of `em`. */
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

/** How an operation begins, unless it is to be attempted at once. */
export interface Opening {
  readonly at: Date;
  /** The whole amount unless given, in minor units. */
  readonly amountMinor?: bigint;
  /** When it is due; null: nothing of ours attempts it. */
  readonly dueAt?: Date | null;
  /** Attempts that earlier sequences have used. */
  readonly attempts?: number;
  readonly lastError?: string | null;
  /** What orders it, where the state of the transfer does not. */
  readonly order?: OperationOrder;
}

/**
 * The report that a second payout corrects, or the request about what the bank returned, with whom it pays or the bolivianos whose share it
 * refunds.
 */
export type OperationOrder =
  | { readonly complaintId: string; readonly payoutTarget: PayoutTarget }
  | { readonly restRequestId: string; readonly payoutTarget: PayoutTarget }
  | { readonly restRequestId: string; readonly restMinor: bigint }
  /** The dispute that a response answers. */
  | { readonly providerReference: string };

/** Of an operation that goes on under a new key: what orders it, where something does. */
export function orderOf(operation: Operation): { order?: OperationOrder } {
  const { kind, complaintId, restRequestId, payoutTarget, restMinor, providerReference } = operation;
  if (kind === 'dispute_response' && providerReference) return { order: { providerReference } };
  if (complaintId && payoutTarget) return { order: { complaintId, payoutTarget } };
  if (restRequestId && payoutTarget) return { order: { restRequestId, payoutTarget } };
  return restRequestId && restMinor != null ? { order: { restRequestId, restMinor } } : {};
}

/**
 * Opens an operation in the transaction of `em`, which must hold the lock of the transfer's row, and asks for it. One of the same
 * kind that is open already is kept.
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
 * Opens an operation that a report or a person ordered. @throws Failure `action_not_possible` while another operation of the kind is open, so
 * that an order never takes it for its own.
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
 * Asks at once for the operations of a transfer that wait for a hold: something that held them has changed. One that is being attempted looks
 * again by itself.
 */
export async function resumeHeldOperations(em: EntityManager, transferId: string, at: Date): Promise<void> {
  const open = await em.find(Operation, { transferId, status: { $in: [...openStatuses] } }, { refresh: true });
  for (const operation of open) {
    if (operation.lastError?.startsWith(heldPrefix) && !isTaken(operation)) await resumeOperation(em, operation, at);
  }
}

/** Whether an attempt at an operation is under way. */
export function isTaken({ status, attemptStartedAt }: Operation): boolean {
  return status === 'in_flight' && attemptStartedAt != null;
}

/** Has an open operation attempted at once that waits for a later moment. */
export async function resumeOperation(em: EntityManager, { id }: Pick<Operation, 'id'>, at: Date): Promise<void> {
  await dispatchAgain(em, operationRows, id, { at, now: at });
}

/** Has every operation attempted at once that waits for a money stop, in the transaction of `em`. One that is being attempted looks again by itself. */
export async function resumeStopped(em: EntityManager, at: Date): Promise<void> {
  const waiting = await em.find(Operation, {
    ...{ status: 'in_flight', attemptStartedAt: null, nextAttemptAt: { $gt: at } },
    lastError: { $like: `${heldPrefix}%money_stop%` },
  });
  for (const operation of waiting) await resumeOperation(em, operation, at);
}

/** The job that attempts an operation of a kind. The bank has a queue of its own, so that waiting for it never holds up the cards. */
export const jobOf: Readonly<Record<OperationKind, Extract<RowJobName, `run-${string}`>>> = {
  authorization: 'run-card-operation',
  capture: 'run-card-operation',
  void: 'run-card-operation',
  refund: 'run-refund',
  payout: 'run-payout',
  dispute_response: 'run-card-operation',
};

/** Operations as rows that jobs attempt. */
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

/** What of an operation decides about actions and remedies, apart from the moment of its next attempt. */
export function toOperationFacts(one: Operation): Omit<OperationFacts, 'waiting'> {
  return {
    ...{ id: one.id, kind: one.kind, status: one.status, attempts: one.attempts, amountMinor: one.amountMinor },
    ...{ complaintId: one.complaintId ?? null, restRequestId: one.restRequestId ?? null },
    ...{ returnedMinor: one.returnedMinor, restMinor: one.restMinor ?? null, lastError: one.lastError ?? null },
    ...{ sent: wasSent(one), ours: !isForeign(one) },
  };
}

/** The open operation of a kind for a transfer that is ours, as the database has it now, or null. */
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
 * Has an operation that was given up, or that waits for its next attempt, attempted at once and as often as a new one, in the transaction of
 * `em`. Its key stays: whether an earlier attempt had an effect is not known, and so it stays `unknown`. `askOnly`: the
 * provider is only queried, and its earlier acceptance stays on record.
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

/** An operation by its id as the database has it now, or null. */
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

/** Writes how an operation ended or stands. */
export async function updateOperation(
  em: EntityManager,
  operation: Pick<Operation, 'id'>,
  changes: OperationChanges,
  at: Date,
): Promise<void> {
  await em.nativeUpdate(Operation, { id: operation.id }, { ...changes, changedAt: at });
}

/** The same for one that `em` has read under the lock of its transfer or its own; returns it as it is then, without reading it again. */
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
 * Ends the open operation of a kind. Where there is none, what happened is written down as an operation of its own: somebody
 * did it without our asking. Abandoning what is not there writes nothing.
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

/** Puts an attempt without a certain answer off by the retry policy; its job comes again then. */
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
