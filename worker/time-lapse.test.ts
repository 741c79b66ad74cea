import { test } from 'vitest';
import { expectTimeLapse } from './testing/time-lapse-checks.ts';

test(
  'five days of collecting rates account for every window while sources fail and the worker crashes',
  {
    timeout: 120_000,
  },
  () => expectTimeLapse({ windows: 60, seed: 2026, density: 4 }),
);
