import { Calculator } from '../features/calculator/calculator.tsx';
import { LandingA } from '../features/landing/landing-a.tsx';
import { useSendingStart } from './sending-start.ts';

/** The front page. */
export function Component() {
  return <LandingA calculator={<Calculator onSubmit={useSendingStart()} />} />;
}
