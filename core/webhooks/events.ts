import { hourMs, secondMs } from '../time/time.ts';
import type { TransferState } from '../transfers/states.ts';

/** The event types sent to receivers, named after the state that the transfer reached. */
export const webhookEventTypes = [
  'transfer.held',
  'transfer.approved',
  'transfer.charged',
  'transfer.completed',
  'transfer.payout_failed',
  'transfer.rejected',
  'transfer.cancelled',
  'transfer.failed',
  'transfer.expired',
  'transfer.refunding',
  'transfer.refunded',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The event of a state. A transfer that waits for its payment is nothing to tell of. */
export const eventOfState: Readonly<Record<TransferState, WebhookEventType | null>> = {
  awaiting_payment: null,
  in_review: 'transfer.held',
  approved: 'transfer.approved',
  captured: 'transfer.charged',
  payout_failed: 'transfer.payout_failed',
  completed: 'transfer.completed',
  rejected: 'transfer.rejected',
  cancelled: 'transfer.cancelled',
  failed: 'transfer.failed',
  expired: 'transfer.expired',
  refunding: 'transfer.refunding',
  refunded: 'transfer.refunded',
};

/** Version of the payload's format; added fields do not change it. */
export const webhookVersion = '2026-12-27';

/** The header that signs a body: `t=<seconds>,v1=<hex>`, with a `v1` for each secret that is valid. */
export const signatureHeader = 'chasqui-signature';

/** How long a delivery is tried, in ms. */
export const deliveryMs = 72 * hourMs;
/** An endpoint that took nothing for so long (ms) when a delivery ends is switched off. */
export const maxFailingMs = 48 * hourMs;
/** How long the previous secret remains valid for signing, in ms. */
export const overlapMs = 24 * hourMs;
/** Maximum number of endpoints. */
export const maxEndpoints = 20;

const firstMs = 30 * secondMs;
const longestMs = 8 * hourMs;

/**
 * When a delivery is retried after `attempts` attempts. The back-off doubles from half a minute to eight hours, and the
 * last attempt is at the deadline. Null after the deadline.
 */
export function nextAttemptAt({
  attempts,
  at,
  expiresAt,
}: {
  attempts: number;
  at: Date;
  expiresAt: Date;
}): Date | null {
  if (at >= expiresAt) return null;
  const pause = Math.min(longestMs, firstMs * 2 ** Math.min(attempts - 1, 20));
  return new Date(Math.min(at.getTime() + pause, expiresAt.getTime()));
}

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'stopped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why an attempt failed: an answer other than 2xx, none in time, no connection, or an address that is not public. */
export const deliveryErrors = ['status', 'timeout', 'connection', 'address'] as const;
export type DeliveryError = (typeof deliveryErrors)[number];
