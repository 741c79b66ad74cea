import { z } from 'zod';

/** The transfer's id, with a number from its second payout on: the bank never pays one twice. */
const externalId = z.string().regex(/^[0-9a-f-]{36}(-\d+)?$/);
const amount = z.string().regex(/^\d+\.\d{2}$/);

/** A payout order to the bank. */
export const payoutRequest = z.object({
  externalId,
  amount,
  currency: z.literal('BOB'),
  beneficiary: z.object({
    name: z.string(),
    ci: z.string(),
    bankName: z.string(),
    bankAccount: z.string(),
    phone: z.string(),
    city: z.string(),
  }),
});
export type PayoutRequest = z.infer<typeof payoutRequest>;

const answerFields = {
  id: z.string().min(1).max(200),
  externalId: z.string().max(200),
  amount: z.string().max(40),
  /** What of a paid one came back later. */
  returnedAmount: amount.default('0.00'),
  currency: z.literal('BOB'),
  createdAt: z.iso.datetime(),
};

/**
 * The bank's answer: paid with a reference, rejected for good with a reason, or accepted without a result yet, which comes minutes to days
 * later. Anything of another shape is not the bank's answer and says nothing about the payout.
 */
export const payoutAnswer = z.discriminatedUnion('status', [
  z.object({ ...answerFields, status: z.literal('paid'), reference: z.string().min(1).max(200), rejection: z.null() }),
  z.object({
    ...answerFields,
    status: z.literal('rejected'),
    reference: z.null(),
    rejection: z.object({ code: z.string().max(200), message: z.string().max(2000) }),
  }),
  z.object({ ...answerFields, status: z.literal('pending'), reference: z.null(), rejection: z.null() }),
]);
export type PayoutAnswer = z.infer<typeof payoutAnswer>;

/** A payment that came back to the bank days later, whole or in part. One payment may come back in several parts. */
export const payoutReturn = z.object({
  id: z.string().min(1).max(200),
  externalId: z.string().max(200),
  /** The bank's number of the payment. */
  reference: z.string().max(200),
  /** How much came back. */
  amount,
  currency: z.literal('BOB'),
  code: z.string().max(200),
  message: z.string().max(2000),
  createdAt: z.iso.datetime(),
});
export type PayoutReturn = z.infer<typeof payoutReturn>;

/**
 * A page of returns, oldest first; the next page follows the id of the last one. Each is read on its own (`payoutReturn`), so that one
 * that cannot be read does not keep the others.
 */
export const payoutReturnPage = z.object({ data: z.array(z.unknown()), hasMore: z.boolean() });
export type PayoutReturnPage = z.infer<typeof payoutReturnPage>;

/** Request to the payout bank for the name of an account's holder, made before anything is paid to it. */
export const nameInquiry = z.object({ name: z.string(), bankName: z.string(), bankAccount: z.string() });
export type NameInquiry = z.infer<typeof nameInquiry>;

/**
 * The bank's answer. `holder`: it says whose the account is and leaves comparing the names to us. With the others `holder` is the name as far as
 * the bank shows it, which may be masked; `not_supported`: the bank of the account does not say.
 */
export const nameInquiryAnswer = z.discriminatedUnion('result', [
  z.object({ result: z.literal('holder'), holder: z.string().min(1).max(300) }),
  z.object({ result: z.enum(['match', 'close_match', 'no_match']), holder: z.string().max(300).nullable() }),
  z.object({ result: z.literal('not_supported') }),
]);
export type NameInquiryAnswer = z.infer<typeof nameInquiryAnswer>;
