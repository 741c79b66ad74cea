import { z } from 'zod';
import { riskyLevels } from '../../review/card-risk.ts';
import { dayGroups } from '../../review/last-day.ts';
import { hitVerdicts, screenedSubjects, screeningStatusNames } from '../../review/screening.ts';
import { transferStateNames } from '../../transfers/states.ts';
import { line, paragraph } from '../text.ts';
import { adminTransferView } from './admin.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { amountText, currency, id, pageOf, pageQuery, timestamp } from './values.ts';

const severity = z.enum(['info', 'warning', 'serious']);
const reason = <const Code extends string, Shape extends z.ZodRawShape>(code: Code, shape: Shape) =>
  z.object({ code: z.literal(code), severity, ...shape });
const count = z.int().positive();

const accountName = { typed: z.string(), bank_says: z.string().nullable(), confirmed: z.boolean() };

/** Why a person should look twice before approving; amounts in US dollars. The rules are in `core/review/reasons.ts`. */
export const reviewReason = z.discriminatedUnion('code', [
  /** The card's bank reports the payment as fraud. */
  reason('fraud_warning', {}),
  /** Other transfers of the sender with the same amount to the same account, and minutes between this one and the nearest of them. */
  reason('repeated', { count, minutes: count }),
  reason('first_transfer', {}),
  reason('new_account', {}),
  /** People who paid to the same account in 30 days. */
  reason('shared_account', { senders: count }),
  /** In 24 hours. */
  reason('many_transfers', { count, usd: amountText }),
  /** In seven days, and in a usual week of the sender. */
  reason('unusual_sum', { usd: amountText, usual_usd: amountText }),
  reason('just_under_limit', { limit: z.enum(['transfer', 'day', 'month']), usd: amountText, limit_usd: amountText }),
  /**
   * Several in 24 hours by one sender, to one account or from one browser, each below the reporting threshold but not
   * together.
   */
  reason('split_amounts', { by: z.enum(dayGroups), count, usd: amountText, threshold_usd: amountText }),
  reason('card_country', { card: z.string(), profile: z.string() }),
  /** Stripe Radar's level of the charge, and its score from 0 to 100. */
  reason('card_risk', { level: z.enum(riskyLevels), score: z.number().nullable() }),
  /** People are to look at the payment at Stripe's dashboard, whatever its level. */
  reason('card_review', {}),
  /** Other accounts that paid with the same card, and how many of them admins have blocked. */
  reason('shared_card', { accounts: count, blocked: z.int() }),
  /** From a certain amount on: a browser that is new to the account pays to a bank account that is new to it. */
  reason('new_device', { usd: amountText, threshold_usd: amountText }),
  /** The sender's attempts that were declined in 24 hours, and how many cards they were made with. */
  reason('declined_cards', { count, cards: z.int() }),
  /** The bank's answer about the account's name; `confirmed`: the sender confirmed the typed one. */
  reason('account_name', accountName),
  reason('account_name_alike', accountName),
  /** Names that the lists may fail to recognise: another alphabet, digits or symbols, or several names joined. */
  reason('unclear_name', { names: z.array(z.string()) }),
  reason('screening_hit', {}),
  reason('screening_blocked', {}),
  reason('screening_pending', {}),
  reason('screening_unavailable', {}),
  reason('not_screened', {}),
]);
export type ReviewReason = z.infer<typeof reviewReason>;

const screeningHit = z.object({
  subject: z.enum(screenedSubjects),
  name: z.string(),
  source: z.string(),
  source_id: z.string(),
  listed_name: z.string(),
  programs: z.array(z.string()),
  /** How like the names are, from 0 to 1. */
  score: z.number(),
  verdict: z.enum(hitVerdicts).nullable(),
  /** A person said so about an earlier transfer with the same name. */
  remembered: z.boolean(),
});

/** What helps to decide about a transfer whose card is held. */
export const reviewView = z.object({
  /** The transfer's. */
  id,
  /** Of the review, not of the transfer; a higher one replaces a lower one. */
  version: z.int(),
  reasons: z.array(reviewReason),
  screening: z.object({
    status: z.enum(screeningStatusNames),
    attempts: z.int(),
    next_attempt_at: timestamp.nullable(),
    checked_at: timestamp.nullable(),
    hits: z.array(screeningHit),
    /** The last verdict on the hits or the missing answer, with author and reason. */
    note: z.string().nullable(),
    noted_by: z.string().nullable(),
  }),
  /** The admin who claimed the transfer and when the claim expires; null if unclaimed. */
  claim: z.object({ by: z.string(), by_id: id, until: timestamp }).nullable(),
  /** Whether two persons have to approve it, and the first who did. */
  needs_second: z.boolean(),
  approval: z.object({ id, by: z.string(), by_id: id, at: timestamp }).nullable(),
  /** What Stripe takes of the charge at most, by our price list, in the sending currency; null without a list. */
  processor_fee: amountText.nullable(),
  /** Transfers that share the account, the card, or sender and amount, the newest first. */
  similar: z.array(
    z.object({
      id,
      date: timestamp,
      user: z.string(),
      recipient: z.string(),
      currency,
      amount: amountText,
      state: z.enum(transferStateNames),
      same: z.array(z.enum(['account', 'card', 'amount'])),
    }),
  ),
});
export type ReviewView = z.infer<typeof reviewView>;

const params = z.object({ id });
const answer = z.object({ review: reviewView });

export const reviewEndpoints = {
  reviews: endpoint({
    ...adminRoutes.reviews,
    summary: 'Lo que espera una decisión, lo que vence antes primero, con lo que ayuda a decidir',
    access: 'admin',
    query: pageQuery,
    response: pageOf(z.object({ transaction: adminTransferView, review: reviewView })),
  }),
  review: endpoint({
    ...adminRoutes.review,
    summary: 'Lo que ayuda a decidir sobre una transferencia',
    access: 'admin',
    params,
    response: answer,
    failures: ['not_found'],
  }),
  claimReview: endpoint({
    ...adminRoutes.claimReview,
    summary: 'Toma una transferencia para decidir, por diez minutos desde lo último que se hizo, o la deja',
    access: 'admin',
    audit: 'review_claimed',
    params,
    body: z.object({ mine: z.boolean() }),
    response: answer,
    failures: ['not_found', 'own_transfer', 'not_awaiting_decision', 'claimed'],
  }),
  decideScreening: endpoint({
    ...adminRoutes.decideScreening,
    summary:
      'Lo que una persona dice del control de listas: si el nombre es el de la lista, que lo comprobó, o que se repita',
    access: 'admin',
    audit: 'screening_decided',
    params,
    body: z.object({
      /**
       * `checked`: the service is unavailable and the lists were checked by other means. `again`: retry the service.
       */
      verdict: z.enum([...hitVerdicts, 'checked', 'again']),
      /** The hit that is spoken of, where it is one. */
      subject: z.enum(screenedSubjects).optional(),
      source: line(60).optional(),
      source_id: line(60).optional(),
      /** Required but for `again`. */
      note: paragraph(500).optional(),
    }),
    response: answer,
    failures: ['not_found', 'own_transfer', 'not_awaiting_decision', 'screening_decided'],
  }),
};
