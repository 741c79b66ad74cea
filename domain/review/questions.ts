import { Failure } from '#core/contracts/failures';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { AdminQuestionView, QuestionView } from '#core/contracts/http/review-questions';
import type { TransferView } from '#core/contracts/http/transfers';
import { invalidInput } from '#core/contracts/invalid-input';
import { formatMinor } from '#core/money/money';
import { type QuestionCode, questionsMax } from '#core/review/questions';
import { Database, type EntityManager } from '#platform/database/database';
import type { PageQuery } from '#platform/database/pages';
import { findAdmins, findUsersById } from '../accounts/account.repository.ts';
import { findAttachments } from '../attachments/attachment.repository.ts';
import { nothingToAudit, writeAudit } from '../audit/audit.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import { toAdminTransferView, toTransferView } from '../transfer-views/transfer-views.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import { findOwnTransfer, findTransfer, lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { refuseClaimed } from './claim.ts';
import {
  type AnsweredQuestion,
  countQuestions,
  findQuestion,
  findQuestionPage,
  hasOpenQuestion,
  insertAnswer,
  insertQuestion,
  type ReviewQuestion,
} from './question.repository.ts';
import { findReview } from './review.repository.ts';
import { lockForReview } from './reviews.ts';

/**
 * A page of the questions about a transfer, for admins.
 * @throws Failure `not_found`, `invalid_input` for a foreign cursor.
 */
export async function listQuestions(
  em: EntityManager,
  transferId: string,
  query: PageQuery,
): Promise<{ items: AdminQuestionView[]; nextCursor: string | null }> {
  if (!(await findTransfer(em, transferId))) throw new Failure('not_found');
  const { rows, nextCursor } = await findQuestionPage(em, transferId, query);
  return { items: await toAdminQuestionViews(em, rows), nextCursor };
}

/**
 * `listQuestions` for the transfer's sender.
 * @throws Failure `not_found` (also for another user's transfer), `invalid_input` for a foreign cursor.
 */
export async function listOwnQuestions(
  em: EntityManager,
  { userId, transferId }: { userId: string; transferId: string },
  query: PageQuery,
): Promise<{ items: QuestionView[]; nextCursor: string | null }> {
  await findOwnTransfer(em, userId, transferId);
  const { rows, nextCursor } = await findQuestionPage(em, transferId, query);
  return { items: await toQuestionViews(em, rows), nextCursor };
}

interface NewQuestion {
  readonly transferId: string;
  readonly adminId: string;
  /** Chosen by the browser. */
  readonly id: string;
  readonly code: QuestionCode | null;
  readonly note: string | null;
  readonly at: Date;
}

/**
 * Asks the sender of a transfer that awaits a decision a question, and e-mails them. The deadline of the authorization
 * does not change. Repeating it with the same id changes nothing.
 * @throws Failure `not_found`, `own_transfer`, `not_awaiting_decision`, `claimed` by a colleague, `too_many_questions`,
 * `idempotency_key_reused`, `invalid_input` for an empty question.
 */
export async function askSender(
  database: Database,
  { transferId, adminId, id, code, note, at }: NewQuestion,
): Promise<{ transaction: AdminTransferView; question: AdminQuestionView }> {
  if (!code && !note) throw invalidInput({ note: 'note_required' });
  return database.transaction(async (em) => {
    const earlier = await findQuestion(em, id);
    if (earlier && !isSame(earlier.question, { transferId, adminId, code, note }))
      throw new Failure('idempotency_key_reused');
    if (earlier) {
      nothingToAudit('sender_asked');
      return shownToAdmin(em, earlier, await mustFind(em, transferId));
    }
    const locked = await lockForReview(em, transferId, adminId);
    await refuseClaimed(em, await findReview(em, transferId), { adminId, at });
    // A concurrent identical call was first.
    const first = await findQuestion(em, id);
    if (first) {
      nothingToAudit('sender_asked');
      return shownToAdmin(em, first, locked);
    }
    if ((await countQuestions(em, transferId)) >= questionsMax)
      throw new Failure('too_many_questions', { most: questionsMax });
    const question = { id, transferId, code, note, askedById: adminId, createdAt: at };
    await insertQuestion(em, question);
    await writeAudit(em, 'sender_asked', { subject: transferId, detail: { questionId: id, code } });
    const step = { name: 'ask_sender', owner: 'admin', actorId: adminId, at } as const;
    const waiting = (await changeWithinState(em, locked, { questionStatus: 'waiting' }, step)) ?? locked;
    const until = locked.captureBefore?.toISOString() ?? null;
    await addEmail(em, {
      ...{ kind: 'transfer_question', key: `transfer_question-${id}`, at, userId: locked.userId },
      data: { ...aboutTransfer(locked), code, note, answerBy: until },
    });
    await em.flush();
    return shownToAdmin(em, { question, answer: null }, waiting);
  });
}

function isSame(known: ReviewQuestion, question: Omit<NewQuestion, 'id' | 'at'>): boolean {
  const { transferId, adminId, code, note } = question;
  const same = known.transferId === transferId && known.askedById === adminId;
  return same && (known.code ?? null) === code && (known.note ?? null) === note;
}

/**
 * Records the sender's answer to a question about a transfer that awaits a decision, and notifies admins; the
 * question's author also by e-mail. Repeating the same answer changes nothing.
 * @throws Failure `not_found` (also for another user's transfer or question), and `question_closed` with the current
 * transfer when the question has another answer or the transfer was decided.
 */
export async function answerQuestion(
  database: Database,
  input: { userId: string; transferId: string; questionId: string; text: string; at: Date },
): Promise<{ transaction: TransferView; question: QuestionView }> {
  const { userId, transferId, questionId, text, at } = input;
  return database.transaction(async (em) => {
    await findOwnTransfer(em, userId, transferId);
    const locked = await lockTransfer(em, transferId);
    const known = await findQuestion(em, questionId);
    if (!locked || known?.question.transferId !== transferId) throw new Failure('not_found');
    const { question } = known;
    if (known.answer?.text === text)
      return { transaction: await toTransferView(em, locked, at), question: await shownToSender(em, known) };
    if (known.answer || locked.state !== 'in_review')
      throw new Failure('question_closed', { transaction: await toTransferView(em, locked, at) });
    const answer = await insertAnswer(em, { questionId, text, createdAt: at });
    const questionStatus = (await hasOpenQuestion(em, transferId)) ? 'waiting' : 'answered';
    const step = { name: 'answer_question', owner: 'sender', actorId: userId, at } as const;
    const answered = (await changeWithinState(em, locked, { questionStatus }, step)) ?? locked;
    await emailAnswered(em, locked, question, at);
    await em.flush();
    return {
      transaction: await toTransferView(em, answered, at),
      question: await shownToSender(em, { question, answer }),
    };
  });
}

/**
 * E-mails the question's author, or all admins if the author no longer is one. The answer itself is only shown on the
 * page.
 */
async function emailAnswered(
  em: EntityManager,
  transfer: Transfer,
  { id, askedById }: ReviewQuestion,
  at: Date,
): Promise<void> {
  const admins = await findAdmins(em);
  const asker = admins.filter((admin) => admin.id === askedById);
  const data = { ...aboutTransfer(transfer), decideBy: transfer.captureBefore?.toISOString() ?? null };
  for (const { id: userId } of asker.length > 0 ? asker : admins)
    await addEmail(em, { kind: 'question_answered', key: `question_answered-${id}-${userId}`, at, userId, data });
}

function aboutTransfer({ id: transferId, amountMinor, currency }: Transfer) {
  return { transferId, amount: formatMinor(amountMinor), currency };
}

async function mustFind(em: EntityManager, transferId: string): Promise<Transfer> {
  const transfer = await findTransfer(em, transferId);
  if (!transfer) throw new Failure('not_found');
  return transfer;
}

async function shownToAdmin(em: EntityManager, one: AnsweredQuestion, transfer: Transfer) {
  const [question] = await toAdminQuestionViews(em, [one]);
  return { transaction: await toAdminTransferView(em, transfer), question: question as AdminQuestionView };
}

async function toAdminQuestionViews(
  em: EntityManager,
  rows: readonly AnsweredQuestion[],
): Promise<AdminQuestionView[]> {
  const people = await findUsersById(em, [...new Set(rows.map(({ question }) => question.askedById))]);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const views = await toQuestionViews(em, rows);
  return views.map((view, index) => ({ ...view, asked_by: names.get(rows[index]?.question.askedById ?? '') ?? '' }));
}

async function shownToSender(em: EntityManager, one: AnsweredQuestion): Promise<QuestionView> {
  const [view] = await toQuestionViews(em, [one]);
  return view as QuestionView;
}

/** Questions with their answers and their files; one query for all files. */
async function toQuestionViews(em: EntityManager, rows: readonly AnsweredQuestion[]): Promise<QuestionView[]> {
  const ids = rows.map(({ question }) => question.id);
  const files = await findAttachments(em, 'questionId', ids);
  return rows.map(({ question: { id, code, note, createdAt }, answer }) => ({
    ...{ id, asked_at: createdAt.toISOString(), code: code ?? null, note: note ?? null },
    answer: answer && { text: answer.text, at: answer.createdAt.toISOString() },
    files: files.get(id) ?? [],
  }));
}
