import { ownAddress, paths } from '../../lib/paths.ts';

/** What a payment's status means to the person who comes back from it (specification, section 4). */
export type ReturnOutcome = 'succeeded' | 'processing' | 'failed' | 'wrong';

export function outcomeOf(status: string): ReturnOutcome {
  if (status === 'succeeded') return 'succeeded';
  if (status === 'processing' || status === 'requires_action') return 'processing';
  if (status === 'requires_payment_method' || status === 'requires_confirmation') return 'failed';
  return 'wrong';
}

/** What the provider's return address says, without the secret in it: which payment, and the page that began it. */
export interface ReturnAddress {
  readonly paymentIntentId: string | null;
  readonly from: string | null;
}

/** Reads the address that the provider sent somebody to. A payment may be named by its id or by its client secret. */
export function readReturnAddress(search: URLSearchParams): ReturnAddress {
  const named = search.get('payment_intent') ?? search.get('payment_intent_client_secret')?.split('_secret_')[0] ?? '';
  const paymentIntentId = /^pi_[A-Za-z0-9]{1,100}$/.test(named) ? named : null;
  return { paymentIntentId, from: ownAddress(search.get('from')) };
}

/** The same page without the client secret, which belongs neither in the history nor in the login page's address. */
export function withoutSecret({ paymentIntentId, from }: ReturnAddress): string {
  const search = new URLSearchParams();
  if (paymentIntentId) search.set('payment_intent', paymentIntentId);
  if (from) search.set('from', from);
  return search.size > 0 ? `${paths.paymentSuccess}?${search}` : paths.paymentSuccess;
}
