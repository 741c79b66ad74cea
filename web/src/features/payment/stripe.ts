import type { Stripe } from '@stripe/stripe-js';
// Never the bare package: importing it would load Stripe.js from Stripe at once, before we could say otherwise.
import { loadStripe } from '@stripe/stripe-js/pure/index.js';
import type { PaymentConfig } from '#core/contracts/http/payments';
import { insertScript } from '../../lib/provider-script.ts';

let loading: Promise<Stripe> | null = null;

/** Stripe's browser object, loaded once. @throws Error when the script does not come; the next call tries again. */
export function loadCardProvider(config: PaymentConfig): Promise<Stripe> {
  loading ??= load(config).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load({ scriptUrl, publishableKey }: PaymentConfig): Promise<Stripe> {
  if (scriptUrl && !('Stripe' in window)) await insertScript(scriptUrl);
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('Stripe.js is not available');
  return stripe;
}
