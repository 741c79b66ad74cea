import type { RowJobData } from '#core/contracts/jobs';
import { type Hold, heldPrefix, movementOf } from '#core/holds/holds';
import { caseOfHold } from '#core/operations/desk-action';
import {
  laterMs,
  maxAttempts,
  type OperationKind,
  openStatuses,
  pollMs,
  retryDelayMs,
  slowAttempts,
  slowResultMs,
  urgentAttempts,
  urgentMs,
} from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import type { JobResult } from '#platform/outbox/row-jobs';
import { classifyError, isNonRetryable, NonRetryableError } from '#platform/queues/retry';
import { operationDuration, timed } from '#platform/telemetry/metrics';
import { traced } from '#platform/telemetry/tracing';
import { followCorrection } from '../complaints/complaint.repository.ts';
import { isMissed, reopenDecision } from '../corrections/correct.ts';
import { attemptLater } from '../desk/attempt-later.ts';
import { bumpCaseVersions, findLastCase, openCase } from '../desk/desk-case.repository.ts';
import { respondToDispute } from '../dispute-evidence/respond.ts';
import { findHolds } from '../holds/holds.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { capturePayment, readAtTheEnd } from '../payments/capture.ts';
import { refundPayment } from '../payments/refund.ts';
import { voidAuthorization } from '../payments/void-authorization.ts';
import { finishCancellation } from '../payouts/cancel.ts';
import { payOut, queryBeforeAbandoning } from '../payouts/pay-out.ts';
import { type Attempt, answerShown } from '../provider-calls/attempt.ts';
import { claimOperation } from '../provider-calls/claim-operation.repository.ts';
import {
  findOperation,
  type Operation,
  openOperation,
  orderOf,
  putOff,
  resumeOperation,
  updateOperation,
} from '../provider-calls/operation.repository.ts';
import { recordAnswer } from '../provider-calls/provider-circuit.repository.ts';
import { unavailableProvider } from '../provider-calls/silent-provider.ts';
import { findTransfer, lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';

/** The handler of each kind. Authorizations are performed by the sender's browser and Stripe. */
const attempts: Readonly<
  Record<OperationKind, (context: JobContext, operation: Operation, transfer: Transfer) => Promise<Attempt>>
> = {
  authorization: async () => ({ result: 'unneeded' }),
  capture: capturePayment,
  void: voidAuthorization,
  refund: refundPayment,
  payout: payOut,
  dispute_response: respondToDispute,
};

/**
 * Attempts a due operation once and records the result: when it is due again, or how it ended and whether it needs a
 * person. Running it twice, or too early, does nothing. Returns when its job is to run again.
 * @throws NonRetryableError when it was given up.
 */
export async function runOperation(context: JobContext, job: RowJobData): Promise<JobResult> {
  const { database, now } = context;
  const claimed = await database.transaction((em) => claimOperation(em, job, now()));
  if (!claimed) return undefined;
  if ('early' in claimed) return claimed.early;
  const { operation } = claimed;
  const transfer = await findTransfer(database.fork(), operation.transferId);
  if (!transfer) throw new NonRetryableError('an operation without a transfer');
  const { kind, traceparent: parent } = operation;
  await traced(`operation ${kind}`, { kind: 'consumer', parent }, () => attempt(context, operation, transfer));
  return jobResultOf(await findOperation(database.fork(), job.id), job);
}

/** The job's result after its attempt was recorded; a newer job takes over if there is one. */
function jobResultOf(operation: Operation | null, { dispatch }: RowJobData): JobResult {
  if (operation?.dispatch !== dispatch) return undefined;
  const { status, nextAttemptAt, lastError } = operation;
  if (status === 'abandoned' && lastError) throw new NonRetryableError(lastError);
  if (!nextAttemptAt) return undefined;
  return { at: nextAttemptAt, ...(status === 'unknown' && lastError && { error: lastError }) };
}

async function attempt(context: JobContext, operation: Operation, transfer: Transfer): Promise<void> {
  // Attempts that crashed the process also count towards the maximum.
  if (operation.attempts > maxAttempts) return fail(context, operation, new Error('every attempt crashed'));
  let outcome: Attempt;
  try {
    outcome = await timed(
      () => attempts[operation.kind](context, operation, transfer),
      (seconds, ended) => {
        const result = 'result' in ended ? ended.result.result : 'error';
        operationDuration.observe({ kind: operation.kind, outcome: result }, seconds);
      },
    );
  } catch (error) {
    return fail(context, operation, error);
  }
  return finish(context, operation, outcome);
}

/**
 * Handles an attempt that threw. Errors that no retry can fix open a case; the others are retried as long as the policy
 * allows.
 */
async function fail(context: JobContext, operation: Operation, thrown: unknown): Promise<void> {
  const { id: operationId, kind } = operation;
  context.log.warn({ err: thrown, operationId, kind }, 'an operation had no certain answer');
  // The message without the data of our own statements.
  const error = classifyError(thrown).message;
  if (isNonRetryable(thrown)) return finish(context, operation, { result: 'contradiction', error });
  const last = operation.attempts >= maxAttempts;
  const certain = last ? await finalQueries[kind]?.(context, { ...operation, lastError: error }) : null;
  if (certain) await finish(context, operation, certain);
  else await repeatLater(context, operation, { error, silent: unavailableProvider(thrown) });
}

/**
 * Queries to the provider about the outcome of an operation before it is abandoned, where the provider supports them.
 */
const finalQueries: Partial<
  Record<OperationKind, (context: JobContext, operation: Operation) => Promise<Attempt | null>>
> = { payout: queryBeforeAbandoning, capture: readAtTheEnd };

/**
 * Handles an uncertain answer: retried with the same key, as long as the policy allows. `silent`: the provider that did
 * not answer.
 */
async function repeatLater(
  context: JobContext,
  claimed: Operation,
  { error, silent }: { error: string; silent: string | null },
): Promise<void> {
  const at = context.now();
  await context.database.transaction(async (em) => {
    const transfer = await lockTransfer(em, claimed.transferId);
    const operation = await findOperation(em, claimed.id);
    if (silent) await recordAnswer(em, silent, { answered: false, at });
    if (!operation || !openStatuses.includes(operation.status)) return;
    const ofOperation = { transferId: operation.transferId, operationId: operation.id, details: error, at };
    if (operation.attempts >= maxAttempts) {
      await updateOperation(em, operation, { status: 'abandoned', nextAttemptAt: null, lastError: error }, at);
      return openCase(em, { ...ofOperation, reason: 'operation_abandoned' });
    }
    await putOff(em, operation, { error, at });
    await bumpCaseVersions(em, operation.transferId);
    const isUrgent = transfer?.captureBefore && transfer.captureBefore.getTime() - at.getTime() < urgentMs;
    const slow = operation.kind === 'capture' && isUrgent ? urgentAttempts : slowAttempts;
    if (operation.attempts === slow) await openCase(em, { ...ofOperation, reason: 'operation_slow' });
  });
}

/** Whether a report or a request about the rest ordered an operation; then a new decision on it is needed. */
const isOrdered = ({ complaintId, restRequestId }: Operation) => complaintId != null || restRequestId != null;

/** Records a certain answer. */
async function finish(context: JobContext, claimed: Operation, attempt: Attempt): Promise<void> {
  const at = context.now();
  await context.database.transaction(async (em) => {
    const transfer = await lockTransfer(em, claimed.transferId);
    const operation = await findOperation(em, claimed.id);
    const answered = answerShown(attempt);
    if (answered !== null) await recordAnswer(em, claimed.provider, { answered, at });
    if (!transfer || !operation || !openStatuses.includes(operation.status)) return;
    const { id: operationId, kind, attempts: used } = operation;
    const ofOperation = { transferId: transfer.id, operationId, at };
    switch (attempt.result) {
      case 'settled':
        // Recording the provider's answer should have ended the operation, and it is still open.
        return putOff(em, operation, { error: 'no certain answer yet', at });
      case 'unneeded':
        await updateOperation(em, operation, { status: 'abandoned', nextAttemptAt: null }, at);
        if (await isMissed(em, operation, transfer))
          await reopenDecision(em, operation, { error: 'not needed any more', at });
        return;
      case 'waiting': {
        const nextAttemptAt = new Date(at.getTime() + (attempt.againInMs ?? pollMs));
        const lastError = attempt.error ?? operation.lastError ?? null;
        const attempts = used - 1;
        const { awaiting, undone } = attempt;
        await updateOperation(
          em,
          operation,
          {
            ...{ status: 'in_flight', attempts, nextAttemptAt, attemptStartedAt: null, lastError },
            ...(awaiting && { awaiting }),
            ...(undone && { sentAt: null }),
          },
          at,
        );
        if (undone && (await finishCancellation(em, transfer.id, at))) return;
        await openCaseAboutResult(em, { ...operation, awaiting: awaiting ?? operation.awaiting }, at);
        // A hold that ended during the attempt did not find it waiting, and so could not resume it.
        if (!attempt.error?.startsWith(heldPrefix)) return;
        const holds = await findHolds(em, transfer, movementOf(operation), operation.id);
        if (holds.length === 0) return resumeOperation(em, operation, at);
        return openCasesAboutHolds(em, operation, { holds, at });
      }
      case 'again': {
        const lastError = attempt.error;
        await updateOperation(em, operation, { status: 'failed', nextAttemptAt: null, awaiting: null, lastError }, at);
        await bumpCaseVersions(em, transfer.id);
        if (kind === 'payout' && (await finishCancellation(em, transfer.id, at))) return;
        if (attempt.later) {
          return attemptLater(em, transfer, operation, {
            error: lastError,
            at,
            dueAt: new Date(at.getTime() + laterMs),
          });
        }
        if (used >= maxAttempts && isOrdered(operation)) return reopenDecision(em, operation, { error: lastError, at });
        if (used >= maxAttempts)
          return openCase(em, { ...ofOperation, reason: 'operation_abandoned', details: lastError });
        const dueAt = new Date(at.getTime() + retryDelayMs(used));
        const next = await openOperation(em, transfer, kind, {
          at,
          dueAt,
          attempts: used,
          lastError,
          amountMinor: attempt.amountMinor ?? operation.amountMinor,
          ...orderOf(operation),
        });
        await followCorrection(em, operationId, next.id);
        return;
      }
      case 'refused':
        await updateOperation(
          em,
          operation,
          { status: 'failed', nextAttemptAt: null, awaiting: null, lastError: attempt.error },
          at,
        );
        if (kind === 'payout' && (await finishCancellation(em, transfer.id, at))) return;
        if (isOrdered(operation) || attempt.reason === 'correction_failed')
          return reopenDecision(em, operation, { error: attempt.error, at });
        return openCase(em, { ...ofOperation, reason: attempt.reason ?? 'operation_refused', details: attempt.error });
      case 'contradiction':
        await updateOperation(
          em,
          operation,
          { status: 'abandoned', nextAttemptAt: null, lastError: attempt.error },
          at,
        );
        return openCase(em, { ...ofOperation, reason: 'contradiction', details: attempt.error });
    }
  });
}

/**
 * Opens a case about an operation that its provider accepted but does not finish, and another one some time after a
 * person closed the last one.
 */
async function openCaseAboutResult(em: EntityManager, operation: Operation, at: Date): Promise<void> {
  const { id: operationId, transferId, awaiting, sentAt } = operation;
  const isSlow = (since: Date) => at.getTime() - since.getTime() >= slowResultMs;
  if (awaiting !== 'result' || !sentAt || !isSlow(sentAt)) return;
  const ofCase = { transferId, operationId, reason: 'operation_slow' } as const;
  const last = await findLastCase(em, ofCase);
  if (last && (!last.resolvedAt || !isSlow(last.resolvedAt))) return;
  const provider = operation.provider === 'stripe' ? 'Stripe' : 'the bank';
  const details = `accepted by ${provider} on ${sentAt.toISOString()}, without a result`;
  await openCase(em, { ...ofCase, details, at });
}

/**
 * Opens the cases that let people release the holds of an operation, if none is open: it was closed while nothing was
 * held, or the hold is older than the operation. A case about an ordered operation closes with its order.
 */
async function openCasesAboutHolds(
  em: EntityManager,
  operation: Operation,
  { holds, at }: { holds: readonly Hold[]; at: Date },
): Promise<void> {
  const { id, transferId } = operation;
  for (const reason of new Set(holds.map((hold) => caseOfHold[hold.reason]))) {
    const last = reason && (await findLastCase(em, { transferId, reason }));
    if (!reason || (last && !last.resolvedAt)) continue;
    const details = last?.resolution == null ? null : (last.details ?? null);
    await openCase(em, { transferId, reason, details, at, ...(isOrdered(operation) && { operationId: id }) });
  }
}
