/** What a reviewer can ask the sender of a transfer in one press; each reader gets it in their own language. */
export const questionCodes = [
  'purpose',
  'relation',
  'funds_origin',
  'card_owner',
  'recipient_identity',
  'sender_identity',
  'duplicate',
] as const;
export type QuestionCode = (typeof questionCodes)[number];

/** The status of the questions about a transfer; null without questions. */
export const questionStatusNames = ['waiting', 'answered'] as const;

/** Most characters of a question that a person writes, and of an answer. */
export const questionMax = 500;
export const answerMax = 1000;

/** Maximum number of questions about one transfer. */
export const questionsMax = 10;
