/** Permissions of restricted keys, by resource. https://docs.stripe.com/keys/restricted-api-keys */
import { z } from 'zod';
import type { Call } from '../context.ts';
import { StripeError } from '../server/errors.ts';
import type { Kind } from '../storage.ts';

/**
 * Resources by the first part of a path. Charges and refunds are one resource, and balance transactions are called "balance transaction
 * sources", as in Stripe's dashboard.
 */
const BY_PATH = {
  payment_intents: 'payment_intent',
  charges: 'charge',
  refunds: 'charge',
  disputes: 'dispute',
  radar: 'early_fraud_warning',
  reviews: 'review',
  files: 'file',
  events: 'event',
  webhook_endpoints: 'webhook',
  payment_methods: 'payment_method',
  customers: 'customer',
  crypto: 'crypto_onramp',
  balance: 'balance',
  balance_transactions: 'balance_transaction_source',
  payouts: 'payout',
} as const;
export type Resource = (typeof BY_PATH)[keyof typeof BY_PATH];

/** Objects that other objects can be expanded to. */
const BY_KIND: Partial<Record<Kind, Resource>> = {
  payment_intent: 'payment_intent',
  charge: 'charge',
  refund: 'charge',
  dispute: 'dispute',
  review: 'review',
  payment_method: 'payment_method',
  customer: 'customer',
  balance_transaction: 'balance_transaction_source',
  payout: 'payout',
};

export const permissionsSchema = z.partialRecord(z.enum(Object.values(BY_PATH)), z.enum(['read', 'write']));

/** The resource of a route, by its path below `/v1`. */
export function resourceOf(path: string): Resource {
  const first = path.split('/')[1] as keyof typeof BY_PATH;
  return BY_PATH[first];
}

/** @throws StripeError 403 when a restricted key lacks the permission. */
export function checkPermission({ permissions }: Call, resource: Resource, level: 'read' | 'write'): void {
  const held = permissions?.[resource];
  if (!permissions || held === 'write' || held === level) return;
  const message = `The provided key does not have the required permissions for this endpoint on account 'acct_1Sandbox'. Having the 'rak_${resource}_${level}' permission would allow this request to continue.`;
  throw new StripeError(403, 'invalid_request_error', message);
}

/** The same for an object that another one is expanded to. */
export function checkExpansion(call: Call, kind: Kind): void {
  const resource = BY_KIND[kind];
  if (resource) checkPermission(call, resource, 'read');
}
