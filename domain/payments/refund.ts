import type { Stripe } from 'stripe';
import { heldError } from '#core/holds/holds';
import { formatMinor } from '#core/money/money';
import { pollMs } from '#core/operations/operation';
import { isEndedUnpaid, type Outcome, outcomeOf, refundFact, sumOf } from '#core/operations/reducer';
import { settledRest } from '#core/operations/rest-actions';
import type { EntityManager } from '#platform/database/database';
import { NonRetryableError } from '#platform/queues/retry';
import { isRefusal } from '#platform/stripe-errors';
import { isCorrection } from '../complaints/complaint.repository.ts';
import { closeCorrected } from '../corrections/correct.ts';
import { bookRest, reopenRest, settleRest } from '../corrections/rest.ts';
import { closeCasesOfDone, openCase } from '../desk/desk-case.repository.ts';
import { endWaitingRequests } from '../desk/desk-request.repository.ts';
import { findDisputes } from '../disputes/dispute.repository.ts';
import { claimMovement } from '../holds/claim-movement.ts';
import { hasUnknownPayout, isUnknownPayout, outsideRefundsOf } from '../holds/holds.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { PayoutUncertainError, settleAttemptedPayout, settleUnknownPayouts } from '../payouts/ask-bank.ts';
import type { Attempt } from '../provider-calls/attempt.ts';
import {
  findOperation,
  findOperations,
  insertOperation,
  isForeign,
  type Operation,
  openOperation,
  updateOperation,
} from '../provider-calls/operation.repository.ts';
import { postRefund, postRefundReversal } from '../transfers/ledger.repository.ts';
import { changeWithinState, moveTransfer } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { noteFailedRefunds } from './failed-refund.ts';
import { isStoredFailure, undoneBy } from './read-intent.ts';

/**
 * Refunds a charge to the card. Existing refunds are read from Stripe first, so that one whose answer was lost is not
 * made twice. A pending refund is checked again at Stripe's event, or after an hour.
 */
export async function refundPayment(context: JobContext, operation: Operation, transfer: Transfer): Promise<Attempt> {
  const { state } = transfer;
  if ((state !== 'refunding' && state !== 'completed') || !transfer.paymentIntentId)
    return operation.sentAt ? querySentRefund(context, operation, transfer) : { result: 'unneeded' };
  // After the payout, an admin decided to refund at our expense.
  if (state !== 'completed') {
    const { paid, until } = await settleUnknownPayouts(context, transfer.id);
    if (paid) return { result: 'contradiction', error: `the bank paid ${paid} after all` };
    if (until) {
      const error = heldError([{ reason: 'payout_unknown', subject: transfer.id }]);
      return { result: 'waiting', error, againInMs: until.getTime() - context.now().getTime() };
    }
  }
  const known = await syncRefunds(context, transfer);
  if (known.some((refund) => refund.metadata?.operation_id === operation.id)) return resultOf(context, operation);
  const current = await findOperation(context.database.fork(), operation.id);
  if (current?.status !== 'in_flight') return { result: 'settled' };
  const remaining = await remainingOf(context, transfer, operation);
  // After the payout, an admin may have decided to refund only a part of the rest.
  const fits = state === 'completed' ? remaining >= operation.amountMinor : remaining === operation.amountMinor;
  if (!fits) {
    const error = `${remaining} are left to return`;
    return remaining > 0n ? { result: 'again', error, amountMinor: remaining } : { result: 'unneeded' };
  }
  const claim = await claimMovement(context, operation, 'refund', { states: ['refunding', 'completed'] });
  if ('instead' in claim) return claim.instead;
  let failure: unknown;
  try {
    await context.stripe.refunds.create(
      {
        payment_intent: transfer.paymentIntentId,
        amount: Number(operation.amountMinor),
        metadata: { transfer_id: transfer.id, operation_id: operation.id },
      },
      { idempotencyKey: operation.idempotencyKey },
    );
  } catch (error) {
    if (!isStoredFailure(error) && !isRefusal(error)) throw error;
    failure = error;
  }
  const refunds = await syncRefunds(context, transfer);
  if (failure && !refunds.some((refund) => refund.metadata?.operation_id === operation.id)) {
    const after = await findOperation(context.database.fork(), operation.id);
    if (after?.status !== 'in_flight') return { result: 'settled' };
    return undoneBy(failure);
  }
  return resultOf(context, operation);
}

