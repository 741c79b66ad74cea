import { LazyCalculator } from '../features/calculator/lazy-calculator.tsx';
import { LandingA } from '../features/landing/landing-a.tsx';
import { useSendingStart } from './sending-start.ts';

/** The front page. */
export function Component() {
  return <LandingA calculator={<LazyCalculator onSubmit={useSendingStart()} />} />;
}
