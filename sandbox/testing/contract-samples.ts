/** Which types of the SDK answers and events of Stripe's API must have. */
import type { Sample } from './type-check.ts';

/** Kinds of objects by their names in Stripe's API. */
export const TYPES: Record<string, string> = {
  payment_intent: 'Stripe.PaymentIntent',
  charge: 'Stripe.Charge',
  refund: 'Stripe.Refund',
  dispute: 'Stripe.Dispute',
  'radar.early_fraud_warning': 'Stripe.Radar.EarlyFraudWarning',
  review: 'Stripe.Review',
  file: 'Stripe.File',
  payment_method: 'Stripe.PaymentMethod',
  customer: 'Stripe.Customer',
  webhook_endpoint: 'Stripe.WebhookEndpoint',
  balance: 'Stripe.Balance',
  balance_transaction: 'Stripe.BalanceTransaction',
  payout: 'Stripe.Payout',
};
const DELETED: Record<string, string> = {
  customer: 'Stripe.DeletedCustomer',
  webhook_endpoint: 'Stripe.DeletedWebhookEndpoint',
};
// Codes are those that the SDK lists, and one of its changelog.
const ERROR_BODY = `{ error: {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'; message: string;
  code?: Stripe.PaymentIntent.LastPaymentError.Code | 'payment_method_types_no_longer_supported';
  decline_code?: string; advice_code?: string; network_decline_code?: string; param?: string; doc_url?: string;
  charge?: string; payment_intent?: Stripe.PaymentIntent; payment_method?: Stripe.PaymentMethod } }`;

export interface ApiObject {
  object?: string;
  type?: string;
  deleted?: boolean;
  error?: unknown;
  data?: unknown;
}

/** An answer or event of Stripe's API as samples; a list is its envelope and each of its items. */
export function samplesOf(value: ApiObject): Sample[] {
  if (value.error) return [{ type: ERROR_BODY, value }];
  if (value.object === 'list') {
    const data = value.data as ApiObject[];
    const envelope = {
      type: "{ object: 'list'; data: []; has_more: boolean; url: string }",
      value: { ...value, data: [] },
    };
    return [envelope, ...data.flatMap(samplesOf)];
  }
  if (value.object === 'event') {
    return [{ type: `Extract<Stripe.Event, { type: ${JSON.stringify(value.type)} }>`, value }];
  }
  const type = (value.deleted ? DELETED : TYPES)[value.object ?? ''];
  if (!type) throw new Error(`The sandbox returned an object without a type: ${JSON.stringify(value).slice(0, 200)}`);
  return [{ type, value }];
}