/**
 * Queries Stripe about an unanswered refund whose transfer ended another way. It has failed once no earlier request can
 * arrive any more.
 */
async function querySentRefund(context: JobContext, operation: Operation, transfer: Transfer): Promise<Attempt> {
  const known = await syncRefunds(context, transfer);
  if (known.some((refund) => refund.metadata?.operation_id === operation.id)) return resultOf(context, operation);
  const error = 'Stripe has not made it';
  const sinceSentMs = context.now().getTime() - (operation.sentAt?.getTime() ?? 0);
  if (sinceSentMs < pollMs) return { result: 'waiting', error, againInMs: pollMs - sinceSentMs };
  return { result: 'refused', error, reason: 'correction_failed' };
}

/** The amount neither refunded nor covered by other pending refunds, in minor units. */
async function remainingOf(context: JobContext, transfer: Transfer, { id }: Operation): Promise<bigint> {
  const refunds = await findOperations(context.database.fork(), transfer.id, 'refund');
  const taken = refunds.filter((one) => one.id !== id && (one.status === 'succeeded' || one.status === 'in_flight'));
  return taken.reduce((left, { amountMinor }) => left - amountMinor, transfer.amountMinor);
}

/** The attempt's result for an operation whose refund exists at Stripe. */
async function resultOf(context: JobContext, { id }: Operation): Promise<Attempt> {
  const operation = await findOperation(context.database.fork(), id);
  return operation?.status === 'in_flight' ? { result: 'waiting', awaiting: 'result' } : { result: 'settled' };
}

/**
 * Reads every refund of a transfer's payment from Stripe and records each: ours and those made in Stripe's dashboard;
 * those that failed after they had succeeded are reversed. Then moves the transfer according to their sum. Returns
 * Stripe's refunds.
 */
export async function syncRefunds(context: JobContext, read: Transfer): Promise<Stripe.Refund[]> {
  if (!read.paymentIntentId) return [];
  // One page is enough: each of our refunds waits for the previous one.
  const { data: refunds } = await context.stripe.refunds.list({ payment_intent: read.paymentIntentId, limit: 100 });
  if (refunds.length > 0) {
    await noteOutside(context, read.id, refunds);
    // The effect of an outside refund depends on whether the payout was made.
    await settleAttemptedPayout(context, read.id);
  }
  const at = context.now();
  await context.database.transaction(async (em) => {
    const transfer = await lockTransfer(em, read.id);
    if (!transfer) return;
    if (isEndedUnpaid(transfer.state)) return noteUnreturned(em, transfer, { refunds, at });
    if (!chargedStates.has(transfer.state)) return;
    if (refunds.length > 0 && (await hasUnknownPayout(em, transfer)))
      throw new PayoutUncertainError('a payout was sent since the refunds were read');
    const failed: Operation[] = [];
    for (const refund of refunds.toReversed()) {
      const operation = await recordRefund(em, transfer, refund, at);
      if (operation) failed.push(operation);
    }
    await applyRefunds(em, transfer, at);
    await openLostCases(em, transfer, { failed, at });
    await noteFailedRefunds(em, transfer, { failed, at });
  });
  return refunds;
}

/**
 * Reopens the void of a transfer that ended without a charge, when the refund by which the void returned a charge has
 * failed.
 */
async function noteUnreturned(
  em: EntityManager,
  transfer: Transfer,
  { refunds: [last], at }: { refunds: readonly Stripe.Refund[]; at: Date },
): Promise<void> {
  if (!last || statusOf(last) !== 'failed' || !transfer.authorizationVoidedAt) return;
  const lastError = `Stripe: the refund came back (${last.failure_reason ?? last.status})`;
  const step = { name: 'lose_void', owner: 'payments', at } as const;
  await changeWithinState(em, transfer, { authorizationVoidedAt: null }, step);
  const { id: operationId } = await insertOperation(em, transfer, 'void', { status: 'failed', lastError, at });
  await openCase(em, { transferId: transfer.id, operationId, reason: 'operation_refused', details: lastError, at });
}

/**
 * Records refunds made in Stripe's dashboard before the outcome of the payout is certain, which may take a while: until
 * then they block a new payout order.
 */
