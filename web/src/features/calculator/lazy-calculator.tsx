import { Skeleton } from '@mantine/core';
import { lazy } from 'react';
import { WhenAlive } from '../../ui/when-alive.tsx';
import classes from './lazy-calculator.module.css';
import type { CalculatedSending } from './use-calculator.ts';

/** Asked for at once, but nothing above it waits for it. */
const loading = import('./calculator.tsx');
const Calculator = lazy(async () => ({ default: (await loading).Calculator }));

/** The calculator for a page that shows something else first; its room is kept while it is on its way. */
export function LazyCalculator({ onSubmit }: { onSubmit: (sending: CalculatedSending) => void }) {
  return (
    <div className={classes.room}>
      <WhenAlive pending={<Skeleton className={classes.pending} />}>
        <Calculator onSubmit={onSubmit} />
      </WhenAlive>
    </div>
  );
}
