import { type ReactNode, Suspense } from 'react';
import { useHydrated } from '../lib/hydration.ts';

/** Fields, which would lose what is typed into them before the page is alive; `pending` keeps their room meanwhile. */
export function WhenAlive({ pending, children }: { pending: ReactNode; children: ReactNode }) {
  return useHydrated() ? <Suspense fallback={pending}>{children}</Suspense> : pending;
}
