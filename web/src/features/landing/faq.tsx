import { Skeleton } from '@mantine/core';
import { lazy } from 'react';
import { frequentTopics } from '../../data/frequent-topics.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';

/** Below the first screen: prerendered with the page, and its script comes after the page's own. */
const Questions = lazy(async () => ({ default: (await import('../../ui/questions.tsx')).Questions }));

/** Six closed questions, in pixels. */
const height = 366;

/** What people ask most. */
export function Faq() {
  return (
    <LazyPart pending={<Skeleton height={height} />}>
      <Questions topics={frequentTopics()} order={3} />
    </LazyPart>
  );
}
