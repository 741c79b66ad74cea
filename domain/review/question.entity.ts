import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { questionCodes } from '#core/review/questions';

/** A question by an admin to the sender of a transfer; immutable. */
export const ReviewQuestion = defineEntity({
  name: 'ReviewQuestion',
  tableName: 'review_question',
  properties: {
    /** Chosen by the admin's browser, so that a repeated request creates it once. */
    id: p.uuid().primary(),
    transferId: p.uuid(),
    code: p.enum(questionCodes).nullable(),
    note: p.text().nullable(),
    askedById: p.uuid(),
    createdAt: p.datetime(),
  },
  indexes: [{ name: 'review_question_transfer_id_created_at_id', properties: ['transferId', 'createdAt', 'id'] }],
});
export type ReviewQuestion = InferEntity<typeof ReviewQuestion>;

/** The sender's answer, one per question; immutable. */
export const ReviewAnswer = defineEntity({
  name: 'ReviewAnswer',
  tableName: 'review_answer',
  properties: { questionId: p.uuid().primary(), text: p.text(), createdAt: p.datetime() },
});
export type ReviewAnswer = InferEntity<typeof ReviewAnswer>;
