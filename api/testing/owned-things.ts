import { randomBytes, randomUUID } from 'node:crypto';
import { deviceOf } from '#core/accounts/device';
import { hourMs } from '#core/time/time';
import { attachToAnswer, attachToComplaint } from '#domain/complaint-handling/attach-file';
import { reportComplaint } from '#domain/complaint-handling/report';
import { ComplaintLetter } from '#domain/complaints/complaint.entity';
import { answerQuestion, askSender } from '#domain/review/questions';
import { WebauthnCredential } from '#domain/sign-in/second-factor.entity';
import { openSession } from '#domain/sign-in/session.repository';
import type { Database } from '#platform/database/database';
import type { EndpointName } from '../../infra/testing/authorisation/matrix.ts';
import { openTestReminder, testTarget, transferIn } from '../../testing/transfers.ts';
import { type Ids, requestFixtures } from './request-fixtures.ts';
import { testPassword } from './test-api.ts';

/** One id of every kind of thing a person can own, in addition to those in the sample requests. */
export interface OwnedThings {
  readonly ids: Ids;
  readonly paidId: string;
  readonly inReviewId: string;
  readonly openQuestionId: string;
  readonly complaintId: string;
  readonly letterId: string;
  readonly fileId: string;
  readonly reminderId: string;
  /** The next day of the repeating transfer. */
  readonly nextDay: string;
  readonly sessionId: string;
  readonly passkeyId: string;
}

const pdf = (text: string) => ({
  name: `${text}.pdf`,
  type: 'application/pdf' as const,
  bytes: Buffer.from(`%PDF ${text}`),
});

/** Creates one thing of every kind for a sender with a recipient. Every text field contains `text`. */
export async function ownEverything(
  database: Database,
  { ids, userId, adminId, text }: { ids: Ids; userId: string; adminId: string; text: string },
): Promise<OwnedThings> {
  const at = new Date();
  const recipient = { id: ids.recipientId, target: { ...testTarget, name: text, address: text } };
  const { id: paidId } = await transferIn(database, 'completed', { userId, recipient });
  const { id: inReviewId } = await transferIn(database, 'in_review', { userId, recipient });
  const ask = async () => {
    const question = { id: randomUUID(), transferId: inReviewId, adminId, code: null, note: text, at };
    return (await askSender(database, question)).question.id;
  };
  const answered = await ask();
  await attachToAnswer(database, { userId, transferId: inReviewId, questionId: answered, file: pdf(text), at });
  await answerQuestion(database, { userId, transferId: inReviewId, questionId: answered, text, at });
  const openQuestionId = await ask();
  const report = { userId, transferId: paidId, reason: 'late', wants: 'refund', description: text, at } as const;
  const { id: complaintId } = await reportComplaint(database, report);
  const [file] = await attachToComplaint(database, { userId, complaintId, file: pdf(text), at });
  const em = database.fork();
  const letter = await em.findOneOrFail(ComplaintLetter, { complaintId });
  const reminder = { userId, recipientId: ids.recipientId };
  const [reminderId, session] = await database.transaction(async (each) => {
    const secret = randomBytes(32).toString('base64url');
    const opened = {
      device: deviceOf(undefined),
      userId,
      secret,
      at,
      expiresAt: new Date(at.getTime() + hourMs),
      factorAt: null,
    };
    return [await openTestReminder(each, reminder), openSession(each, opened)] as const;
  });
  const [plan] = await em.execute<{ day: string }[]>('select next_day::text as day from repeat_plan where id = ?', [
    ids.repeatId,
  ]);
  const passkeyId = randomUUID();
  await em.insert(WebauthnCredential, {
    ...{ id: passkeyId, userId, credentialId: passkeyId, publicKey: Buffer.from([0]), counter: 0, transports: [] },
    ...{ name: text, createdAt: at, lastUsedAt: null },
  });
  return {
    ...{
      ids,
      paidId,
      inReviewId,
      openQuestionId,
      complaintId,
      letterId: letter.id,
      fileId: file?.id ?? '',
      reminderId,
    },
    ...{ nextDay: plan?.day ?? '', sessionId: session.id, passkeyId },
  };
}

interface NamedThings {
  readonly params?: Record<string, string>;
  readonly body?: Record<string, unknown>;
}

/** Calls that the samples make about nothing that exists, or about a transfer that is not paid. */
const ownedCalls: Partial<Record<EndpointName, (owned: OwnedThings) => NamedThings>> = {
  endSession: ({ sessionId }) => ({ params: { id: sessionId } }),
  removePasskey: ({ passkeyId }) => ({ params: { id: passkeyId }, body: { password: testPassword } }),
  createTrackingLink: ({ paidId }) => ({ params: { id: paidId } }),
  receipt: ({ paidId }) => ({ params: { id: paidId } }),
  receiptPdf: ({ paidId }) => ({ params: { id: paidId } }),
  getReminder: ({ reminderId }) => ({ params: { id: reminderId } }),
  answerQuestion: ({ inReviewId, openQuestionId }) => ({ params: { id: inReviewId, questionId: openQuestionId } }),
  attachToAnswer: ({ inReviewId, openQuestionId }) => ({ params: { id: inReviewId, questionId: openQuestionId } }),
  attachToComplaint: ({ complaintId }) => ({ params: { id: complaintId } }),
  ownFile: ({ fileId }) => ({ params: { id: fileId } }),
  withdrawComplaint: ({ complaintId }) => ({ params: { id: complaintId } }),
  letterPdf: ({ letterId }) => ({ params: { id: letterId } }),
  transferComplaints: ({ paidId }) => ({ params: { id: paidId } }),
  reportComplaint: ({ paidId }) => ({ params: { id: paidId } }),
  skipRepeat: ({ ids, nextDay }) => ({ params: { id: ids.repeatId }, body: { period: nextDay } }),
  createPaymentIntent: ({ ids, reminderId }) => ({
    body: { amount: '10', currency: 'eur', recipientId: ids.recipientId, reminderId },
  }),
  createDemoPayment: ({ ids, reminderId }) => ({
    body: { amount: '10', currency: 'eur', recipientId: ids.recipientId, reminderId },
  }),
};

/** The sample of a call with things that a person really has. */
export function callOf(name: EndpointName, owned: OwnedThings): NamedThings {
  const { params, body } = requestFixtures[name];
  const sample = { ...(params && { params: params(owned.ids) }), ...(body && { body: body(owned.ids) }) };
  return { ...sample, ...ownedCalls[name]?.(owned) };
}
