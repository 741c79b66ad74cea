import { z } from 'zod';
import { revealReasons } from '../../accounts/admin-roles.ts';
import { questionStatusNames } from '../../review/questions.ts';
import { rejectionCodes } from '../../review/rejection.ts';
import { transferStateNames, transferStatusNames } from '../../transfers/states.ts';
import { fieldSentences } from '../field-problems.ts';
import { adminTransferViews } from '../page-addresses.ts';
import { line, paragraph } from '../text.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { acceptedTerms, refundView, rejectionView, transferSearch } from './transfers.ts';
import { amountInput, amountText, currency, id, pageOf, rateText, timestamp } from './values.ts';

const stripeWord = z.string().nullable();

/** A transfer as admins see it, with the specification's field names (section 3) and what a decision needs. */
export const adminTransferView = z.object({
  id,
  version: z.int(),
  date: timestamp,
  /** Who sends it: an admin never decides about a transfer of their own. */
  user_id: id,
  user: z.string(),
  user_email: z.string(),
  /** Whether an admin keeps who sends it out now. */
  user_blocked: z.boolean(),
  recipient: z.string(),
  recipient_id: id.nullable(),
  /** Of the numbers only their ends (`revealNumber`). */
  recipient_details: z.object({
    bank_name: z.string(),
    bank_account: z.string(),
    city: z.string(),
    phone: z.string(),
    address: z.string(),
    ci: z.string(),
  }),
  payment_id: z.string().nullable(),
  payment_method: z.string(),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  currency,
  amount: amountText,
  fee: amountText,
  net_amount: amountText,
  rate: rateText,
  amount_usd: amountText,
  amount_bs: amountText,
  /** The accepted terms, if a better rate was applied with the approval. */
  accepted: acceptedTerms.nullable(),
  /** Whether the approval applies a rate that is better for the recipient than the accepted one. */
  takes_better_rate: z.boolean(),
  /** By how much our rate lay below the market's reference, two decimals; null when none was known. */
  markup_percent: z.string().nullable(),
  /** The exchange margin in the sending currency, without the fee. */
  margin: amountText.nullable(),
  status: z.enum(transferStatusNames),
  state: z.enum(transferStateNames),
  /** Until when Stripe holds the money; null before payment. */
  capture_before: timestamp.nullable(),
  /** The fraud type reported by the card's bank (Stripe's `fraud_type`), or null. */
  fraud_warning: z.string().nullable(),
  /** What Stripe Radar says of the charge (`core/review/card-risk.ts`); null before payment. */
  card_risk: z
    .object({
      ...{ level: stripeWord, score: z.number().nullable(), network: stripeWord, reason: stripeWord },
      ...{ message: stripeWord, rule: stripeWord, review: stripeWord },
    })
    .nullable(),
  /** Where the bank did not pay: until when the sender may name another account; then the money goes back. */
  correct_account_by: timestamp.nullable(),
  decided_at: timestamp.nullable(),
  decided_by: z.string().nullable(),
  reason: z.string().nullable(),
  /** The same by its code, where it was rejected with one. */
  rejection: rejectionView.nullable(),
  payout_reference: z.string().nullable(),
  /** Whether the sender requested a cancellation after the approval. */
  cancel_requested: z.boolean(),
  /** The newest attempt to return money to the sender; null where there was none. */
  refund: refundView.nullable(),
  /** The total returned to the sender, in `currency`. */
  returned: amountText,
  /** The bolivianos that the bank returned after paying. */
  payout_returned: amountText,
  /** Second payouts to the family at our expense, in bolivianos. */
  paid_again: amountText,
  /** Of the bolivianos returned by the bank: paid to the family, refunded to the sender, and kept to cover a loss. */
  rest_paid: amountText,
  rest_refunded: amountText,
  rest_kept: amountText,
  /** Before the decision: whether the sender still has questions to answer; null without questions. */
  questions: z.enum(questionStatusNames).nullable(),
  timeline: z.array(z.object({ state: z.enum(transferStateNames), at: timestamp, owner: z.string() })),
});
export type AdminTransferView = z.infer<typeof adminTransferView>;

const day = z.iso.date().regex(/^20/).meta({ description: 'Día de La Paz, "2026-11-21"', example: '2026-11-21' });

