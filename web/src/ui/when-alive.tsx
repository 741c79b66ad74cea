import { type ReactNode, Suspense, useDeferredValue } from 'react';
import { useHydrated } from '../lib/hydration.ts';

/** Fields, which would lose what is typed into them before the page is alive; `pending` keeps their room meanwhile. */
export function WhenAlive({ pending, children }: { pending: ReactNode; children: ReactNode }) {
  // Drawn in slices, between which the browser answers the person.
  const alive = useDeferredValue(useHydrated());
  return alive ? <Suspense fallback={pending}>{children}</Suspense> : pending;
}
