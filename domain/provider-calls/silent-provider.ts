import type { Provider } from '#core/operations/operation';
import { isSilence } from '#platform/stripe-errors';
import { BankUnavailableError } from '../providers/bank.ts';

/** The provider that an error shows as unavailable, or null for an error of the single request or of our own. */
export function unavailableProvider(error: unknown): Exclude<Provider, 'manual'> | null {
  if (error instanceof BankUnavailableError) return 'bank';
  return isSilence(error) ? 'stripe' : null;
}
