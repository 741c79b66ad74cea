import type { PayoutAnswer } from '#core/contracts/bank';
import { formatMinor } from '#core/money/money';
import type { JobContext } from '../job-context.ts';
import type { Attempt } from '../operations/attempt.ts';
import {
  findOpenOperation,
  findOperations,
  type Operation,
  updateOperation,
} from '../operations/operation.repository.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { applyPayout, payoutIdOf } from './apply-payout.ts';
import { BankUnavailableError } from './bank.ts';

/**
 * What became of a payout that is not to be attempted any more: what the bank says of it is applied. Null when the bank does not tell:
 * then it is unknown. A bank that never heard of it is the certain answer that nothing was paid.
 */
export async function askAboutPayout(context: JobContext, operation: Operation): Promise<Attempt | null> {
  let answer: PayoutAnswer | null;
  try {
    answer = await context.bank.find(payoutIdOf(operation));
  } catch (error) {
    context.log.warn({ err: error, operationId: operation.id }, 'the bank does not tell what became of a payout');
    return null;
  }
  if (!answer) return { result: 'again', error: `${operation.lastError ?? 'no answer'}; the bank never heard of it` };
  const found = answer;
  if (!isAbout(found, operation)) {
    return { result: 'contradiction', error: 'the bank answered about another payout' };
  }
  await context.database.transaction((em) => applyPayout(context, em, operation, found));
  return { result: 'settled' };
}

/**
 * Learns what became of an attempted payout that has not ended, before the card takes its money back: whether the family was
 * paid decides what that means. @throws when the bank does not tell; the caller tries again later.
 */
export async function settleAttemptedPayout(context: JobContext, transferId: string): Promise<void> {
  const payout = await findOpenOperation(context.database.fork(), transferId, 'payout');
  // A second payout is made to a family that was paid whatever becomes of it.
  if (!payout || payout.attempts === 0 || payout.complaintId) return;
  if (!(await askAboutPayout(context, payout)))
    throw new BankUnavailableError('the bank does not tell what became of a payout');
}

/** Whether the bank's answer is about this payout. */
export function isAbout(answer: PayoutAnswer, operation: Operation): boolean {
  return answer.externalId === payoutIdOf(operation) && answer.amount === formatMinor(operation.amountMinor);
}

/**
 * A payout of the transfer that was given up without a certain answer and that the bank made all the same, or null. To be asked before
 * the money goes another way. @throws when the bank does not tell.
 */
export async function findForgottenPayout(
  context: JobContext,
  transferId: string,
): Promise<{ operation: Operation; answer: PayoutAnswer } | null> {
  const payouts = await findOperations(context.database.fork(), transferId, 'payout');
  for (const operation of payouts) {
    if (operation.status !== 'abandoned' || operation.attempts === 0 || operation.complaintId) continue;
    const answer = await context.bank.find(payoutIdOf(operation));
    const paid = answer?.status === 'paid' && isAbout(answer, operation);
    if (paid && answer.returnedAmount !== answer.amount) return { operation, answer };
  }
  return null;
}

/** Takes a forgotten payout up again instead of the one that was to replace it. */
export async function takeForgottenPayout(
  context: JobContext,
  { operation, answer }: { operation: Operation; answer: PayoutAnswer },
  instead: Operation,
): Promise<void> {
  const at = context.now();
  await context.database.transaction(async (em) => {
    const transfer = await lockTransfer(em, operation.transferId, { state: 'captured' });
    if (!transfer) return;
    await updateOperation(em, instead, { status: 'abandoned', nextAttemptAt: null }, at);
    await updateOperation(em, operation, { status: 'unknown' }, at);
    await applyPayout(context, em, operation, answer);
  });
}
