import { Calculator } from '../features/calculator/calculator.tsx';
import { Home } from '../features/home/home.tsx';
import { useSendingStart } from './sending-start.ts';

/** The front page. */
export function Component() {
  return <Home calculator={<Calculator onSubmit={useSendingStart()} />} />;
}
