import { Stripe } from 'stripe';
import type { StripeConfiguration } from './configuration/variables.ts';

/**
 * The Stripe client of api and worker. Timeouts (ms) are shorter than people wait; the SDK repeats a call with its
 * own idempotency key, so a repeat never does the thing twice.
 */
export function createStripe(env: StripeConfiguration): Stripe {
  const options = { maxNetworkRetries: 2, timeout: 15_000, telemetry: false, appInfo: { name: 'chasqui' } };
  if (!env.apiUrl) return new Stripe(env.secretKey, options);
  const { protocol, hostname, port } = new URL(env.apiUrl);
  return new Stripe(env.secretKey, {
    ...options,
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
  });
}
