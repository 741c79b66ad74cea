import { test } from 'vitest';
import { soakSeed } from '../infra/testing/soak.ts';
import { expectTimeLapse } from './testing/time-lapse-checks.ts';

test('a month of collecting rates accounts for every window while sources fail and the worker crashes', () =>
  expectTimeLapse({ windows: 360, seed: soakSeed }));
