import { expect, test } from 'vitest';
import { type ArrivalTime, arrivalTimeFor, roundedUp } from './arrival-times.ts';

const time = (bank: string, quarter: number | null, count = 10): ArrivalTime => ({
  bank,
  quarter,
  count,
  medianMinutes: 60,
  ninetiethMinutes: 120,
});
const unionAtNoon = time('Banco Unión', 2);
const union = time('Banco Unión', null, 25);
const bisa = time('Banco BISA', null);
const few = time('BancoSol', null, 9);
const times = [unionAtNoon, union, bisa, few];

test.each([
  ['Banco Unión', '2026-11-20T16:00:00Z', unionAtNoon, 'its quarter of the day, from noon in La Paz'],
  ['Banco Unión', '2026-11-20T21:59:59Z', unionAtNoon, 'the end of that quarter'],
  ['Banco Unión', '2026-11-20T22:00:00Z', union, 'all hours, where too little is known of the evening'],
  ['Banco Unión', '2026-11-20T15:59:59Z', union, 'all hours, before noon'],
  ['Banco BISA', '2026-11-20T16:00:00Z', bisa, 'all hours'],
  ['BancoSol', '2026-11-20T16:00:00Z', null, 'nothing, of nine payouts'],
  ['Tigo Money', '2026-11-20T16:00:00Z', null, 'nothing, of none'],
])('the arrival time of a payment to %s at %s is that of %o (%s)', (bank, at, expected, _why) => {
  expect(arrivalTimeFor(times, bank, new Date(at))).toBe(expected);
});

test.each([
  [0, { value: 1, unit: 'minute' }],
  [12.2, { value: 13, unit: 'minute' }],
  [60, { value: 60, unit: 'minute' }],
  [61, { value: 2, unit: 'hour' }],
  [48 * 60, { value: 48, unit: 'hour' }],
  [48 * 60 + 1, { value: 3, unit: 'day' }],
])('%d minutes are never said shorter than they were', (minutes, expected) => {
  expect(roundedUp(minutes)).toEqual(expected);
});
