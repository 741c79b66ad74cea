import { useSyncExternalStore } from 'react';

/** What a browser tells when somebody uses the page, a restored or linked position on it included. */
const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'wheel', 'scroll'] as const;

let seen = false;
const waiting = new Set<() => void>();

/**
 * Keeps until the first sign of a person what a page drawn while building does not need before: live connection, fields and
 * questions further down. Everywhere else `noteSign` is called at once.
 */
export function awaitSign(): void {
  for (const sign of signs) window.addEventListener(sign, noteSign, { capture: true, passive: true });
}

/** Somebody uses the page, or it must not wait for that. */
export function noteSign(): void {
  if (seen) return;
  seen = true;
  if (typeof window !== 'undefined')
    for (const sign of signs) window.removeEventListener(sign, noteSign, { capture: true });
  for (const tell of waiting) tell();
  waiting.clear();
}

/** Settles with the first sign, for files that come no earlier. */
export const firstSign = new Promise<void>((settle) => {
  waiting.add(settle);
});

function subscribe(tell: () => void): () => void {
  waiting.add(tell);
  return () => waiting.delete(tell);
}

/** Whether somebody uses the page; false in what is drawn while building. */
export function useSign(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => seen,
    () => false,
  );
}
