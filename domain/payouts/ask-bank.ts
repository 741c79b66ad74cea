import type { PayoutAnswer } from '#core/contracts/bank';
import { formatMinor } from '#core/money/money';
import { openStatuses, resultPollMs } from '#core/operations/operation';
import { NonRetryableError } from '#platform/queues/retry';
import { isUnknownPayout } from '../holds/holds.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import {
  findOperation,
  findOperations,
  type Operation,
  resumeHeldOperations,
  updateOperation,
} from '../provider-calls/operation.repository.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { applyPayout, failPayout, payoutIdOf } from './apply-payout.ts';
import { finishCancellation } from './cancel.ts';

/**
 * What the bank says of a payout that was sent. `answered`: its own answer. `not_executed`: it does not know the payout and had the time to,
 * which confirms that nothing was paid. `uncertain`: it does not know it yet; ask again at `until`.
 */
export type Knowledge =
  | { readonly known: 'answered'; readonly answer: PayoutAnswer }
  | { readonly known: 'not_executed' }
  | { readonly known: 'uncertain'; readonly until: Date };

/**
 * Asks the bank about a payout that was sent. @throws BankUnavailableError, BankRefusedRequestError when it does not tell, NonRetryableError
 * when what it says cannot be: a person has to look.
 */
export async function inquire({ bank, now }: JobContext, operation: Operation): Promise<Knowledge> {
  const answer = await bank.find(payoutIdOf(operation));
  if (answer && !isAbout(answer, operation)) throw new NonRetryableError('the bank answered about another payout');
  if (answer) return { known: 'answered', answer };
  if (operation.awaiting === 'result') throw new NonRetryableError('the bank does not know a payout that it accepted');
  const until = new Date((operation.sentAt?.getTime() ?? 0) + bank.completionWindowMs);
  return now() < until ? { known: 'uncertain', until } : { known: 'not_executed' };
}

/** When to poll the bank again for the result of a payout that it accepted. */
export function nextPoll({ now }: JobContext, { sentAt }: Pick<Operation, 'sentAt'>): Date {
  const at = now().getTime();
  return new Date(at + resultPollMs(at - (sentAt?.getTime() ?? at)));
}

/** Whether the bank's answer is about this payout. */
export function isAbout(answer: PayoutAnswer, operation: Operation): boolean {
  return answer.externalId === payoutIdOf(operation) && answer.amount === formatMinor(operation.amountMinor);
}

/** What became of the payouts of a transfer about which nothing was certain. */
export interface Settled {
  /** The bank's number of one that it has paid and not returned. */
  readonly paid: string | null;
  /** When to ask again, where something is still uncertain. */
  readonly until: Date | null;
}

/**
 * Asks the bank about every payout of a transfer that it may have executed, and writes down what is certain: to be done before the money
 * goes another way. Second payouts are left out, they are made to a family that was paid. `except`: the operation that is being attempted.
 * @throws as `inquire`.
 */
export async function settleUnknownPayouts(context: JobContext, transferId: string, except?: string): Promise<Settled> {
  const payouts = await findOperations(context.database.fork(), transferId, 'payout');
  let paid: string | null = null;
  const moments: number[] = [];
  for (const operation of payouts) {
    if (!isUnknownPayout(operation) || operation.payoutTarget || operation.id === except) continue;
    const knowledge = await inquire(context, operation);
    const next = await writeDown(context, operation, knowledge);
    if (next) moments.push(next.getTime());
    if (knowledge.known === 'answered' && knowledge.answer.status === 'paid' && !isReturned(knowledge.answer))
      paid = knowledge.answer.reference;
  }
  return { paid, until: moments.length > 0 ? new Date(Math.min(...moments)) : null };
}

/** Writes down what is certain of a payout; returns when to ask again where nothing is. */
async function writeDown(context: JobContext, operation: Operation, knowledge: Knowledge): Promise<Date | null> {
  if (knowledge.known === 'uncertain') return knowledge.until;
  if (knowledge.known === 'not_executed') return confirmUnpaid(context, operation, notExecutedError);
  const { answer } = knowledge;
  if (answer.status === 'pending') {
    await noteAccepted(context, operation);
    return nextPoll(context, operation);
  }
  if (isReturned(answer)) {
    // While it is open, its return is what moves the transfer (sweep-bank-returns.ts).
    return openStatuses.includes(operation.status)
      ? null
      : confirmUnpaid(context, operation, 'paid and wholly returned');
  }
  await context.database.transaction((em) => applyPayout(context, em, operation, answer));
  return null;
}

/** Writes down that the bank has accepted a payout: from then on it cannot say that it does not know it. */
async function noteAccepted({ database, now }: JobContext, operation: Operation): Promise<void> {
  if (operation.awaiting === 'result') return;
  await database.transaction((em) => updateOperation(em, operation, { awaiting: 'result' }, now()));
}

/** Whether all of a payment came back, so that nothing of it is with the family. */
function isReturned(answer: PayoutAnswer): boolean {
  return answer.status === 'paid' && answer.returnedAmount === answer.amount;
}

/** Why a payout failed of which the bank knows nothing. */
export const notExecutedError = 'the bank did not execute it: it does not know it after its completion window';

/**
 * Writes down that nothing was paid, for certain: one that was given up has failed, one that is open counts as never sent. A cancellation that
 * waited for it is carried out. Returns when to ask again where another process has sent it in the meantime.
 */
function confirmUnpaid(context: JobContext, read: Operation, lastError: string): Promise<Date | null> {
  const { bank, database } = context;
  const { id, transferId } = read;
  const at = context.now();
  return database.transaction(async (em) => {
    await lockTransfer(em, transferId);
    const operation = await findOperation(em, id);
    if (!operation || !isUnknownPayout(operation)) return null;
    const sentAt = operation.sentAt?.getTime() ?? 0;
    if (sentAt !== read.sentAt?.getTime()) return new Date(sentAt + bank.completionWindowMs);
    if (openStatuses.includes(operation.status)) await updateOperation(em, operation, { sentAt: null }, at);
    else await failPayout(em, operation, { lastError, at });
    await finishCancellation(em, transferId, at);
    await resumeHeldOperations(em, transferId, at);
    return null;
  });
}

/** It is not certain yet whether the family was paid, so nothing is decided on it. */
export class PayoutUncertainError extends Error {
  override readonly name = 'PayoutUncertainError';
}

/**
 * Makes certain whether the family was paid, before the card takes its money back: that decides what it means. @throws PayoutUncertainError
 * while it is not certain, and as `inquire`; the caller tries again later.
 */
export async function settleAttemptedPayout(context: JobContext, transferId: string): Promise<void> {
  const { until } = await settleUnknownPayouts(context, transferId);
  if (until)
    throw new PayoutUncertainError(`the bank has not confirmed a payout; next inquiry at ${until.toISOString()}`);
}
