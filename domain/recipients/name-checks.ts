import type { NameInquiryAnswer } from '#core/contracts/bank';
import { Failure } from '#core/contracts/failures';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { RowJobData } from '#core/contracts/jobs';
import { retryDelayMs } from '#core/operations/operation';
import { compareNames, maskName, maxNameCheckAttempts, needsConfirmation } from '#core/recipients/name-check';
import { secondMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import type { JobResult } from '#platform/outbox/row-jobs';
import { classifyError, isNonRetryable, NonRetryableError } from '#platform/queues/retry';
import { lockUser } from '../accounts/account.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { readNumbers } from '../personal-data/personal-data.ts';
import { BankRefusedRequestError } from '../providers/bank.ts';
import { bumpReviewVersionsOf } from '../review/review.repository.ts';
import {
  beginNameCheck,
  confirmNameCheck,
  findNameCheck,
  type NameCheck,
  type NameCheckResult,
  openNameCheck,
  type QueriedAccount,
  writeNameCheck,
} from './name-check.repository.ts';
import { findRecipient, lockRecipient, raiseVersion } from './recipient.repository.ts';
import { toRecipientView } from './recipient-views.ts';

/**
 * Queries the bank whether an account is in its recipient's name, once; after a crash the same query is repeated under
 * its key. Returns when its job is to run again.
 * @throws NonRetryableError when it was given up: the sender may request it again.
 */
export async function checkAccountName(context: JobContext, job: RowJobData): Promise<JobResult> {
  const { database, now } = context;
  const begun = await database.transaction((em) => beginNameCheck(em, job, now()));
  if (!begun) return undefined;
  if ('early' in begun) return begun.early;
  const result = await ask(context, begun.row);
  const isWritten = await database.transaction((em) => writeResult(em, begun.row, result, now()));
  const { lastError, nextAttemptAt } = result;
  if (!isWritten || lastError == null) return undefined;
  if (!nextAttemptAt) throw new NonRetryableError(lastError);
  return { at: nextAttemptAt, error: lastError };
}

async function ask(context: JobContext, check: NameCheck): Promise<NameCheckResult> {
  const { id, name, bankName, sealed, attempts } = check;
  try {
    // Attempts that crashed the process also count towards the maximum.
    if (attempts > maxNameCheckAttempts) throw new NonRetryableError('every attempt crashed');
    const hidden = { ci: '', phone: '', bankAccount: check.bankAccount, sealed: sealed ?? null };
    const { bankAccount } = await readNumbers(context.database.fork(), `name_check:${id}`, hidden);
    const answer = await context.bank.askName({ name, bankName, bankAccount }, `name:${id}`);
    return { ...readAnswer(name, answer), lastError: null, nextAttemptAt: null, answeredAt: context.now() };
  } catch (error) {
    context.log.warn({ err: error, nameCheckId: id, attempts }, 'the bank did not answer a name check');
    const lastError = classifyError(error).message;
    const isLast =
      attempts >= maxNameCheckAttempts || isNonRetryable(error) || error instanceof BankRefusedRequestError;
    if (isLast) return { status: 'unavailable', lastError, nextAttemptAt: null };
    return { lastError, nextAttemptAt: new Date(context.now().getTime() + retryDelayMs(attempts)) };
  }
}

/** The bank's verdict on the names, or ours if it only returns the holder's name. */
function readAnswer(name: string, answer: NameInquiryAnswer): Pick<NameCheck, 'status' | 'bankSays'> {
  switch (answer.result) {
    case 'not_supported':
      return { status: 'unsupported', bankSays: null };
    case 'holder':
      return { status: compareNames(name, answer.holder), bankSays: maskName(answer.holder) || null };
    default: {
      const said = { match: 'match', close_match: 'close', no_match: 'different' } as const;
      return { status: said[answer.result], bankSays: maskName(answer.holder ?? '') || null };
    }
  }
}

/**
 * Notifies the sender, and admins who review transfers to the recipient, of an answer. Returns whether anything was
 * written.
 */
async function writeResult(em: EntityManager, check: NameCheck, result: NameCheckResult, at: Date): Promise<boolean> {
  // Locks the recipient before its check, like every change of a recipient.
  await lockRecipient(em, check.recipientId);
  if (!(await writeNameCheck(em, check, result))) return false;
  if (result.status !== undefined) await pushCheck(em, check.recipientId, at);
  return true;
}

async function pushCheck(em: EntityManager, recipientId: string, at: Date): Promise<void> {
  await raiseVersion(em, recipientId);
  addPush(em, 'recipient-changed', { recipientId });
  await bumpReviewVersionsOf(em, recipientId, at);
}

/** A sender's own recipient. */
interface Own {
  readonly userId: string;
  readonly id: string;
  readonly at: Date;
}

/**
 * Starts a check of a sender's own recipient that has none or no answer; in the transaction of `em`.
 * @throws Failure `not_found`, `too_many_requests` when the queries of a day are used up.
 */
export async function checkRecipientName(em: EntityManager, { userId, id, at }: Own): Promise<RecipientView> {
  await lockUser(em, userId);
  const recipient = await findRecipient(em, userId, id);
  const freeAt = await openNameCheck(em, recipient, at);
  if (freeAt) {
    throw new Failure('too_many_requests', {
      retryAfterSeconds: Math.ceil((freeAt.getTime() - at.getTime()) / secondMs),
    });
  }
  return toRecipientView(em, recipient);
}

/**
 * Records that a sender confirms a name although the bank has another one, in the transaction of `em`. Nothing is
 * written if the recipient has changed since the sender saw `version`. Returns the current recipient.
 * @throws Failure `not_found`.
 */
export async function confirmRecipientName(
  em: EntityManager,
  { userId, id, version, at }: Own & { version: number },
): Promise<RecipientView> {
  await lockUser(em, userId);
  await lockRecipient(em, id);
  const recipient = await findRecipient(em, userId, id);
  const check = recipient.version === version ? await findNameCheck(em, id, recipient) : null;
  if (check && (await confirmNameCheck(em, check, at))) {
    await pushCheck(em, id, at);
    await em.refresh(recipient);
  }
  return toRecipientView(em, recipient);
}

/**
 * Checks the payee of a payment.
 * @throws Failure `name_not_confirmed` when the bank reports another name, until the sender confirms it.
 */
export async function refuseUnconfirmedName(
  em: EntityManager,
  recipientId: string,
  account: QueriedAccount,
): Promise<void> {
  const check = await findNameCheck(em, recipientId, account);
  if (check && needsConfirmation({ status: check.status, confirmed: check.confirmedAt != null })) {
    throw new Failure('name_not_confirmed', { name: account.name, bankSays: check.bankSays ?? null });
  }
}
