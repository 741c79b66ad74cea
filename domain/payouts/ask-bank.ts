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
 * The bank's knowledge of a sent payout. `answered`: its answer. `not_executed`: it does not know the payout after its
 * completion window, which confirms that nothing was paid. `uncertain`: it does not know it yet; query again at
 * `until`.
 */
export type Knowledge =
  | { readonly known: 'answered'; readonly answer: PayoutAnswer }
  | { readonly known: 'not_executed' }
  | { readonly known: 'uncertain'; readonly until: Date };

/**
 * Queries the bank about a sent payout.
 * @throws BankUnavailableError, BankRefusedRequestError when it does not answer, NonRetryableError when its answer is
 * impossible: a person has to look.
 */
export async function inquire({ bank, now }: JobContext, operation: Operation): Promise<Knowledge> {
  const answer = await bank.find(payoutIdOf(operation));
  if (answer && !isAbout(answer, operation)) throw new NonRetryableError('the bank answered about another payout');
  if (answer) return { known: 'answered', answer };
  if (operation.awaiting === 'result') throw new NonRetryableError('the bank does not know a payout that it accepted');
  const until = new Date((operation.sentAt?.getTime() ?? 0) + bank.completionWindowMs);
  return now() < until ? { known: 'uncertain', until } : { known: 'not_executed' };
}

/** When to poll the bank again for the result of an accepted payout. */
export function nextPoll({ now }: JobContext, { sentAt }: Pick<Operation, 'sentAt'>): Date {
  const at = now().getTime();
  return new Date(at + resultPollMs(at - (sentAt?.getTime() ?? at)));
}

/** Whether the bank's answer is about this payout. */
export function isAbout(answer: PayoutAnswer, operation: Operation): boolean {
  return answer.externalId === payoutIdOf(operation) && answer.amount === formatMinor(operation.amountMinor);
}

/** The outcome of a transfer's unknown payouts. */
export interface Settled {
  /** The bank's number of a payout that it has paid and not returned. */
  readonly paid: string | null;
  /** When to query again, if something is still uncertain. */
  readonly until: Date | null;
}

/**
 * Queries the bank about every payout of a transfer that it may have executed, and records what is certain: required
 * before the money is moved another way. Skips second payouts, which follow a completed one. `except`: the operation
 * being attempted.
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

/** Records what is certain of a payout; returns when to query again if nothing is. */
async function writeDown(context: JobContext, operation: Operation, knowledge: Knowledge): Promise<Date | null> {
  if (knowledge.known === 'uncertain') return knowledge.until;
  if (knowledge.known === 'not_executed') return confirmUnpaid(context, operation, notExecutedError);
  const { answer } = knowledge;
  if (answer.status === 'pending') {
    await noteAccepted(context, operation);
    return nextPoll(context, operation);
  }
  if (isReturned(answer)) {
    // While it is open, its return moves the transfer (sweep-bank-returns.ts).
    return openStatuses.includes(operation.status)
      ? null
      : confirmUnpaid(context, operation, 'paid and wholly returned');
  }
  await context.database.transaction((em) => applyPayout(context, em, operation, answer));
  return null;
}

/** Records that the bank has accepted a payout: from then on its "unknown" is no longer credible. */
async function noteAccepted({ database, now }: JobContext, operation: Operation): Promise<void> {
  if (operation.awaiting === 'result') return;
  await database.transaction((em) => updateOperation(em, operation, { awaiting: 'result' }, now()));
}

/** Whether all of a payment was returned, so that the recipient has nothing of it. */
function isReturned(answer: PayoutAnswer): boolean {
  return answer.status === 'paid' && answer.returnedAmount === answer.amount;
}

/** The error of a payout unknown to the bank. */
export const notExecutedError = 'the bank did not execute it: it does not know it after its completion window';

/**
 * Records that certainly nothing was paid: an abandoned payout has failed, an open one counts as never sent. A waiting
 * cancellation is carried out. Returns when to query again if another process has sent it in the meantime.
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

/** It is uncertain whether the payout was made, so nothing is decided. */
export class PayoutUncertainError extends Error {
  override readonly name = 'PayoutUncertainError';
}

/**
 * Determines whether the payout was made before a refund is applied, because that decides its effect.
 * @throws PayoutUncertainError while it is uncertain, and as `inquire`; the caller retries later.
 */
export async function settleAttemptedPayout(context: JobContext, transferId: string): Promise<void> {
  const { until } = await settleUnknownPayouts(context, transferId);
  if (until)
    throw new PayoutUncertainError(`the bank has not confirmed a payout; next inquiry at ${until.toISOString()}`);
}
