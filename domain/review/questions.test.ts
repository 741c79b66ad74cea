import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { questionsMax } from '#core/review/questions';
import { hourMs, minuteMs } from '#core/time/time';
import { createTestUser } from '../../testing/accounts.ts';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { makeMove, openTestTransfer, testMoment } from '../../testing/transfers.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { claimReview } from './claim.ts';
import { decide } from './decide.ts';
import { answerQuestion, askSender, listOwnQuestions, listQuestions } from './questions.ts';

const fixture = useTransferFixture();
const policy = {
  limits: { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n },
  ...{ screens: false, screeningWaitMs: 0, twoPersonsUsdMinor: 200_000n, newDeviceUsdMinor: 50_000n, prices: null },
  rates: { everyMs: 7_200_000, pauseAfterMs: 86_400_000 },
};
const captureBefore = new Date(testMoment.getTime() + 24 * hourMs);
const at = new Date(testMoment.getTime() + minuteMs);

let ana: string;
let luis: string;
/** A transfer of the fixture's sender that awaits a decision. */
let id: string;

beforeAll(async () => {
  ana = (await createTestUser(fixture.database, { role: 'admin', name: 'Ana' })).id;
  luis = (await createTestUser(fixture.database, { role: 'admin', name: 'Luis' })).id;
});
beforeEach(async () => {
  id = await inReview();
});

async function inReview(): Promise<string> {
  const { id } = await fixture.database.transaction(async (em) => openTestTransfer(em, { userId: fixture.userId }));
  await makeMove(fixture.database, id, 'hold', { paidAt: testMoment, captureBefore });
  return id;
}

type Question = Partial<Parameters<typeof askSender>[1]>;
const ask = (question: Question = {}) =>
  askSender(fixture.database, {
    ...{ transferId: id, adminId: ana, id: randomUUID(), code: 'purpose', note: null, at },
    ...question,
  });
const answer = (questionId: string, text = 'El alquiler', userId = fixture.userId) =>
  answerQuestion(fixture.database, { userId, transferId: id, questionId, text, at });
const reject = () =>
  decide(fixture.database, { transferId: id, decision: 'reject', adminId: ana, reason: null, at }, policy);
const own = (page: { limit: number; cursor?: string } = { limit: 10 }) =>
  listOwnQuestions(fixture.database.fork(), { userId: fixture.userId, transferId: id }, page);
const emailsOf = async (kind: string) => (await fixture.everythingOf(id)).emails.filter((one) => one.kind === kind);

test('a question marks the transfer as waiting, its sender gets one e-mail with the end of the authorization, and its author gets the answer', async () => {
  const { transaction, question } = await ask({ note: 'Falta el contrato' });
  expect(transaction).toMatchObject({ questions: 'waiting', capture_before: captureBefore.toISOString() });
  expect(question).toMatchObject({ code: 'purpose', note: 'Falta el contrato', asked_by: 'Ana', answer: null });
  const { transfer } = await fixture.everythingOf(id);
  const seen = await toTransferView(fixture.database.fork(), transfer, at);
  expect(seen).toMatchObject({ questions: 'waiting', decideBy: captureBefore.toISOString(), state: 'in_review' });
  const data = { code: 'purpose', note: 'Falta el contrato', answerBy: captureBefore.toISOString() };
  expect(await emailsOf('transfer_question')).toMatchObject([{ userId: fixture.userId, data }]);

  const answered = await answer(question.id, 'El alquiler de mi madre');
  expect(answered.transaction).toMatchObject({ questions: 'answered', decideBy: captureBefore.toISOString() });
  const { items } = await listQuestions(fixture.database.fork(), id, { limit: 10 });
  expect(items).toEqual([
    { ...question, answer: { text: 'El alquiler de mi madre', at: at.toISOString() }, asked_by: 'Ana' },
  ]);
  expect(await emailsOf('question_answered')).toMatchObject([{ userId: ana }]);
  expect((await own()).items).toEqual([answered.question]);
  expect(answered.question).not.toHaveProperty('asked_by');
  const { steps, outbox } = await fixture.everythingOf(id);
  expect(steps.slice(-2)).toMatchObject([
    { move: 'ask_sender', owner: 'admin', actorId: ana },
    { move: 'answer_question', owner: 'sender', actorId: fixture.userId },
  ]);
  expect(outbox.filter(({ name }) => name === 'transfer-changed').length).toBeGreaterThan(1);
});

