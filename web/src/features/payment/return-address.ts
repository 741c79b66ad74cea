import { useState } from 'react';
import { useLocation } from 'react-router';
import { ownAddress, paths } from '../../lib/paths.ts';
import { tabStore } from '../../lib/storage.ts';

/** What a payment's status means to the person who comes back from it (specification, section 4). */
export type ReturnOutcome = 'succeeded' | 'processing' | 'failed' | 'wrong';

export function outcomeOf(status: string): ReturnOutcome {
  if (status === 'succeeded') return 'succeeded';
  if (status === 'processing' || status === 'requires_action') return 'processing';
  if (status === 'requires_payment_method' || status === 'requires_confirmation') return 'failed';
  return 'wrong';
}

/** What the provider's return address says, without the secret in it: which payment, and the page that began it. */
interface ReturnAddress {
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

/** A reload, or the way to the bank and back, ends the page but not the payment: this tab remembers it. */
const entry = 'payment_under_way';

/** Remembers a payment until the returned function is called, which a reload never does. */
export function rememberWhile(paymentIntentId: string | null): (() => void) | undefined {
  if (!paymentIntentId) return undefined;
  tabStore.setItem(entry, paymentIntentId);
  return () => tabStore.removeItem(entry);
}

/**
 * The page that says what became of a payment that this tab left while its card was asked; null without one. Paying again
 * before that is known could pay twice.
 */
export function useInterruptedPayment(): string | null {
  const { pathname, search } = useLocation();
  // Of the time when the page opened: what is paid on it later has a place of its own.
  const [path] = useState(() => {
    const paymentIntentId = tabStore.getItem(entry);
    return paymentIntentId && withoutSecret({ paymentIntentId, from: pathname + search });
  });
  return path;
}

/** The sender has seen what became of it. */
export const forgetInterruptedPayment = (): void => tabStore.removeItem(entry);
