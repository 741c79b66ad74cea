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
 * Pays charged money to the family, or a family that was paid a second time: to resolve a complaint, or what the bank returned. The bank has executed an order or not only by
 * its own word: `paid` and `rejected` end it, after `pending` it is polled, and whatever else comes back leaves it unknown. An unknown order is
 * given again under its own id only. It is only queried while a hold applies, once the sender has cancelled, and after the
 * request itself was refused.
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
  // The names of a correction were checked before it was approved.
  const kept = operation.complaintId ? null : await keepFromUncleared(context, operation, seen);
  if (kept) return operation.sentAt ? askOnly(context, operation, kept) : kept;
  const claim = await claimPayout(context, operation);
  if (!('instead' in claim)) return order(context, { ...operation, sentAt: claim.sentAt }, claim.transfer);
  // Cancelled since it was read.
  if (claim.instead.result === 'unneeded' && !isSecond) return settleCancelled(context, operation);
  return claim.instead.result === 'waiting' && operation.sentAt
    ? askOnly(context, operation, claim.instead)
    : claim.instead;
}

/** Committed before the bank is called: from here on the family may have been paid. */
function claimPayout(context: JobContext, operation: Operation): Promise<Claim> {
  const movement = movementOf(operation);
  if (movement === 'second_payout') return claimMovement(context, operation, movement, { states: ['completed'] });
  const { now } = context;
  return claimMovement(context, operation, movement, {
    states: ['captured'],
    begin: (em, transfer) => startPayout(em, transfer, now()),
  });
}

/** Earlier payouts of the transfer end for certain before another one is made. Null: they have, unpaid. */
async function settleEarlier(context: JobContext, { id, transferId }: Operation): Promise<Attempt | null> {
  const { paid, until } = await settleUnknownPayouts(context, transferId, id);
  if (paid) return { result: 'settled' };
  return until && waitForCertainty(context, until);
}

/** No order is given any more: the bank says whether it has executed one, and otherwise the charge goes back. */
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

/** How soon it is looked again whether the check of names was answered, in ms. */
const screeningPollMs = secondMs;

/** After a failed payout the sender may change the recipient: no payout to a name that is not cleared. Null: it is. */
async function keepFromUncleared(
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

/** Orders the bank to pay. Any number of orders under one id make one payout. */
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
 * Asks the bank about an order that is not given again. `instead`: what comes of the attempt when nothing was paid, where something speaks
 * against the payout; otherwise it has failed, because its request was refused or its attempts are used up.
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

/** Queries the bank about a sent payout before it is abandoned. Null: the bank gave no certain answer. */
export async function askAtTheEnd(context: JobContext, { id, lastError }: Operation): Promise<Attempt | null> {
  const operation = await findOperation(context.database.fork(), id);
  if (!operation?.sentAt) return { result: 'again', error: `${lastError}; never sent` };
  try {
    const { awaiting } = operation;
    return await askOnly(context, { ...operation, lastError, awaiting: awaiting ?? 'confirmation' });
  } catch (error) {
    context.log.warn({ err: error, operationId: id }, 'the bank does not tell what became of a payout');
    return null;
  }
}
