import { z } from 'zod';
import { fieldSentences } from '../field-problems.ts';
import { paragraph } from '../text.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { amountText, timestamp } from './values.ts';

/** A dispute of a card payment, as the operations desk shows it. */
export const disputeView = z.object({
  /** Stripe's id. */
  id: z.string(),
  /** Stripe's status (`core/operations/dispute.ts`). */
  status: z.string(),
  /** Stripe's reason, such as `fraudulent`. */
  reason: z.string(),
  amount: amountText,
  currency: z.enum(['EUR', 'USD']),
  evidence_due_by: timestamp.nullable(),
  submitted_at: timestamp.nullable(),
  /** The admin's text to the card's bank. */
  response_text: z.string().nullable(),
  /** Whether evidence can be handed in. */
  can_respond: z.boolean(),
});
export type DisputeView = z.infer<typeof disputeView>;

const params = z.object({ id: z.string().regex(/^d[pu]_[A-Za-z0-9]{8,60}$/) });

export const disputeEndpoints = {
  respondToDispute: endpoint({
    ...adminRoutes.respondToDispute,
    summary: 'Entrega las pruebas contra una disputa, con un texto propio; se puede una sola vez',
    access: 'admin',
    audit: 'dispute_answered',
    params,
    body: z.object({ text: paragraph(10_000).min(1, fieldSentences.answer_required) }),
    response: z.object({ dispute: disputeView }),
    failures: ['not_found', 'own_transfer', 'action_not_possible'],
  }),
  disputeEvidence: endpoint({
    ...adminRoutes.disputeEvidence,
    summary: 'Las pruebas contra una disputa como se entregarían ahora, como archivo para descargar',
    access: 'admin',
    audit: 'file_read',
    params,
    answersFile: true,
    status: 200,
    failures: ['not_found'],
  }),
};
