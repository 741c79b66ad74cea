import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Whether the page is alive: false in the HTML that was drawn while building and in the first step of taking it over. For what
 * a build cannot know, and for fields, which would lose what was typed before anybody listens.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
