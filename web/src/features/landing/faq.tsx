import { Skeleton } from '@mantine/core';
import { lazy } from 'react';
import { firstInteraction } from '../../lib/first-interaction.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';

const FrequentQuestions = lazy(async () => {
  await firstInteraction;
  return import('./frequent-questions.tsx');
});

/** Six closed questions, in pixels. */
const height = 366;

/** Frequent questions: prerendered, and hydrated after the first interaction. */
export function Faq() {
  return (
    <LazyPart pending={<Skeleton height={height} />}>
      <FrequentQuestions />
    </LazyPart>
  );
}
