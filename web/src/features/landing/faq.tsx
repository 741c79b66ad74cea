import { Skeleton } from '@mantine/core';
import { lazy } from 'react';
import { firstSign } from '../../lib/first-sign.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';

const FrequentQuestions = lazy(async () => {
  await firstSign;
  return import('./frequent-questions.tsx');
});

/** Six closed questions, in pixels. */
const height = 366;

/** What people ask most: drawn while building, and alive when somebody uses the page. */
export function Faq() {
  return (
    <LazyPart pending={<Skeleton height={height} />}>
      <FrequentQuestions />
    </LazyPart>
  );
}