test('a question or an answer that is sent again, even concurrently, is stored once', async () => {
  const one = { id: randomUUID() };
  await Promise.all([ask(one), ask(one), ask(one)]);
  await ask(one);
  expect((await own()).items).toHaveLength(1);
  expect(await emailsOf('transfer_question')).toHaveLength(1);
  for (const other of [{ code: 'duplicate' }, { note: 'más' }, { adminId: luis }] as const)
    await expect(ask({ ...one, ...other })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  await Promise.all([answer(one.id), answer(one.id), answer(one.id)]);
  expect(await emailsOf('question_answered')).toHaveLength(1);
  await expect(answer(one.id, 'Otra cosa')).rejects.toMatchObject({
    code: 'question_closed',
    details: { transaction: { questions: 'answered' } },
  });
});

test('a transfer with two questions waits until both are answered', async () => {
  const first = await ask();
  const second = await ask({ code: null, note: '¿Quién es Rosa?' });
  expect((await answer(first.question.id)).transaction.questions).toBe('waiting');
  expect((await answer(second.question.id)).transaction.questions).toBe('answered');
});

test('rejects questions about an admin’s own, a claimed or a decided transfer, and empty questions', async () => {
  await expect(ask({ code: null })).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(ask({ adminId: fixture.userId })).rejects.toMatchObject({ code: 'own_transfer' });
  await expect(ask({ transferId: randomUUID() })).rejects.toMatchObject({ code: 'not_found' });
  await claimReview(fixture.database, { transferId: id, adminId: luis, mine: true, at }, policy);
  await expect(ask()).rejects.toMatchObject({ code: 'claimed', details: { claimedBy: 'Luis' } });
  await ask({ adminId: luis });
  await claimReview(fixture.database, { transferId: id, adminId: luis, mine: false, at }, policy);
  await reject();
  await expect(ask()).rejects.toMatchObject({ code: 'not_awaiting_decision' });
});

test('only the sender can answer a question about the transfer, until the decision', async () => {
  const { question } = await ask();
  const stranger = (await createTestUser(fixture.database)).id;
  await expect(answer(question.id, 'Yo', stranger)).rejects.toMatchObject({ code: 'not_found' });
  await expect(
    listOwnQuestions(fixture.database.fork(), { userId: stranger, transferId: id }, { limit: 1 }),
  ).rejects.toMatchObject({ code: 'not_found' });
  const questioned = id;
  id = await inReview();
  await expect(answer(question.id)).rejects.toMatchObject({ code: 'not_found' });
  id = questioned;
  await reject();
  await expect(answer(question.id)).rejects.toMatchObject({
    code: 'question_closed',
    details: { transaction: { questions: null, decideBy: null } },
  });
});

test('questions are paged, newest first, up to the maximum per transfer', async () => {
  for (let count = 0; count < questionsMax; count++) {
    await ask({ note: String(count), at: new Date(at.getTime() + count) });
  }
  await expect(ask()).rejects.toMatchObject({ code: 'too_many_questions', details: { most: questionsMax } });
  const first = await own({ limit: 6 });
  const rest = await own({ limit: 6, cursor: first.nextCursor ?? '' });
  expect([...first.items, ...rest.items].map(({ note }) => note)).toEqual(
    Array.from({ length: questionsMax }, (_, index) => String(questionsMax - 1 - index)),
  );
  expect(rest.nextCursor).toBeNull();
});

test('the database keeps questions and answers immutable', async () => {
  const { question } = await ask();
  await answer(question.id);
  const em = fixture.database.fork();
  for (const statement of [
    `update review_question set note = 'x' where id = '${question.id}'`,
    `delete from review_answer where question_id = '${question.id}'`,
  ])
    await expect(em.execute(statement)).rejects.toThrow();
});
