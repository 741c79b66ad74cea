import type { EntityManager } from '#platform/database/database';
import { type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { ReviewAnswer, ReviewQuestion } from './question.entity.ts';

export type { ReviewQuestion } from './question.entity.ts';

/** A question with its answer, or null. */
export interface AnsweredQuestion {
  readonly question: ReviewQuestion;
  readonly answer: ReviewAnswer | null;
}

/** A page of the questions about a transfer, newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findQuestionPage(
  em: EntityManager,
  transferId: string,
  query: PageQuery,
): Promise<{ rows: AnsweredQuestion[]; nextCursor: string | null }> {
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  const { rows, nextCursor } = toPage(
    await em.findByCursor(ReviewQuestion, { where: { transferId }, orderBy, ...pageOptions(query, 'created') }),
  );
  const answers = await em.find(ReviewAnswer, { questionId: { $in: rows.map(({ id }) => id) } });
  const answerOf = new Map(answers.map((answer) => [answer.questionId, answer]));
  return { rows: rows.map((question) => ({ question, answer: answerOf.get(question.id) ?? null })), nextCursor };
}

/** The current question with its answer, or null. */
export async function findQuestion(em: EntityManager, id: string): Promise<AnsweredQuestion | null> {
  const question = await em.findOne(ReviewQuestion, { id });
  return question && { question, answer: await em.findOne(ReviewAnswer, { questionId: id }) };
}

/** The number of questions about a transfer. */
export function countQuestions(em: EntityManager, transferId: string): Promise<number> {
  return em.count(ReviewQuestion, { transferId });
}

/** Whether a transfer has a question without an answer. */
export async function hasOpenQuestion(em: EntityManager, transferId: string): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `select q.id from review_question as q left join review_answer as a on a.question_id = q.id
     where q.transfer_id = ? and a.question_id is null limit 1`,
    [transferId],
  );
  return rows.length > 0;
}

/** Inserts a question, in the transaction of `em`. */
export async function insertQuestion(em: EntityManager, question: ReviewQuestion): Promise<void> {
  await em.persist(em.create(ReviewQuestion, question)).flush();
}

/** Inserts an answer, in the transaction of `em`, which holds the lock of the transfer's row. */
export async function insertAnswer(em: EntityManager, answer: ReviewAnswer): Promise<ReviewAnswer> {
  const row = em.create(ReviewAnswer, answer);
  await em.persist(row).flush();
  return row;
}
