import type { PayoutAnswer } from '#core/contracts/bank';
import { movementOf } from '#core/holds/holds';
import { formatMinor } from '#core/money/money';
import { namesNotClearedError, passableStatuses } from '#core/review/screening';
import { secondMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { NonRetryableError } from '#platform/queues/retry';
import type { JobContext } from '../job-context.ts';
import type { Attempt } from '../operations/attempt.ts';
import { claimMovement } from '../operations/claim-movement.ts';
import type { Operation } from '../operations/operation.repository.ts';
import { screenPayout } from '../review/screen-names.ts';
import { moveAtOnce, startPayout } from '../transfers/move-transfer.ts';
import { type PayoutTarget, readTarget, type Transfer } from '../transfers/transfer.repository.ts';
import { applyPayout, payoutIdOf } from './apply-payout.ts';
import { askAboutPayout, findForgottenPayout, isAbout, takeForgottenPayout } from './ask-bank.ts';
import { BankUnavailableError } from './bank.ts';

/**
 * Pays charged money to the family: the transfer is claimed, paid once by the bank, then `completed` with the bank's reference. What the bank
 * refuses because of the account waits for its sender's correction.
 */
export async function payOut(context: JobContext, operation: Operation, seen: Transfer): Promise<Attempt> {
  if (operation.payoutTarget) return paySecondTime(context, operation, seen);
  if (seen.state !== 'captured') return { result: 'unneeded' };
  if (!seen.payoutTarget) return { result: 'refused', error: 'the transfer has no recipient' };
  return payWithCare(context, operation, seen);
}

/** Sends a second payout, at our expense to resolve a complaint, or of what the bank returned. Names of the latter are checked here. */
async function paySecondTime(context: JobContext, operation: Operation, seen: Transfer): Promise<Attempt> {
  if (seen.state !== 'completed') return { result: 'unneeded' };
  const kept = operation.restRequestId ? await keepFromUncleared(context, operation, seen) : null;
  return kept ?? payUnlessHeld(context, operation, {});
}

/** Pays once what an earlier payout may have paid is known, and the names of a corrected recipient are cleared. */
async function payWithCare(context: JobContext, operation: Operation, seen: Transfer): Promise<Attempt> {
  const forgotten = await findForgottenPayout(context, seen.id);
  if (forgotten) {
    await takeForgottenPayout(context, forgotten, operation);
    return { result: 'settled' };
  }
  const kept = await keepFromUncleared(context, operation, seen);
  if (kept) return kept;
  const { now } = context;
  // Committed before the bank is called: from here on it cannot be cancelled, and what was cancelled before is not paid out.
  return payUnlessHeld(context, operation, { begin: (em, transfer) => startPayout(em, transfer, now()) });
}

/** Calls the bank, unless a hold makes the payout wait. What an earlier attempt may have paid is asked for, so that it is not forgotten. */
async function payUnlessHeld(
  context: JobContext,
  operation: Operation,
  { begin }: { begin?: (em: EntityManager, transfer: Transfer) => Promise<Transfer | null> },
): Promise<Attempt> {
  const wasSent = operation.sentAt != null;
  const states = [operation.payoutTarget ? 'completed' : 'captured'] as const;
  const claim = await claimMovement(context, operation, movementOf(operation), { states, ...(begin && { begin }) });
  if (!('instead' in claim)) return payStarted(context, operation, claim.transfer);
  if (claim.instead.result !== 'waiting' || !wasSent) return claim.instead;
  const known = await askAboutPayout(context, operation);
  if (!known) throw new BankUnavailableError('the bank does not tell what became of a payout that is held');
  return known.result === 'again' ? claim.instead : known;
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
  const screening = await screenPayout(context, transfer, operation.payoutTarget);
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
  if (answer.status === 'paid' && !operation.payoutTarget) {
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
