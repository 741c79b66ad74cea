import { z } from 'zod';
import { transferStateNames } from '../../transfers/states.ts';
import { endpoint } from './endpoint.ts';
import { helpContactView } from './help.ts';
import { senderRoutes } from './sender-routes.ts';
import { acceptedTerms } from './transfers.ts';
import { amountText, currency, id, rateText, timestamp } from './values.ts';

/**
 * The receipt of a paid transfer, from what was stored when it was paid: what US Regulation E (12 CFR 1005.31) and PSD2 want
 * a sender to keep.
 */
export const receiptView = z.object({
  id,
  /** The transfer's reference (`core/transfers/reference.ts`): what the sender tells us when asking about it. */
  number: z.string(),
  paidAt: timestamp,
  /** When the bank confirmed the deposit; null for one that it returned. */
  completedAt: timestamp.nullable(),
  estimatedDelivery: timestamp,
  /** When the money was let go or had gone back; null while neither happened. */
  returnedAt: timestamp.nullable(),
  state: z.enum(transferStateNames),
  cancelRequested: z.boolean(),
  sender: z.object({ name: z.string(), email: z.string() }),
  /** Null while the sender has not chosen one. */
  recipient: z
    .object({ name: z.string(), ci: z.string(), phone: z.string(), city: z.string(), bankName: z.string() })
    .extend({ accountEnding: z.string() })
    .nullable(),
  currency,
  /** What is changed into bolivianos. */
  netAmount: amountText,
  fee: amountText,
  /** Always 0.00: the US excise on remittances (26 USC 4475) leaves card payments out. */
  taxes: amountText,
  /** Everything the card pays. */
  total: amountText,
  rate: rateText,
  /** By how much less than the market's reference we paid, in percent; null without a reference. */
  markupPercent: z.string().nullable(),
  bolivianos: amountText,
  /** What the sender accepted, where a better rate was applied; left out where it was not. */
  accepted: acceptedTerms.optional(),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  /** Of `returned`, what went back by bank transfer and not to the card; omitted when zero. */
  returnedByBank: amountText.optional(),
  /** Whether the card did not keep the refund and none is under way; omitted when not. */
  refundFailed: z.boolean().optional(),
  /** What has gone back to the sender, in `currency`, and what the bank gave back of the bolivianos it had paid. */
  returned: amountText,
  payoutReturned: amountText,
  /** What the family was paid a second time, in bolivianos, to correct what its sender reported; left out where it was not. */
  paidAgain: amountText.optional(),
  /** Bolivianos of a partial return that were paid to the family later; omitted when zero. */
  restPaid: amountText.optional(),
  /** The bank's number of that deposit. */
  payoutReference: z.string().nullable(),
  contact: helpContactView,
});
export type ReceiptView = z.infer<typeof receiptView>;

export const receiptEndpoints = {
  receipt: endpoint({
    ...senderRoutes.receipt,
    summary: 'Recibo de un envío propio ya pagado',
    access: 'sender',
    params: z.object({ id }),
    response: receiptView,
    failures: ['not_found'],
  }),
};
