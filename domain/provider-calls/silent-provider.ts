import type { Provider } from '#core/operations/operation';
import { isSilence } from '#platform/stripe-errors';
import { BankUnavailableError } from '../providers/bank.ts';

/** The provider that an error says is not to be used now, or null for an error that is about the request alone or our own. */
export function silentProvider(error: unknown): Exclude<Provider, 'manual'> | null {
  if (error instanceof BankUnavailableError) return 'bank';
  return isSilence(error) ? 'stripe' : null;
}
