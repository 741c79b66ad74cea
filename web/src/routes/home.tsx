import { t } from '@lingui/core/macro';
import type { MetaFunction } from 'react-router';
import { LazyCalculator } from '../features/calculator/lazy-calculator.tsx';
import { LandingA } from '../features/landing/landing-a.tsx';
import { publicMeta } from '../lib/public-meta.ts';

export const meta: MetaFunction = () =>
  publicMeta('home', {
    title: t`Envía dinero a Bolivia`,
    description: t`Envía dinero a Bolivia con tu tarjeta, en dólares o euros. Ves la tasa, la comisión y los bolivianos que llegan antes de pagar.`,
  });

/** The front page. */
export default function HomePage() {
  return <LandingA calculator={<LazyCalculator />} />;
}
