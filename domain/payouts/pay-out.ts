import type { PayoutAnswer } from '#core/contracts/bank';
import { formatMinor } from '#core/money/money';
import { namesNotClearedError, passableStatuses } from '#core/review/screening';
import { secondMs } from '#core/time/time';
import { NonRetryableError } from '#platform/queues/retry';
import { disputedError, findBlockingDispute } from '../disputes/dispute.repository.ts';
import type { JobContext } from '../job-context.ts';
import type { Attempt } from '../operations/attempt.ts';
import type { Operation } from '../operations/operation.repository.ts';
import { screenPayout } from '../review/screen-names.ts';
import { claimPayout, moveAtOnce } from '../transfers/move-transfer.ts';
import { type PayoutTarget, readTarget, type Transfer } from '../transfers/transfer.repository.ts';
import { applyPayout, payoutIdOf } from './apply-payout.ts';
import { askAboutPayout, findForgottenPayout, isAbout, takeForgottenPayout } from './ask-bank.ts';
import { BankUnavailableError } from './bank.ts';

/**
 * Pays charged money to the family: the transfer is claimed, paid once by the bank, then `completed` with the bank's reference. `begun`: it was
 * claimed as the operation was taken. What the bank refuses because of the account waits for its sender's correction; anything else goes back to the card.
 */
export async function payOut(
  context: JobContext,
  operation: Operation,
  seen: Transfer,
  begun: boolean,
): Promise<Attempt> {
  if (begun) return payStarted(context, operation, seen);
  if (operation.complaintId) return paySecondTime(context, operation, seen);
  if (seen.state !== 'captured') return { result: 'unneeded' };
  if (!seen.payoutTarget) return { result: 'refused', error: 'the transfer has no recipient' };
  return payWithCare(context, operation, seen);
}

/** Pays a family that was paid, at our loss, to correct what its sender reported. */
async function paySecondTime(context: JobContext, operation: Operation, seen: Transfer): Promise<Attempt> {
  if (seen.state !== 'completed') return { result: 'unneeded' };
  if (await findBlockingDispute(context.database.fork(), seen.id)) {
    return waitForDispute(context, operation, operation.attempts > 1 || operation.lastError != null);
  }
  return payStarted(context, operation, seen);
}

/** A payout that began before, that something may speak against, or whose transfer was being changed. */
async function payWithCare(context: JobContext, operation: Operation, seen: Transfer): Promise<Attempt> {
  if (await findBlockingDispute(context.database.fork(), seen.id)) {
    return waitForDispute(context, operation, seen.payoutStartedAt != null);
  }
  const forgotten = await findForgottenPayout(context, seen.id);
  if (forgotten) {
    await takeForgottenPayout(context, forgotten, operation);
    return { result: 'settled' };
  }
  const kept = await keepFromUncleared(context, operation, seen);
  if (kept) return kept;
  // Committed before the bank is called: from here on it cannot be cancelled, and what was cancelled before is not paid out.
  const transfer = await context.database.transaction((em) => claimPayout(em, seen.id, context.now()));
  return transfer ? payStarted(context, operation, transfer) : { result: 'unneeded' };
}

/** How soon it is looked again whether the check of names was answered, in ms. */
const screeningPollMs = secondMs;

/**
 * The sender of a payout that failed may have named somebody else than was approved: nobody is paid whose names are not cleared. Null: they are. What
 * an earlier attempt may have paid is asked for, so that it is not forgotten.
 */
async function keepFromUncleared(
  context: JobContext,
  operation: Operation,
  transfer: Transfer,
): Promise<Attempt | null> {
  if (operation.sequence === 1 || transfer.cancelRequestedAt) return null;
  const screening = await screenPayout(context, transfer);
  if (passableStatuses.includes(screening)) return null;
  const error = namesNotClearedError;
  const kept: Attempt =
    screening === 'pending'
      ? { result: 'waiting', error, againInMs: screeningPollMs }
      : { result: 'refused', error, reason: 'names_not_cleared' };
  const { attempts, lastError } = operation;
  if (attempts === 1 && (!lastError || lastError === error)) return kept;
  const known = await askAboutPayout(context, operation);
  if (!known)
    throw new BankUnavailableError('the bank does not tell what became of a payout whose names are not cleared');
  return known.result === 'again' ? kept : known;
}

async function payStarted(context: JobContext, operation: Operation, transfer: Transfer): Promise<Attempt> {
  const stored = operation.payoutTarget ?? (transfer.payoutTarget as PayoutTarget);
  const target = await readTarget(context.database.fork(), transfer.id, stored);
  const { name, ci, bankName, bankAccount, phone, city } = target;
  const externalId = payoutIdOf(operation);
  const amount = formatMinor(operation.amountMinor);
  const request = {
    externalId,
    amount,
    currency: 'BOB',
    beneficiary: { name, ci, bankName, bankAccount, phone, city },
  };
  let answer: PayoutAnswer;
  try {
    answer = await context.bank.pay({ ...request, currency: 'BOB' }, operation.idempotencyKey);
  } catch (error) {
    if (error instanceof NonRetryableError) return afterRefusal(context, operation, error);
    throw error;
  }
  if (!isAbout(answer, operation)) return { result: 'contradiction', error: 'the bank answered about another payout' };
  if (answer.status === 'paid' && !operation.complaintId) {
    const paid = { at: context.now(), changes: { payoutReference: answer.reference } };
    if (await moveAtOnce(context.database, transfer, 'pay_out', paid)) return { result: 'done' };
  }
  await context.database.transaction((em) => applyPayout(context, em, operation, answer));
  return { result: 'settled' };
}

/**
 * The bank calls the request wrong. An earlier attempt without an answer may have paid all the same: then the bank is asked, because
 * nobody may pay anew or return the money before that is certain. @throws BankUnavailableError when the bank does not tell.
 */
async function afterRefusal(context: JobContext, operation: Operation, refusal: Error): Promise<Attempt> {
  const refused: Attempt = { result: 'refused', error: refusal.message };
  if (operation.attempts === 1 && !operation.lastError) return refused;
  const known = await askAboutPayout(context, operation);
  if (!known) throw new BankUnavailableError(refusal.message, { cause: refusal });
  return known.result === 'again' ? refused : known;
}

/** Nothing is paid while the charge is disputed. What an earlier attempt may have paid is asked for, so that it is not forgotten. */
async function waitForDispute(context: JobContext, operation: Operation, started: boolean): Promise<Attempt> {
  const waiting: Attempt = { result: 'waiting', error: disputedError };
  if (!started) return waiting;
  const known = await askAboutPayout(context, operation);
  if (!known) throw new BankUnavailableError('the bank does not tell what became of a payout whose charge is disputed');
  return known.result === 'again' ? waiting : known;
}
