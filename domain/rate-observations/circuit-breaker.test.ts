import { expect, test } from 'vitest';
import type { SourceFailure } from '#core/rates/sources';
import { hourMs } from '#core/time/time';
import { isCircuitOpen } from './circuit-breaker.ts';

const now = new Date('2026-11-21T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * hourMs);
const timeout: SourceFailure = { code: 'timeout' };
const forbidden: SourceFailure = { code: 'forbidden' };
const asksToWait = (retryAfterSeconds: number | null): SourceFailure => ({
  code: 'too_many_requests',
  retryAfterSeconds,
});

/** Attempts by the hours since, newest first. */
type Attempts = readonly (readonly [hours: number, failure: SourceFailure | null])[];
const attempts = (...given: Attempts) => given.map(([hours, failure]) => ({ failure, at: hoursAgo(hours) }));
const isOpen = (...given: Attempts) => isCircuitOpen(attempts(...given), now, false);
const isOpenWhenForced = (...given: Attempts) => isCircuitOpen(attempts(...given), now, true);

test('the circuit of a source opens for six hours after three failures in a row, not after fewer', () => {
  expect(isOpen()).toBe(false);
  expect(isOpen([0, timeout], [2, timeout])).toBe(false);
  expect(isOpen([0, timeout], [2, timeout], [4, null])).toBe(false);
  expect(isOpen([0, null], [2, timeout], [4, timeout])).toBe(false);
  expect(isOpen([5.99, timeout], [8, timeout], [10, timeout])).toBe(true);
  expect(isOpen([6, timeout], [8, timeout], [10, timeout])).toBe(false);
});

test('a source that keeps answering 403 is called once a day', () => {
  expect(isOpen([2, forbidden])).toBe(false);
  expect(isOpen([23.9, forbidden], [26, forbidden], [28, timeout])).toBe(true);
  expect(isOpen([24, forbidden], [26, forbidden], [28, forbidden])).toBe(false);
});

test('a source that answers 429 is not called for the time it states, at most a day, or half an hour by default', () => {
  expect(isOpen([0.49, asksToWait(null)])).toBe(true);
  expect(isOpen([0.5, asksToWait(null)])).toBe(false);
  expect(isOpen([1, asksToWait(3601)])).toBe(true);
  expect(isOpen([1, asksToWait(3600)])).toBe(false);
  expect(isOpen([23.9, asksToWait(1e9)])).toBe(true);
  expect(isOpen([24, asksToWait(1e9)])).toBe(false);
  expect(isOpen([5, asksToWait(60)], [7, timeout], [9, timeout])).toBe(true);
});

test('a forced run calls sources with an open circuit, except those that stated a time to wait', () => {
  expect(isOpenWhenForced([1, timeout], [2, timeout], [3, timeout])).toBe(false);
  expect(isOpenWhenForced([1, forbidden], [2, forbidden], [3, forbidden])).toBe(false);
  expect(isOpenWhenForced([0.1, asksToWait(null)])).toBe(false);
  expect(isOpenWhenForced([1, asksToWait(3601)])).toBe(true);
  expect(isOpenWhenForced([1, asksToWait(3600)], [2, timeout], [3, timeout])).toBe(false);
});
