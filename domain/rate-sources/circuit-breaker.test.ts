import { expect, test } from 'vitest';
import type { SourceFailure } from '#core/rates/sources';
import { hourMs } from '#core/time/time';
import { isResting } from './circuit-breaker.ts';

const now = new Date('2026-11-21T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * hourMs);
const timeout: SourceFailure = { code: 'timeout' };
const forbidden: SourceFailure = { code: 'forbidden' };
const asksFor = (retryAfterSeconds: number | null): SourceFailure => ({ code: 'too_many_requests', retryAfterSeconds });

/** Turns by the hours since, newest first. */
const resting = (...turns: readonly (readonly [hours: number, failure: SourceFailure | null])[]) =>
  isResting(
    turns.map(([hours, failure]) => ({ failure, at: hoursAgo(hours) })),
    now,
  );

test('three failed turns in a row, not fewer, make a source rest for six hours', () => {
  expect(resting()).toBe(false);
  expect(resting([0, timeout], [2, timeout])).toBe(false);
  expect(resting([0, timeout], [2, timeout], [4, null])).toBe(false);
  expect(resting([0, null], [2, timeout], [4, timeout])).toBe(false);
  expect(resting([5.99, timeout], [8, timeout], [10, timeout])).toBe(true);
  expect(resting([6, timeout], [8, timeout], [10, timeout])).toBe(false);
});

test('a source that refuses us is asked once a day', () => {
  expect(resting([2, forbidden])).toBe(false);
  expect(resting([23.9, forbidden], [26, forbidden], [28, timeout])).toBe(true);
  expect(resting([24, forbidden], [26, forbidden], [28, forbidden])).toBe(false);
});

test('a source that is asked too often is left alone at once, for as long as it says, a day at most', () => {
  expect(resting([0.49, asksFor(null)])).toBe(true);
  expect(resting([0.5, asksFor(null)])).toBe(false);
  expect(resting([1, asksFor(3601)])).toBe(true);
  expect(resting([1, asksFor(3600)])).toBe(false);
  expect(resting([23.9, asksFor(1e9)])).toBe(true);
  expect(resting([24, asksFor(1e9)])).toBe(false);
  expect(resting([5, asksFor(60)], [7, timeout], [9, timeout])).toBe(true);
});
