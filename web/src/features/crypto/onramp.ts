import type { StripeOnramp } from '@stripe/crypto';
// Never the bare package: importing it would load Stripe's script at once, before we could say otherwise.
import { loadStripeOnramp } from '@stripe/crypto/pure.js';
import type { PaymentConfig } from '#core/contracts/http/payments';
import { insertScript } from '../../lib/provider-script.ts';

/**
 * Stripe's onramp in the browser. @throws Error when its script does not come. The package remembers a failed load for as
 * long as the page lives, hence trying again means loading the page again.
 */
export async function loadOnramp({ scriptUrl, publishableKey }: PaymentConfig): Promise<StripeOnramp> {
  if (scriptUrl && !('StripeOnramp' in window)) await insertScript(scriptUrl);
  const onramp = await loadStripeOnramp(publishableKey);
  if (!onramp) throw new Error('The onramp is not available');
  return onramp;
}
