import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

const FrequentQuestions = lazy(() => import('./frequent-questions.tsx'));

/** Six closed questions, in pixels. */
const height = 366;

/** What people ask most; far down the page, so it comes after the rest. */
export function Faq() {
  return (
    <Suspense fallback={<Skeleton height={height} />}>
      <FrequentQuestions />
    </Suspense>
  );
}
