import { z } from 'zod';
import { tiers } from '../../accounts/tiers.ts';
import { questionStatusNames } from '../../review/questions.ts';
import { rejectionCodes } from '../../review/rejection.ts';
import { refundChannels, refundStates } from '../../transfers/refund.ts';
import { transferStateNames, transferStatusNames } from '../../transfers/states.ts';
import { fieldSentences } from '../field-problems.ts';
import { line } from '../text.ts';
import { endpoint } from './endpoint.ts';
import { tierView } from './identity-views.ts';
import { senderRoutes } from './sender-routes.ts';
import { amountText, currency, id, pageOf, pageQuery, rateText, timestamp } from './values.ts';

const timelineStep = z.object({
  state: z.enum(transferStateNames),
  at: timestamp,
  /** Who moved it: sender, admin, payments, payouts or clock; never a person's name. */
  owner: z.string(),
});

/** Why an admin rejected a transfer. */
export const rejectionView = z.object({ code: z.enum(rejectionCodes), note: z.string().nullable() });

/** The terms accepted before a better rate was applied. */
export const acceptedTerms = z.object({ rate: rateText, bolivianos: amountText });
export type AcceptedTermsView = z.infer<typeof acceptedTerms>;

/** How far a refund is, and how the newest attempt returns the money. */
export const refundView = z.object({
  channel: z.enum(refundChannels),
  state: z.enum(refundStates),
  /** The part of the returned amount paid by bank transfer instead of to the card. */
  byBank: amountText,
  /** The bank's number of the transfer that paid it back, where it was one. */
  reference: z.string().nullable(),
});

/** A transfer as its sender sees it. A higher `version` replaces a lower one. */
export const transferView = z.object({
  id,
  version: z.int(),
  date: timestamp,
  /** The recipient's name; empty while the sender has not chosen one. */
  recipient: z.string(),
  recipientId: id.nullable(),
  bankName: z.string(),
  currency,
  amount: amountText,
  fee: amountText,
  netAmount: amountText,
  rate: rateText,
  bolivianos: amountText,
  /** The accepted terms, if a better rate from the approval applies instead; null otherwise. */
  accepted: acceptedTerms.nullable(),
  status: z.enum(transferStatusNames),
  state: z.enum(transferStateNames),
  paymentIntentId: z.string().nullable(),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  /** Until when the quote can be paid. */
  quoteExpiresAt: timestamp,
  estimatedDelivery: timestamp,
  /** The total returned to the sender, in `currency`. */
  returned: amountText,
  refund: refundView.nullable(),
  /** The bolivianos that the bank returned after paying: the family got the rest. */
  payoutReturned: amountText,
  /** Second payouts to resolve a complaint, in bolivianos. */
  paidAgain: amountText,
  /** Payouts to the family of the bolivianos that the bank had returned. */
  restPaid: amountText,
  /** Bolivianos returned by the bank whose share of the charge was refunded to the sender. */
  restRefunded: amountText,
  /** The destination of returned money that is on its way; null if none is. */
  restTo: z.enum(['family', 'sender']).nullable(),
  /** Reference the bank gave for the payout. */
  payoutReference: z.string().nullable(),
  /** Why it was rejected or failed, in Spanish; null otherwise. */
  reason: z.string().nullable(),
  /** The same as a code, if an admin rejected it with one, with their verbatim note: clients show their own text. */
  rejection: rejectionView.nullable(),
  /** Where the bank did not pay: until when another account may be named; then the money goes back. Null otherwise. */
  correctAccountBy: timestamp.nullable(),
  /** Whether its sender may cancel it now. */
  cancellable: z.boolean(),
  /** Until when; null while there is no such hour (nothing was decided yet), or when it cannot be cancelled. */
  cancellableUntil: timestamp.nullable(),
  /** The sender requested a cancellation after the approval. It is pending, was carried out, or came after the deposit. */
  cancelRequested: z.boolean(),
  /** Whether the cancellation still waits: for the card to be freed, or for the bank to say whether it deposited the money. */
  cancelPending: z.boolean(),
  /** When the card was held. */
  paidAt: timestamp.nullable(),
  /** When the family said that they have the money. */
  receivedAt: timestamp.nullable(),
  /** Before the decision: whether Chasqui asks its sender something, or all of it was answered; null otherwise. */
  questions: z.enum(questionStatusNames).nullable(),
  /** Before the decision: until when the card is held. Without a decision by then nothing is charged. */
  decideBy: timestamp.nullable(),
  timeline: z.array(timelineStep),
});
export type TransferView = z.infer<typeof transferView>;

export const dashboardView = z.object({
  /** The sender's remaining limit in this 30-day window, in USD. Chasqui keeps no customer balances. */
  balance: amountText,
  /** Sum of everything paid and not returned, in USD at each transfer's own rates. */
  totalSent: amountText,
  recipientCount: z.int(),
  transferCount: z.int(),
  monthLimit: amountText,
  /** The remaining and the total limit of 24 hours, in USD. */
  dayLeft: amountText,
  dayLimit: amountText,
  /** How well the sender is known, and what each tier allows. */
  tier: z.enum(tiers),
  tiers: z.array(tierView),
});
export type DashboardView = z.infer<typeof dashboardView>;

export const transferSearch = pageQuery.extend({
  /**
   * Part of a recipient's name, or any number of a transfer that pages show: reference, payment, bank reference, CI, account,
   * phone, card, amount, id. Admins also find by the sender's name and e-mail. Accents and capitals make no difference.
   */
  search: line(100).optional(),
  status: z.enum(transferStatusNames).optional(),
});

/** Which of a sender's own transfers. */
export const ownTransferSearch = transferSearch.extend({
  /** `under_way`: only those that are paid and have not ended. */
  progress: z.literal('under_way').optional(),
});

export const transferEndpoints = {
  dashboard: endpoint({
    ...senderRoutes.dashboard,
    summary: 'Resumen del remitente',
    access: 'sender',
    response: dashboardView,
  }),
  listTransfers: endpoint({
    ...senderRoutes.listTransfers,
    summary: 'Tus envíos, los más recientes primero',
    access: 'sender',
    query: ownTransferSearch,
    response: pageOf(transferView),
  }),
  getTransfer: endpoint({
    ...senderRoutes.getTransfer,
    summary: 'Un envío con su historia',
    access: 'sender',
    params: z.object({ id }),
    response: transferView,
    failures: ['not_found'],
  }),
  cancelTransfer: endpoint({
    ...senderRoutes.cancelTransfer,
    summary: 'Cancela un envío propio: siempre antes de la decisión, y 30 minutos desde el pago si no se depositó',
    access: 'sender',
    params: z.object({ id }),
    response: transferView,
    failures: [
      'not_found',
      'cancel_too_late',
      'already_deposited',
      'already_ended',
      'already_returning',
      'settlement_in_progress',
    ],
  }),
  assignRecipient: endpoint({
    ...senderRoutes.assignRecipient,
    summary: 'Elige quién recibe un envío que se pagó sin destinatario; después ya no cambia',
    access: 'sender',
    params: z.object({ id }),
    body: z.object({ recipientId: z.uuid(fieldSentences.recipient_missing).toLowerCase() }),
    response: transferView,
    failures: ['not_found', 'name_not_confirmed', 'second_factor_stale', 'recipient_not_open'],
  }),
};
