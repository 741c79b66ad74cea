/** Dispute objects: their fields, and the settable fields of their evidence. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call } from '../context.ts';
import { newId } from '../ids.ts';
import { missingObject } from '../server/errors.ts';
import { emptyable, listOf, text } from '../server/parameters.ts';

/**
 * How the bank decides: `escalated` makes an inquiry a chargeback, `expired` is the end of the time for an answer, `appealable` offers an appeal
 * against a lost dispute, `appealed` turns a lost dispute into a won one at once.
 */
export const DECISIONS = ['won', 'lost', 'escalated', 'expired', 'appealable', 'appealed'] as const;
export type Decision = (typeof DECISIONS)[number];

/** How long the merchant has for the evidence. */
export const RESPONSE_SECONDS = 14 * 86_400;

/** Evidence that is the id of an uploaded file. */
export const FILE_FIELDS = [
  ...(['cancellation_policy', 'customer_communication', 'customer_signature', 'receipt', 'refund_policy'] as const),
  ...(['duplicate_charge_documentation', 'service_documentation', 'shipping_documentation'] as const),
  'uncategorized_file',
] as const;

const TEXT_FIELDS = [
  ...(['access_activity_log', 'billing_address', 'cancellation_policy_disclosure', 'cancellation_rebuttal'] as const),
  ...(['customer_email_address', 'customer_name', 'customer_purchase_ip', 'duplicate_charge_explanation'] as const),
  ...(['duplicate_charge_id', 'product_description', 'refund_policy_disclosure', 'service_date'] as const),
  ...(['refund_refusal_explanation', 'shipping_address', 'shipping_carrier', 'shipping_date'] as const),
  ...(['shipping_tracking_number', 'uncategorized_text'] as const),
] as const;

type EvidenceField = (typeof FILE_FIELDS)[number] | (typeof TEXT_FIELDS)[number];
const EVIDENCE_FIELDS: readonly EvidenceField[] = [...FILE_FIELDS, ...TEXT_FIELDS];

/** Longest text of one field; all of them together may have 150,000 characters. */
const FIELD_MAX = 20_000;

const appealParameters = z.strictObject({
  card: emptyable(
    z.strictObject({
      reason_for_filing: emptyable(text(FIELD_MAX)).optional(),
      supporting_files: emptyable(listOf(text(), 20)).optional(),
    }),
  ).optional(),
});
export type AppealChange = z.infer<typeof appealParameters>;

export type EvidenceChange = Partial<Record<EvidenceField, string | null>> & { appeal?: AppealChange | null };

export const evidenceParameters: z.ZodType<EvidenceChange> = z
  .strictObject({
    ...Object.fromEntries(EVIDENCE_FIELDS.map((field) => [field, emptyable(text(FIELD_MAX)).optional()])),
    appeal: emptyable(appealParameters).optional(),
  })
  .transform((evidence) => evidence as EvidenceChange);

function withoutEvidence(): Stripe.Dispute.Evidence {
  const fields = Object.fromEntries(EVIDENCE_FIELDS.map((field) => [field, null])) as Record<EvidenceField, null>;
  return { ...fields, enhanced_evidence: {} };
}

/** Reason codes of Visa for the reasons that the test cards and the control page use. */
const NETWORK_CODES: Record<string, string> = {
  fraudulent: '10.4',
  product_not_received: '13.1',
  unrecognized: '10.4',
  duplicate: '12.6',
};

export interface OpeningOptions {
  /** Minor units. */
  amount: number;
  reason?: string | undefined;
  /** The bank only asks. */
  inquiry?: boolean | undefined;
  /**
   * It never becomes a chargeback, for accounts enrolled in Stripe's dispute prevention: a `resolution` gives the amount back to the
   * cardholder, a `block` moves nothing. https://docs.stripe.com/changelog/basil/2025-08-27/add-preventions-to-dispute
   */
  prevented?: 'resolution' | 'block' | undefined;
}

/** A dispute of a charge as it begins; not stored, and without its movements. */
export function buildDispute(
  call: Call,
  charge: Stripe.Charge,
  { amount, reason = 'fraudulent', inquiry = false, prevented }: OpeningOptions,
): Stripe.Dispute {
  const created = call.context.clock.seconds();
  const card = charge.payment_method_details?.card;
  return {
    id: newId('du_1'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: withoutEvidence(),
    evidence_details: {
      due_by: prevented ? null : created + RESPONSE_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry || prevented === 'block',
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent as string | null,
    payment_method_details: {
      card: {
        brand: card?.brand ?? 'unknown',
        case_type: prevented ?? (inquiry ? 'inquiry' : 'chargeback'),
        network: card?.network ?? 'unknown',
        network_reason_code: NETWORK_CODES[reason] ?? null,
      },
      type: 'card',
    },
    reason,
    status: prevented ? 'prevented' : inquiry ? 'warning_needs_response' : 'needs_response',
  };
}

/** @throws StripeError if it does not exist. */
export function retrieveDispute(call: Call, id: string): Stripe.Dispute {
  const dispute = call.context.storage.find('dispute', id);
  if (!dispute) throw missingObject('dispute', id);
  return dispute;
}

/** Whether it is an inquiry still: the bank asks, and no money has moved. */
export function isInquiry(dispute: Stripe.Dispute): boolean {
  return dispute.status.startsWith('warning_');
}

/** Whether nothing is left to decide, unless an appeal begins. */
export function isClosed({ status }: Pick<Stripe.Dispute, 'status'>): boolean {
  return ['won', 'lost', 'warning_closed', 'prevented'].includes(status);
}
