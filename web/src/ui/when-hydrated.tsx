import { type ReactNode, useDeferredValue } from 'react';
import { useHydrated } from '../lib/document.ts';
import { LazyPart } from './lazy-part.tsx';

/** Fields, which would lose what is typed into them before hydration; `pending` keeps their space meanwhile. */
export function WhenHydrated({ pending, children }: { pending: ReactNode; children: ReactNode }) {
  // Rendered in slices, between which the browser handles input.
  const hydrated = useDeferredValue(useHydrated());
  return hydrated ? <LazyPart pending={pending}>{children}</LazyPart> : pending;
}
