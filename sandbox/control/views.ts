/** State as control pages and tests see it: without names, addresses, e-mails or accounts. */
import type Stripe from 'stripe';
import type { SandboxContext } from '../context.ts';
import { listDeliveries } from '../stripe/deliveries.ts';

export interface IntentView {
  id: string;
  amount: number;
  amountCapturable: number;
  amountReceived: number;
  amountRefunded: number;
  /** Whether a dispute or an inquiry was ever opened about it. */
  disputed: boolean;
  currency: string;
  status: string;
  captureMethod: string;
  /** Seconds since the epoch, sandbox time. */
  created: number;
  /** When the authorization expires, in seconds since the epoch; null when nothing is held. */
  captureBefore: number | null;
  card: { brand: string | null; last4: string | null } | null;
  lastError: { code: string | null; declineCode: string | null } | null;
  /** `metadata.transfer_id`, set by the product. */
  transferId: string | null;
  latestCharge: string | null;
  /** Of its charge, newest first. `operationId` is `metadata.operation_id`, set by the product. */
  refunds: { id: string; amount: number; status: string | null; operationId: string | null }[];
}

export function intentView(context: SandboxContext, intent: Stripe.PaymentIntent): IntentView {
  const { storage } = context;
  const charge = intent.latest_charge ? storage.find('charge', intent.latest_charge as string) : undefined;
  const card = charge?.payment_method_details?.card;
  const failure = intent.last_payment_error;
  return {
    id: intent.id,
    amount: intent.amount,
    amountCapturable: intent.amount_capturable,
    amountReceived: intent.amount_received,
    amountRefunded: charge?.amount_refunded ?? 0,
    disputed: charge?.disputed ?? false,
    currency: intent.currency,
    status: intent.status,
    captureMethod: intent.capture_method,
    created: intent.created,
    captureBefore: card?.capture_before ?? null,
    card: card ? { brand: card.brand, last4: card.last4 } : null,
    lastError: failure ? { code: failure.code ?? null, declineCode: failure.decline_code ?? null } : null,
    transferId: intent.metadata.transfer_id ?? intent.metadata.transferId ?? null,
    latestCharge: (intent.latest_charge as string | null) ?? null,
    refunds: storage.list('refund', { equal: { payment_intent: intent.id }, limit: 100 }).data.map((refund) => ({
      id: refund.id,
      amount: refund.amount,
      status: refund.status,
      operationId: refund.metadata?.operation_id ?? null,
    })),
  };
}

export interface EventView {
  id: string;
  type: string;
  created: number;
  /** Id of the object the event is about. */
  object: string;
  paymentIntent: string | null;
  deliveries: { id: string; endpoint: string; state: string; attempts: number; lastStatus: number | null }[];
}

export function eventView(context: SandboxContext, event: Stripe.Event): EventView {
  const object = event.data.object as { id?: string; object?: string; payment_intent?: string | null };
  return {
    id: event.id,
    type: event.type,
    created: event.created,
    object: object.id ?? '',
    paymentIntent: object.object === 'payment_intent' ? (object.id ?? null) : (object.payment_intent ?? null),
    deliveries: listDeliveries(context, { event: event.id }).map(({ id, endpoint, state, attempts, lastStatus }) => ({
      ...{ id, endpoint, state, attempts, lastStatus },
    })),
  };
}

export interface EndpointView {
  id: string;
  url: string;
  status: string;
  enabledEvents: string[];
}

export function endpointViews(context: SandboxContext): EndpointView[] {
  const { data } = context.storage.list('webhook_endpoint', { limit: 100 });
  return data.map(({ id, url, status, enabled_events }) => ({ id, url, status, enabledEvents: enabled_events }));
}

export function counts(context: SandboxContext): Record<string, number> {
  const rows = context.storage.all('SELECT kind AS name, count(*) AS n FROM objects GROUP BY kind');
  const deliveries = context.storage.all('SELECT state AS name, count(*) AS n FROM deliveries GROUP BY state');
  const payouts = context.storage.one('SELECT count(*) AS n FROM payouts');
  const mails = context.storage.one('SELECT count(*) AS n FROM mails');
  return Object.fromEntries([
    ...rows.map(({ name, n }) => [String(name), Number(n)]),
    ...deliveries.map(({ name, n }) => [`delivery_${String(name)}`, Number(n)]),
    ['payout', Number(payouts?.n ?? 0)],
    ['mail', Number(mails?.n ?? 0)],
  ]);
}
