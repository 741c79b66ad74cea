import type { PayoutAnswer } from '#core/contracts/bank';
import { movementOf } from '#core/holds/holds';
import { formatMinor } from '#core/money/money';
import { maxAttempts } from '#core/operations/operation';
import { namesNotClearedError, passableStatuses } from '#core/review/screening';
import { secondMs } from '#core/time/time';
import { type Claim, claimMovement } from '../holds/claim-movement.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { type PayoutTarget, readTarget } from '../personal-data/payout-target.ts';
import type { Attempt } from '../provider-calls/attempt.ts';
import { findOperation, type Operation } from '../provider-calls/operation.repository.ts';
import { BankRefusedRequestError } from '../providers/bank.ts';
import { screenPayout } from '../review/screen-names.ts';
import { startPayout } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { applyPayout, payoutIdOf } from './apply-payout.ts';
import { inquire, isAbout, nextPoll, notExecutedError, settleUnknownPayouts } from './ask-bank.ts';
import { finishCancellation } from './cancel.ts';

/**
 * Pays out a charge, or a second payout: to resolve a complaint, or to pay what the bank returned. Only the bank's
 * answer settles an order: `paid` and `rejected` end it, after `pending` it is polled, and any other answer leaves it
 * unknown. An unknown order is only repeated under the same id. It is only queried while it is on hold, once the sender
 * has cancelled, and after the request itself was rejected.
 */
export async function payOut(context: JobContext, operation: Operation, seen: Transfer): Promise<Attempt> {
  const isSecond = operation.payoutTarget != null;
  if (seen.state !== (isSecond ? 'completed' : 'captured')) return { result: 'unneeded' };
  if (!isSecond) {
    if (!seen.payoutTarget) return { result: 'refused', error: 'the transfer has no recipient' };
    if (seen.cancelRequestedAt) return settleCancelled(context, operation);
    const earlier = await settleEarlier(context, operation);
    if (earlier) return earlier;
  }
  if (operation.awaiting) return askOnly(context, operation);
  // The names of a correction were screened before its approval.
  const kept = operation.complaintId ? null : await requireClearedName(context, operation, seen);
  if (kept) return operation.sentAt ? askOnly(context, operation, kept) : kept;
  const claim = await claimPayout(context, operation);
  if (!('instead' in claim)) return order(context, { ...operation, sentAt: claim.sentAt }, claim.transfer);
  // Cancelled since it was read.
  if (claim.instead.result === 'unneeded' && !isSecond) return settleCancelled(context, operation);
  return claim.instead.result === 'waiting' && operation.sentAt
    ? askOnly(context, operation, claim.instead)
    : claim.instead;
}

/** Committed before the bank is called: from here on the payout may have been made. */
function claimPayout(context: JobContext, operation: Operation): Promise<Claim> {
  const movement = movementOf(operation);
  if (movement === 'second_payout') return claimMovement(context, operation, movement, { states: ['completed'] });
  const { now } = context;
  return claimMovement(context, operation, movement, {
    states: ['captured'],
    begin: (em, transfer) => startPayout(em, transfer, now()),
  });
}

/** Waits until the outcome of earlier payouts of the transfer is certain. Null: they ended unpaid. */
async function settleEarlier(context: JobContext, { id, transferId }: Operation): Promise<Attempt | null> {
  const { paid, until } = await settleUnknownPayouts(context, transferId, id);
  if (paid) return { result: 'settled' };
  return until && waitForCertainty(context, until);
}

/** Places no further order: queries the bank whether it has executed one; otherwise the charge is refunded. */
async function settleCancelled(context: JobContext, { transferId }: Operation): Promise<Attempt> {
  const { until } = await settleUnknownPayouts(context, transferId);
  if (until) return waitForCertainty(context, until);
  return context.database.transaction(async (em) => {
    await finishCancellation(em, transferId, context.now());
    const left = await lockTransfer(em, transferId, { state: 'captured' });
    return left?.cancelRequestedAt ? { result: 'waiting', error: uncertainError } : { result: 'unneeded' };
  });
}

const uncertainError = 'the bank has not confirmed how a payout ended';

