import { Stripe } from 'stripe';
import type { Provider } from '#core/operations/operation';
import { BankUnavailableError } from '../payouts/bank.ts';

const silenceOfStripe = [
  Stripe.errors.StripeConnectionError,
  Stripe.errors.StripeAPIError,
  Stripe.errors.StripeRateLimitError,
  // With a wrong key everything fails, so that it is like an outage.
  Stripe.errors.StripeAuthenticationError,
  Stripe.errors.StripePermissionError,
];

/** The provider that an error says is not to be used now, or null for an error that says nothing about one: it is our own. */
export function silentProvider(error: unknown): Exclude<Provider, 'manual'> | null {
  if (error instanceof BankUnavailableError) return 'bank';
  return silenceOfStripe.some((type) => error instanceof type) ? 'stripe' : null;
}
