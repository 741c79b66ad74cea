import { expect, test } from 'vitest';
import { arrivedMinor, depositOf } from './arrived.ts';
import { transferStateNames } from './states.ts';

const figures = { bolivianosMinor: 1_000n, payoutReturnedMinor: 0n, paidAgainMinor: 0n, restPaidMinor: 0n };

test.each([
  ['nothing went back', {}, 1_000n],
  ['the bank returned a part', { payoutReturnedMinor: 400n }, 600n],
  ['the bank returned a part and paid some of it', { payoutReturnedMinor: 400n, restPaidMinor: 300n }, 900n],
  ['the bank returned all', { payoutReturnedMinor: 1_000n }, 0n],
  ['the bank returned all but a second payout', { payoutReturnedMinor: 1_000n, paidAgainMinor: 200n }, 200n],
  ['a second payout went beyond the promise', { paidAgainMinor: 200n }, 1_000n],
])('counts what the family has of a completed transfer: %s', (_, changes, arrived) => {
  expect(arrivedMinor({ ...figures, state: 'completed', ...changes })).toBe(arrived);
});

test('a family has nothing of a transfer in any other state', () => {
  const others = transferStateNames.filter((state) => state !== 'completed');
  expect(others.filter((state) => arrivedMinor({ ...figures, state }) !== 0n)).toEqual([]);
});

test('the deposit is the last one, whatever changed within the state since, and none once it was returned', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 10, day));
  const states = ['captured', 'completed', 'completed', 'payout_failed', 'captured', 'completed', 'completed'] as const;
  const steps = states.map((state, index) => ({ state, at: at(index + 1) }));
  expect(depositOf({ state: 'completed', payoutReference: 'BNB-7' }, steps)).toEqual({ at: at(6), reference: 'BNB-7' });
  expect(depositOf({ state: 'payout_failed', payoutReference: 'BNB-7' }, steps.slice(0, 4))).toBeNull();
});
