import { t } from '@lingui/core/macro';
import type { MetaFunction } from 'react-router';
import { LazyCalculator } from '../features/calculator/lazy-calculator.tsx';
import { LandingB } from '../features/landing/landing-b.tsx';
import { publicMeta } from '../lib/public-meta.ts';
import type { PageHandle } from '../ui/page.tsx';

export const meta: MetaFunction = () =>
  publicMeta('landing2', {
    title: t`Siempre cerca de casa`,
    description: t`Calcula cuántos bolivianos llegan a tu familia y envíalos desde cualquier lugar, con tarjeta, a su banco o a Tigo Money.`,
  });

/** `/landing2`, with a header of its own. */
export default function Landing2Page() {
  return <LandingB calculator={<LazyCalculator />} />;
}

export const handle: PageHandle = { ownHeader: true };
