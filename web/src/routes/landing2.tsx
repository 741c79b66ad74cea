import { LazyCalculator } from '../features/calculator/lazy-calculator.tsx';
import { LandingB } from '../features/landing/landing-b.tsx';
import type { PageHandle } from './layout.tsx';
import { useSendingStart } from './sending-start.ts';

/** `/landing2`, with a header of its own. */
export function Component() {
  return <LandingB calculator={<LazyCalculator onSubmit={useSendingStart()} />} />;
}

export const handle: PageHandle = { ownHeader: true };
