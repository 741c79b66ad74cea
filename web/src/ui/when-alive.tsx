import { type ReactNode, useDeferredValue } from 'react';
import { useHydrated } from '../lib/hydration.ts';
import { LazyPart } from './lazy-part.tsx';

/** Fields, which would lose what is typed into them before the page is alive; `pending` keeps their room meanwhile. */
export function WhenAlive({ pending, children }: { pending: ReactNode; children: ReactNode }) {
  // Drawn in slices, between which the browser answers the person.
  const alive = useDeferredValue(useHydrated());
  return alive ? <LazyPart pending={pending}>{children}</LazyPart> : pending;
}
