import { expect, test } from 'vitest';
import { payoutRails, type StopReach, stoppedMovements, stopScopeNames } from './money-stop.ts';

test.each([
  [{ scope: 'captures', rail: null }, ['capture']],
  [{ scope: 'payouts', rail: null }, ['payout', 'second_payout']],
  [{ scope: 'payouts', rail: 'bank' }, ['payout', 'second_payout']],
  [{ scope: 'everything', rail: null }, ['capture', 'payout', 'second_payout']],
] as const satisfies readonly (readonly [StopReach, readonly string[]])[])('a stop of %o holds %j', (stop, held) => {
  expect(stoppedMovements(stop, 'bank')).toEqual(held);
});

test('a stop of one rail holds no payout on another', () => {
  expect(stoppedMovements({ scope: 'payouts', rail: 'bank' }, 'another' as (typeof payoutRails)[number])).toEqual([]);
});

test('every scope holds something', () => {
  for (const scope of stopScopeNames) expect(stoppedMovements({ scope, rail: null }, payoutRails[0])).not.toEqual([]);
});
