/** Disputes as objects: what they consist of, and what of their evidence may be set. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call } from '../context.ts';
import { newId } from '../ids.ts';
import { emptyable, text } from '../server/parameters.ts';

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

export type EvidenceChange = Partial<Record<EvidenceField, string | null>>;

export const evidenceParameters: z.ZodType<EvidenceChange> = z
  .strictObject(Object.fromEntries(EVIDENCE_FIELDS.map((field) => [field, emptyable(text(FIELD_MAX)).optional()])))
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

/** A dispute of a charge as it begins; not stored. An inquiry takes no funds yet. */
export function buildDispute(
  call: Call,
  charge: Stripe.Charge,
  { amount, reason, inquiry }: { amount: number; reason: string; inquiry: boolean },
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
      due_by: created + RESPONSE_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent as string | null,
    payment_method_details: {
      card: {
        brand: card?.brand ?? 'unknown',
        case_type: inquiry ? 'inquiry' : 'chargeback',
        network: card?.network ?? 'unknown',
        network_reason_code: NETWORK_CODES[reason] ?? null,
      },
      type: 'card',
    },
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  };
}

/** Whether it is an inquiry still: the bank asks, and no money has moved. */
export function isInquiry(dispute: Stripe.Dispute): boolean {
  return dispute.status.startsWith('warning_');
}

/** Whether the cardholder's bank has decided, or the merchant has given in. */
export function isClosed(dispute: Stripe.Dispute): boolean {
  return ['won', 'lost', 'warning_closed', 'prevented'].includes(dispute.status);
}
