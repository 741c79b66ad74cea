import { z } from 'zod';
import { answerMax, questionCodes, questionMax } from '../../review/questions.ts';
import { fieldSentences } from '../field-problems.ts';
import { paragraph } from '../text.ts';
import { adminTransferView } from './admin.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { fileView } from './files.ts';
import { senderRoutes } from './sender-routes.ts';
import { transferView } from './transfers.ts';
import { id, pageOf, pageQuery, timestamp } from './values.ts';

/** A question about a transfer as its sender sees it: no admin's name. */
export const questionView = z.object({
  /** Files that the sender added to the answer. */
  files: z.array(fileView),
  id,
  asked_at: timestamp,
  /** A ready-made question; a client writes its sentence. Null where the admin wrote alone. */
  code: z.enum(questionCodes).nullable(),
  /** The admin's own text, verbatim; at least one of code and note is set. */
  note: z.string().nullable(),
  answer: z.object({ text: z.string(), at: timestamp }).nullable(),
});
export type QuestionView = z.infer<typeof questionView>;

/** The same as admins see it. */
export const adminQuestionView = questionView.extend({ asked_by: z.string() });
export type AdminQuestionView = z.infer<typeof adminQuestionView>;

const params = z.object({ id });

export const reviewQuestionEndpoints = {
  reviewQuestions: endpoint({
    ...adminRoutes.reviewQuestions,
    summary: 'Lo que se preguntó a quien envía, y sus respuestas; lo más reciente primero',
    access: 'admin',
    params,
    query: pageQuery,
    response: pageOf(adminQuestionView),
    failures: ['not_found'],
  }),
  askSender: endpoint({
    ...adminRoutes.askSender,
    summary: 'Pregunta a quien envía, mientras la transferencia espera una decisión; recibe un correo',
    access: 'admin',
    audit: 'sender_asked',
    params,
    body: z.object({
      /** Chosen by the client as an idempotency key for retries. */
      id: z.uuid().toLowerCase(),
      code: z.enum(questionCodes).optional(),
      /** Required without a code. */
      note: paragraph(questionMax).optional(),
    }),
    response: z.object({ transaction: adminTransferView, question: adminQuestionView }),
    failures: [
      'not_found',
      'own_transfer',
      'not_awaiting_decision',
      'claimed',
      'too_many_questions',
      'idempotency_key_reused',
    ],
  }),
  transferQuestions: endpoint({
    ...senderRoutes.transferQuestions,
    summary: 'Lo que Chasqui pregunta sobre un envío propio, y lo que se respondió; lo más reciente primero',
    access: 'sender',
    params,
    query: pageQuery,
    response: pageOf(questionView),
    failures: ['not_found'],
  }),
  answerQuestion: endpoint({
    ...senderRoutes.answerQuestion,
    summary: 'Responde una pregunta sobre un envío propio, una vez; la misma respuesta otra vez no cambia nada',
    access: 'sender',
    params: z.object({ id, questionId: id }),
    body: z.object({ text: paragraph(answerMax).min(1, fieldSentences.answer_required) }),
    response: z.object({ transaction: transferView, question: questionView }),
    failures: ['not_found', 'question_closed'],
  }),
};
