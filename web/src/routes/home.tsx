import type { MetaFunction } from 'react-router';
import { LazyCalculator } from '../features/calculator/lazy-calculator.tsx';
import { LandingA } from '../features/landing/landing-a.tsx';
import { paths } from '../lib/paths.ts';
import { publicMeta } from '../lib/public-pages.ts';
import { useSendingStart } from './sending-start.ts';

export const meta: MetaFunction = () => publicMeta(paths.home);

/** The front page. */
export default function HomePage() {
  return <LandingA calculator={<LazyCalculator onSubmit={useSendingStart()} />} />;
}
