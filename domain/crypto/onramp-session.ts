import type { Stripe } from 'stripe';
import { z } from 'zod';

/**
 * Stripe's crypto onramp, which its SDK has no types for: `/v1/crypto/onramp_sessions`, in public preview. Covers only
 * the fields we read; the status stays a string, because Stripe may add statuses.
 */
const onrampSession = z.object({
  id: z.string().regex(/^cos_\w{1,200}$/),
  status: z.string(),
  client_secret: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  transaction_details: z
    .object({
      source_amount: z.string().nullish(),
      destination_amount: z.string().nullish(),
      destination_currency: z.string().nullish(),
      destination_network: z.string().nullish(),
      wallet_address: z.string().nullish(),
      transaction_id: z.string().nullish(),
      fees: z
        .object({ network_fee_amount: z.string().nullish(), transaction_fee_amount: z.string().nullish() })
        .nullish(),
    })
    .nullish(),
});
export type OnrampSession = z.infer<typeof onrampSession>;

const path = '/v1/crypto/onramp_sessions';

/**
 * Creates a session, or returns the one created under this idempotency key.
 * @throws a StripeError; ZodError for another shape.
 */
export async function createOnrampSession(
  stripe: Stripe,
  params: Record<string, unknown>,
  idempotencyKey: string,
): Promise<OnrampSession> {
  return onrampSession.parse(await stripe.rawRequest('POST', path, params, { idempotencyKey }));
}

/** Reads the current session from Stripe. @throws a StripeError; ZodError for another shape. */
export async function readOnrampSession(stripe: Stripe, sessionId: string): Promise<OnrampSession> {
  return onrampSession.parse(await stripe.rawRequest('GET', `${path}/${encodeURIComponent(sessionId)}`));
}
