import { useState } from 'react';
import { useLocation } from 'react-router';
import { tabStore } from '../../lib/safe-storage.ts';
import { withoutSecret } from './return-address.ts';

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