/** Which transfers admins want to see. All conditions hold together. */
export const adminTransferSearch = transferSearch
  .extend({
    view: z.enum(adminTransferViews).optional(),
    /** Opened from this day on. */
    from: day.optional(),
    /** Opened up to this day, the day included. */
    to: day.optional(),
    currency: currency.optional(),
    /** The least that is paid, in the currency of each transfer. */
    least: amountInput.optional(),
    /** The most that is paid. */
    most: amountInput.optional(),
    /** The bank or wallet as the recipient has it. */
    bank: line(100).optional(),
    /** Who sends. */
    sender: id.optional(),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ['to'], error: fieldSentences.days_reversed })
  .refine(({ least, most }) => !least || !most || least <= most, {
    path: ['most'],
    error: fieldSentences.amounts_reversed,
  });

/** Volumes in USD over days and months of La Paz; trends compare with the day or month before, null when that was empty. */
export const adminStats = z.object({
  dailyVolume: amountText,
  monthlyVolume: amountText,
  /** Change in percent with one decimal, "12.5" or "-3.0". */
  dailyTrend: z.string().nullable(),
  monthlyTrend: z.string().nullable(),
  pendingTransactions: z.int(),
  completedTransactions: z.int(),
  rejectedTransactions: z.int(),
  totalUsers: z.int(),
  /** Senders who paid a transfer in the last 30 days. */
  activeUsers: z.int(),
  /** How many transfers each view of the list has. */
  views: z.record(z.enum(adminTransferViews), z.int()),
});
export type AdminStats = z.infer<typeof adminStats>;

const params = z.object({ id });
const decision = z.object({ transaction: adminTransferView });

export const adminEndpoints = {
  adminTransfers: endpoint({
    ...adminRoutes.adminTransfers,
    summary: 'Todas las transferencias, las más recientes primero',
    access: 'admin',
    query: adminTransferSearch,
    response: pageOf(adminTransferView),
  }),
  adminStats: endpoint({
    ...adminRoutes.adminStats,
    summary: 'Cifras del día y del mes',
    access: 'admin',
    response: adminStats,
  }),
  approve: endpoint({
    ...adminRoutes.approve,
    summary:
      'Aprueba una transferencia en revisión; desde cierto monto la primera aprobación espera a una segunda persona',
    access: 'admin',
    freshFactor: true,
    audit: 'transfer_approved',
    params,
    body: z
      .object({
        /** The first approval that the admin saw when they gave theirs; null: they saw none. */
        approval_request_id: id.nullable().optional(),
      })
      .default({}),
    response: decision,
    failures: [
      'not_found',
      'own_transfer',
      'already_decided',
      'not_awaiting_decision',
      'recipient_missing',
      'claimed',
      'screening_needed',
      'transfer_held',
      'own_request',
      'role_too_new',
      'approval_changed',
    ],
  }),
  revealNumber: endpoint({
    ...adminRoutes.revealNumber,
    summary: 'Muestra un número de quien recibe, que en todo lo demás solo se ve en parte; queda en la auditoría',
    access: 'admin',
    freshFactor: true,
    audit: 'personal_data_revealed',
    params,
    body: z.object({ field: z.enum(['ci', 'bank_account', 'phone']), reason: z.enum(revealReasons) }),
    response: z.object({ value: z.string() }),
    failures: ['not_found'],
  }),
  reject: endpoint({
    ...adminRoutes.reject,
    summary: 'Rechaza una transferencia en revisión; la tarjeta no se cobra',
    access: 'admin',
    freshFactor: true,
    audit: 'transfer_rejected',
    params,
    body: z
      .object({
        /** Free text, as the sender reads it; a code comes before it. */
        reason: paragraph(300).optional(),
        code: z.enum(rejectionCodes).optional(),
        /** Shown to the sender together with the text of the code. */
        note: paragraph(300).optional(),
      })
      .default({}),
    response: decision,
    failures: ['not_found', 'own_transfer', 'already_decided', 'not_awaiting_decision', 'claimed'],
  }),
  refresh: endpoint({
    ...adminRoutes.refresh,
    summary: 'Vuelve a leer de Stripe todas las transferencias abiertas y a consultar las fuentes de tasas',
    access: 'admin',
    audit: 'payments_refreshed',
    response: z.object({
      success: z.literal(true),
      /** Open transfers that are read again. */
      count: z.int(),
      /** Not within a minute of the last time. */
      sourcesAsked: z.boolean(),
      /** The same as a Spanish sentence. */
      message: z.string(),
    }),
    failures: ['too_many_requests'],
  }),
};
