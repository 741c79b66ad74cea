import { z } from 'zod';

/**
 * What we ask the payout bank for. `externalId` is the transfer's id, with a number from its second payout on: the bank never
 * pays one twice.
 */
export const payoutRequest = z.object({
  externalId: z.string().regex(/^[0-9a-f-]{36}(-\d+)?$/),
  amount: z.string().regex(/^\d+\.\d{2}$/),
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

/** The bank's answer: paid with a reference, or rejected for good with a reason. */
export const payoutAnswer = z.object({
  id: z.string(),
  externalId: z.string(),
  status: z.enum(['paid', 'rejected']),
  reference: z.string().nullable(),
  rejection: z.object({ code: z.string(), message: z.string() }).nullable(),
  amount: z.string(),
  currency: z.literal('BOB'),
  createdAt: z.iso.datetime(),
});
export type PayoutAnswer = z.infer<typeof payoutAnswer>;
