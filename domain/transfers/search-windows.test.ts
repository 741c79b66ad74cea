import { expect, test } from 'vitest';
import { dayMs, hourMs } from '#core/time/time';
import { lookNext, windowOf } from './search-windows.ts';

const until = new Date('2026-11-20T15:00:00Z');
const before = (ms: number) => new Date(until.getTime() - ms);

test.each([1, hourMs, 5 * hourMs, 9 * hourMs, 3 * dayMs, 40 * dayMs, 400 * dayMs, 2_000 * dayMs])(
  'the %d ms before a moment are covered by a few windows of one length',
  (ms) => {
    const window = windowOf(before(ms), until);
    expect(window?.keys.length).toBeGreaterThan(0);
    expect(window?.keys.length).toBeLessThanOrEqual(ms > 400 * dayMs ? 16 : 9);
    expect(window?.from.getTime()).toBeLessThanOrEqual(before(ms).getTime());
    // The extra range is shorter than the requested one, except for the shortest window.
    expect(window?.from.getTime()).toBeGreaterThan(before(2 * ms + hourMs).getTime());
  },
);

test('a range that needs too many windows gives null', () => {
  expect(windowOf(before(4_000 * dayMs), until)).toBeNull();
});

test('the next range is estimated from the frequency of matches so far', () => {
  const looked = (matches: number, missing: number) => {
    const next = lookNext({ newest: until, until: before(dayMs), matches }, missing);
    return (before(dayMs).getTime() - next.getTime()) / dayMs;
  };
  expect(looked(0, 20)).toBe(45);
  expect(looked(4, 15)).toBe(7);
  expect(looked(19, 1)).toBe(1);
  expect(looked(0, 100)).toBe(64);
});
