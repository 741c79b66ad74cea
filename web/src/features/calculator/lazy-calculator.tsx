import { Skeleton } from '@mantine/core';
import { lazy } from 'react';
import { WhenVisible } from '../../ui/lazy-part.tsx';
import classes from './lazy-calculator.module.css';
import type { CalculatedSending } from './use-calculator.ts';

const Calculator = lazy(async () => ({ default: (await import('./calculator.tsx')).Calculator }));

/** The calculator for a page that shows something else first; its space is kept while it is on its way. */
export function LazyCalculator({ onSubmit }: { onSubmit: (sending: CalculatedSending) => void }) {
  return (
    <WhenVisible className={classes.space} pending={<Skeleton className={classes.pending} />}>
      <Calculator onSubmit={onSubmit} />
    </WhenVisible>
  );
}
