import type { NameInquiryAnswer } from '#core/contracts/bank';
import { Failure } from '#core/contracts/failures';
import type { RecipientView } from '#core/contracts/http/recipients';
import { retryDelayMs } from '#core/operations/operation';
import { compareNames, maskName, maxNameCheckAttempts, needsConfirmation } from '#core/recipients/name-check';
import { minuteMs, secondMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { isNonRetryable } from '#platform/queues/retry';
import { lockUser } from '../accounts/account.repository.ts';
import type { JobContext } from '../job-context.ts';
import { BankRefusedRequestError } from '../payouts/bank.ts';
import { readNumbers } from '../personal-data.ts';
import { touchReviewsOf } from '../review/review.repository.ts';
import {
  type AskedAccount,
  confirmNameCheck,
  findNameCheck,
  type NameCheck,
  openNameCheck,
  type TakenNameCheck,
  takeDueNameChecks,
  writeNameCheck,
} from './name-check.repository.ts';
import { findRecipient, lockRecipient, raiseVersion } from './recipient.repository.ts';
import { toRecipientView } from './recipient-views.ts';

/** Questions asked at the same time. */
const width = 8;
/** How long an attempt may take before another process may repeat it (ms): longer than the time limit of its call. */
const leaseMs = minuteMs;

/**
 * Asks the bank what is due, as long as something is. Running it twice, or beside another process, asks nothing twice; after a crash the same
 * question is asked again under its key.
 */
export async function askDueNames(context: JobContext): Promise<void> {
  let taken: TakenNameCheck[];
  do {
    const request = { now: context.now(), leaseMs, limit: width };
    taken = await context.database.transaction((em) => takeDueNameChecks(em, request));
    await Promise.all(taken.map((one) => askName(context, one)));
  } while (taken.length >= width);
}

async function askName(context: JobContext, check: TakenNameCheck): Promise<void> {
  const { name, bankName, sealed } = check;
  let result: Parameters<typeof writeNameCheck>[2];
  try {
    const hidden = { ci: '', phone: '', bankAccount: check.bankAccount, sealed: sealed ?? null };
    const { bankAccount } = await readNumbers(context.database.fork(), `name_check:${check.id}`, hidden);
    const answer = await context.bank.askName({ name, bankName, bankAccount }, `name:${check.id}`);
    result = { ...readAnswer(name, answer), lastError: null, nextAttemptAt: null, answeredAt: context.now() };
  } catch (error) {
    context.log.warn(
      { err: error, nameCheckId: check.id, attempts: check.attempts },
      'the bank does not say whose an account is',
    );
    const lastError = (error as Error).message;
    const ended =
      check.attempts >= maxNameCheckAttempts || isNonRetryable(error) || error instanceof BankRefusedRequestError;
    result = ended
      ? { status: 'unavailable', lastError, nextAttemptAt: null }
      : { lastError, nextAttemptAt: new Date(context.now().getTime() + retryDelayMs(check.attempts)) };
  }
  await context.database.transaction((em) => writeResult(em, check, result, context.now()));
}

/** The bank's own word on the names, or ours where it only says whose the account is. */
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

/** Tells the sender, and admins who decide about transfers to the recipient. Nobody waits for an attempt that is repeated. */
async function writeResult(
  em: EntityManager,
  check: TakenNameCheck,
  result: Parameters<typeof writeNameCheck>[2],
  at: Date,
): Promise<void> {
  // As every change of a recipient does: its row before its question.
  await lockRecipient(em, check.recipientId);
  if (!(await writeNameCheck(em, check, result)) || result.status === undefined) return;
  await pushCheck(em, check.recipientId, at);
}

async function pushCheck(em: EntityManager, recipientId: string, at: Date): Promise<void> {
  await raiseVersion(em, recipientId);
  addPush(em, 'recipient-changed', { recipientId });
  await touchReviewsOf(em, recipientId, at);
}

/** Whose recipient is spoken of. */
interface Own {
  readonly userId: string;
  readonly id: string;
  readonly at: Date;
}

/**
 * Asks the bank about a sender's own recipient who was not asked about, or got no answer; in the transaction of `em`.
 * @throws Failure `not_found`, `too_many_requests` when the questions of a day are used up.
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
 * Writes down that a sender says that a name is right although the bank has another one, in the transaction of `em`. About a recipient that changed
 * since the sender saw `version`, nothing is written. Returns the recipient as it is now. @throws Failure `not_found`.
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

/** Whom a payment would go to. @throws Failure `name_not_confirmed` when the bank says that it is somebody else, until the sender confirms. */
export async function refuseUnconfirmedName(
  em: EntityManager,
  recipientId: string,
  asked: AskedAccount,
): Promise<void> {
  const check = await findNameCheck(em, recipientId, asked);
  if (check && needsConfirmation({ status: check.status, confirmed: check.confirmedAt != null })) {
    throw new Failure('name_not_confirmed', { name: asked.name, bankSays: check.bankSays ?? null });
  }
}
