import { useSyncExternalStore } from 'react';

/** Events of the first interaction; a restored or linked scroll position counts too. */
const events = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'wheel', 'scroll'] as const;

let seen = false;
const waiting = new Set<() => void>();

/**
 * Delays what a prerendered page does not need before its first interaction: live connection, fields and questions further
 * down. Everywhere else `noteInteraction` is called at once.
 */
export function awaitFirstInteraction(): void {
  for (const event of events) window.addEventListener(event, noteInteraction, { capture: true, passive: true });
}

/** The first interaction happened, or nothing must wait for it. */
export function noteInteraction(): void {
  if (seen) return;
  seen = true;
  if (typeof window !== 'undefined')
    for (const event of events) window.removeEventListener(event, noteInteraction, { capture: true });
  for (const notify of waiting) notify();
  waiting.clear();
}

/** Resolves with the first interaction, for files that are loaded no earlier. */
export const firstInteraction = new Promise<void>((resolve) => {
  waiting.add(resolve);
});

function subscribe(notify: () => void): () => void {
  waiting.add(notify);
  return () => waiting.delete(notify);
}

/** Whether the page was interacted with; false in prerendered HTML. */
export function useHasInteracted(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => seen,
    () => false,
  );
}