async function noteOutside({ database, now }: JobContext, transferId: string, refunds: readonly Stripe.Refund[]) {
  await database.transaction(async (em) => {
    const transfer = await lockTransfer(em, transferId, { state: 'captured' });
    const operations = transfer ? await findOperations(em, transferId) : [];
    if (!transfer || !operations.some(isUnknownPayout)) return;
    const known = new Set(operations.flatMap(({ id, providerReference }) => [id, providerReference]));
    for (const { id: providerReference, amount, metadata } of refunds) {
      if (known.has(providerReference) || known.has(metadata?.operation_id ?? '')) continue;
      await insertOutside(em, transfer, { providerReference, amountMinor: BigInt(amount), at: now() });
    }
  });
}

/** Records a refund made in Stripe's dashboard and ends waiting requests, whose authors did not know of it. */
async function insertOutside(
  em: EntityManager,
  transfer: Transfer,
  refund: { providerReference: string; amountMinor: bigint; at: Date },
): Promise<Operation> {
  await endWaitingRequests(em, transfer.id, { event: 'facts_changed', at: refund.at });
  return insertOperation(em, transfer, 'refund', { status: 'in_flight', ...refund });
}

/** States of a transfer that we charged. Refunds by the void of an ended transfer are handled there. */
export const chargedStates: ReadonlySet<string> = new Set([
  'captured',
  'payout_failed',
  'completed',
  'refunding',
  'refunded',
]);

/** A failed refund at our expense opens a case again, unless a report of the sender has it open. */
async function openLostCases(
  em: EntityManager,
  { id: transferId, state, currency }: Transfer,
  { failed, at }: { failed: readonly Operation[]; at: Date },
): Promise<void> {
  if (state !== 'completed') return;
  for (const operation of failed) {
    if (operation.restRequestId) {
      await reopenRest(em, operation, { error: `Stripe: ${operation.lastError ?? 'the card did not take it'}`, at });
      continue;
    }
    if (isForeign(operation) || (await isCorrection(em, operation.id))) continue;
    const details = `Stripe: ${formatMinor(operation.amountMinor)} ${currency} came back`;
    await openCase(em, { transferId, reason: 'refund_failed', operationId: operation.id, details, at });
  }
}

/** Records Stripe's status of a refund; returns its operation if it has just failed. */
async function recordRefund(
  em: EntityManager,
  transfer: Transfer,
  refund: Stripe.Refund,
  at: Date,
): Promise<Operation | null> {
  const status = statusOf(refund);
  const amountMinor = BigInt(refund.amount);
  if (refund.currency !== transfer.currency.toLowerCase()) throw new NonRetryableError('a refund in another currency');
  const operations = await findOperations(em, transfer.id, 'refund');
  const known =
    operations.find(({ providerReference }) => providerReference === refund.id) ??
    operations.find(({ id, providerReference }) => !providerReference && id === refund.metadata?.operation_id) ??
    (await insertOutside(em, transfer, { providerReference: refund.id, amountMinor, at }));
  const before = known.status;
  // A failed refund stays failed: any other status was read earlier.
  if (known.providerReference === refund.id && (before === status || before === 'failed')) return null;
  const lastError = refund.failure_reason ?? null;
  const done = { status, providerReference: refund.id, lastError };
  await updateOperation(em, known, status === 'in_flight' ? done : { ...done, nextAttemptAt: null }, at);
  if (status === 'succeeded' && before !== 'succeeded') {
    await postRefund(em, transfer, known, at);
    await closeCasesOfDone(em, known, { outcome: 'refunded', at });
  }
  if (status === 'failed' && before === 'succeeded') await postRefundReversal(em, transfer, known, at);
  if ((status === 'succeeded') !== (before === 'succeeded')) await bookRest(em, transfer, known, at);
  return status === 'failed' ? known : null;
}

/**
 * Records that a lost dispute returned money to the sender before the payout. `applyRefunds` applies the consequences.
 */
export async function recordChargeback(
  em: EntityManager,
  transfer: Transfer,
  { disputeId, amountMinor, at }: { disputeId: string; amountMinor: bigint; at: Date },
): Promise<void> {
  const values = { status: 'succeeded', amountMinor, providerReference: disputeId, at } as const;
  const refund = await insertOperation(em, transfer, 'refund', values);
  await postRefund(em, transfer, refund, at);
}