function waitForCertainty({ now }: JobContext, until: Date): Attempt {
  return { result: 'waiting', error: uncertainError, againInMs: until.getTime() - now().getTime() };
}

/** Polling interval for pending screenings, in ms. */
const screeningPollMs = secondMs;

/**
 * After a failed payout the sender may change the recipient, so a new name must be cleared before paying. Null: it is.
 */
async function requireClearedName(
  context: JobContext,
  operation: Operation,
  transfer: Transfer,
): Promise<Attempt | null> {
  if (operation.sequence === 1) return null;
  const screening = await screenPayout(context, transfer, operation.payoutTarget);
  if (passableStatuses.includes(screening)) return null;
  const error = namesNotClearedError;
  return screening === 'pending'
    ? { result: 'waiting', error, againInMs: screeningPollMs }
    : { result: 'refused', error, reason: 'names_not_cleared' };
}

/** Orders the payout. Any number of orders under one id make one payout. */
async function order(context: JobContext, operation: Operation, transfer: Transfer): Promise<Attempt> {
  const stored = operation.payoutTarget ?? (transfer.payoutTarget as PayoutTarget);
  const target = await readTarget(context.database.fork(), transfer.id, stored);
  const { name, ci, bankName, bankAccount, phone, city } = target;
  const request = {
    externalId: payoutIdOf(operation),
    amount: formatMinor(operation.amountMinor),
    currency: 'BOB',
    beneficiary: { name, ci, bankName, bankAccount, phone, city },
  } as const;
  let answer: PayoutAnswer;
  try {
    answer = await context.bank.pay(request, operation.idempotencyKey);
  } catch (error) {
    if (!(error instanceof BankRefusedRequestError)) throw error;
    return askOnly(context, { ...operation, awaiting: 'confirmation', lastError: error.message });
  }
  if (!isAbout(answer, operation)) return { result: 'contradiction', error: 'the bank answered about another payout' };
  return apply(context, operation, answer);
}

async function apply(context: JobContext, operation: Operation, answer: PayoutAnswer): Promise<Attempt> {
  if (answer.status === 'pending') return pending(context, operation);
  await context.database.transaction((em) => applyPayout(context, em, operation, answer));
  return { result: 'settled' };
}

function pending(context: JobContext, operation: Operation): Attempt {
  const againInMs = nextPoll(context, operation).getTime() - context.now().getTime();
  return { result: 'waiting', error: 'the bank has accepted it', awaiting: 'result', againInMs };
}

/**
 * Queries the bank about an order without repeating it. `instead`: the result when nothing was paid, if something
 * blocks the payout; otherwise it has failed, because its request was rejected or its attempts are used up.
 */
export async function askOnly(context: JobContext, operation: Operation, instead?: Attempt): Promise<Attempt> {
  const knowledge = await inquire(context, operation);
  if (knowledge.known === 'answered') return apply(context, operation, knowledge.answer);
  if (knowledge.known === 'uncertain') {
    const error =
      instead?.result === 'waiting' && instead.error ? instead.error : `${operation.lastError}; not confirmed`;
    const againInMs = knowledge.until.getTime() - context.now().getTime();
    return { result: 'waiting', error, againInMs, ...(operation.awaiting && { awaiting: operation.awaiting }) };
  }
  if (instead?.result === 'waiting') return { ...instead, undone: true };
  if (instead) return instead;
  const error = `${operation.lastError}; ${notExecutedError}`;
  return operation.attempts >= maxAttempts ? { result: 'again', error } : { result: 'refused', error };
}

/** Queries the bank about a sent payout before it is abandoned. Null: no certain answer. */
export async function queryBeforeAbandoning(
  context: JobContext,
  { id, lastError }: Operation,
): Promise<Attempt | null> {
  const operation = await findOperation(context.database.fork(), id);
  if (!operation?.sentAt) return { result: 'again', error: `${lastError}; never sent` };
  try {
    const { awaiting } = operation;
    return await askOnly(context, { ...operation, lastError, awaiting: awaiting ?? 'confirmation' });
  } catch (error) {
    context.log.warn({ err: error, operationId: id }, 'the outcome of a payout at the bank is unknown');
    return null;
  }
}
