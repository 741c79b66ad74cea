import type { MetaFunction } from 'react-router';
import { LazyCalculator } from '../features/calculator/lazy-calculator.tsx';
import { LandingB } from '../features/landing/landing-b.tsx';
import { paths } from '../lib/paths.ts';
import { publicMeta } from '../lib/public-pages.ts';
import type { PageHandle } from '../ui/page-handle.ts';
import { useSendingStart } from './sending-start.ts';

export const meta: MetaFunction = () => publicMeta(paths.landing2);

/** `/landing2`, with a header of its own. */
export default function Landing2Page() {
  return <LandingB calculator={<LazyCalculator onSubmit={useSendingStart()} />} />;
}

export const handle: PageHandle = { ownHeader: true };
