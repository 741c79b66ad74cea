import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Marks the start of pages that are not prerendered. */
export const startId = 'starting';

/** Whether the HTML of this page was rendered at build time, as a visitor sees it. */
export const isPrerendered = (): boolean => document.getElementById(startId) === null;

/**
 * Whether the page is hydrated: false in prerendered HTML and in the first render of hydration. For what a build cannot know, and
 * for fields, which would lose what was typed before.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
