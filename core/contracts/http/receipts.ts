import { z } from 'zod';
import { transferStateNames } from '../../transfers/states.ts';
import { endpoint } from './endpoint.ts';
import { helpContactView } from './help.ts';
import { senderRoutes } from './sender-routes.ts';
import { acceptedTerms } from './transfers.ts';
import { amountText, currency, id, rateText, timestamp } from './values.ts';

/**
 * The receipt of a paid transfer, from what was stored when it was paid: the record that US Regulation E (12 CFR
 * 1005.31) and PSD2 require for the sender.
 */
export const receiptView = z.object({
  id,
  /** The transfer's reference (`core/transfers/reference.ts`): the number that the sender quotes in questions. */
  number: z.string(),
  paidAt: timestamp,
  /** When the bank confirmed the deposit; null for one that it returned. */
  completedAt: timestamp.nullable(),
  estimatedDelivery: timestamp,
  /** When the money was released or refunded; null before that. */
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
  /** The amount exchanged into bolivianos. */
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
  /** The accepted terms, if a better rate was applied; otherwise omitted. */
  accepted: acceptedTerms.optional(),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  /** Of `returned`, what went back by bank transfer and not to the card; omitted when zero. */
  returnedByBank: amountText.optional(),
  /** Whether the refund to the card failed and no other is under way; omitted if not. */
  refundFailed: z.boolean().optional(),
  /** The total returned to the sender, in `currency`, and the bolivianos that the bank returned after paying. */
  returned: amountText,
  payoutReturned: amountText,
  /** Second payouts to resolve a complaint, in bolivianos; omitted without any. */
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