/** Records that the card's bank returned the amount of a lost dispute. `applyRefunds` applies the consequences. */
export async function reverseChargeback(
  em: EntityManager,
  transfer: Transfer,
  { disputeId, at }: { disputeId: string; at: Date },
): Promise<void> {
  const refunds = await findOperations(em, transfer.id, 'refund');
  const refund = refunds.find(
    ({ providerReference, status }) => providerReference === disputeId && status === 'succeeded',
  );
  if (!refund) throw new NonRetryableError('a dispute that was won had not been lost');
  await updateOperation(em, refund, { status: 'failed', lastError: 'the dispute was won on appeal' }, at);
  await postRefundReversal(em, transfer, refund, at);
}

function statusOf({ status }: Stripe.Refund): 'in_flight' | 'succeeded' | 'failed' {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'in_flight';
}

/** Moves a locked transfer according to the sum of its refunds. */
export async function applyRefunds(em: EntityManager, transfer: Transfer, at: Date): Promise<void> {
  const operations = await findOperations(em, transfer.id, 'refund');
  const refunds = operations
    .filter(({ providerReference, status }) => providerReference || status === 'succeeded')
    .map(({ status, amountMinor }) => ({
      status: status === 'succeeded' || status === 'failed' ? status : ('pending' as const),
      amountMinor,
    }));
  const fact = refundFact(refunds, transfer.amountMinor);
  if (fact) await carryOut(em, transfer, { outcome: outcomeOf(transfer.state, fact), refunds, at });
  await em.flush();
  await countRefunds(em, transfer.id, { returnedMinor: sumOf(refunds, 'succeeded'), at });
  await settleRest(em, transfer.id, { operations, at });
  const counted = refunds.length > 0 && (await lockTransfer(em, transfer.id));
  if (counted) await closeCorrected(em, counted, at);
}

/** Shows the sender the refunded amount, unless a move already did. */
async function countRefunds(
  em: EntityManager,
  transferId: string,
  { returnedMinor, at }: { returnedMinor: bigint; at: Date },
): Promise<void> {
  const transfer = await lockTransfer(em, transferId);
  if (!transfer || transfer.returnedMinor === returnedMinor) return;
  const step = { name: 'count_refunds', owner: 'payments', at } as const;
  const operations = await findOperations(em, transferId, 'refund');
  const hasRest = settledRest({ keptMinor: 0n, operations }) !== transfer.restRefundedMinor;
  // A full refund has one e-mail, sent at its end. A refund of the rest has another e-mail (settleRest).
  const isNewlyReturned = returnedMinor > transfer.returnedMinor && transfer.state === 'completed' && !hasRest;
  await changeWithinState(
    em,
    transfer,
    { returnedMinor },
    isNewlyReturned ? { ...step, email: 'transfer_refunded' } : step,
  );
}

async function carryOut(
  em: EntityManager,
  transfer: Transfer,
  input: { outcome: Outcome; refunds: readonly { status: string; amountMinor: bigint }[]; at: Date },
): Promise<void> {
  const { outcome, refunds, at } = input;
  const { id: transferId, amountMinor } = transfer;
  const returned = sumOf(refunds, 'succeeded');
  const changes = { returnedMinor: returned };
  const details = `Stripe: ${formatMinor(returned)} of ${formatMinor(amountMinor)} ${transfer.currency} refunded`;
  switch (outcome) {
    case 'refund_outside': {
      await moveTransfer(em, transferId, 'refund_outside', { at, changes });
      return openOutsideCase(em, transferId, { details, at });
    }
    case 'refund':
      await moveTransfer(em, transferId, 'refund', { at, changes });
      return;
    case 'refund_again':
      await openOperation(em, transfer, 'refund', { at, amountMinor: amountMinor - returned });
      return;
    case 'bounce_refund':
      await moveTransfer(em, transferId, 'bounce_refund', { at, changes });
      return openCase(em, { transferId, reason: 'refund_failed', details, at });
    case 'attention':
      if (transfer.state !== 'refunding') return openOutsideCase(em, transferId, { details, at });
      return openCase(em, { transferId, reason: 'refund_failed', details, at });
    case 'unexpected':
      return openCase(em, { transferId, reason: 'contradiction', details, at });
    default:
      return;
  }
}

/** Opens a case about money refunded outside our system. Lost disputes have separate cases. */
async function openOutsideCase(
  em: EntityManager,
  transferId: string,
  { details, at }: { details: string; at: Date },
): Promise<void> {
  const refunds = await findOperations(em, transferId, 'refund');
  if (outsideRefundsOf(refunds, await findDisputes(em, transferId)).length > 0)
    await openCase(em, { transferId, reason: 'refund_outside', details, at });
}
