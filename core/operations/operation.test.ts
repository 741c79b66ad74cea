import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '../time/time.ts';
import {
  circuitFailures,
  circuitPauseMs,
  idempotencyKeyOf,
  maxAttempts,
  retryDelayMs,
  slowAttempts,
} from './operation.ts';

/** Time from the first to the n-th attempt, in ms. */
const elapsed = (attempts: number) =>
  Array.from({ length: attempts - 1 }, (_, index) => retryDelayMs(index + 1)).reduce((sum, delay) => sum + delay, 0);

test('the pause after an attempt of an operation doubles from a second and is never longer than an hour', () => {
  expect([1, 2, 3, 4].map(retryDelayMs)).toEqual([1000, 2000, 4000, 8000]);
  expect(retryDelayMs(12)).toBe(2048 * 1000);
  expect([13, 20, 1000].map(retryDelayMs)).toEqual([hourMs, hourMs, hourMs]);
});

test('a person is notified of an operation after a quarter of an hour, and its attempts end after some nine hours', () => {
  expect(elapsed(slowAttempts + 1) / minuteMs).toBeCloseTo(17, 0);
  expect(elapsed(maxAttempts) / hourMs).toBeCloseTo(8.1, 1);
});

test('the key of an operation is the same for every attempt and new with every sequence', () => {
  const operation = { kind: 'refund', transferId: '7b8d1b6e-5a0c-4f0e-9d5a-0a5d6f6a3f10', sequence: 2 } as const;
  expect(idempotencyKeyOf(operation)).toBe('refund:7b8d1b6e-5a0c-4f0e-9d5a-0a5d6f6a3f10:2');
  expect(idempotencyKeyOf({ ...operation, sequence: 3 })).not.toBe(idempotencyKeyOf(operation));
});

test('the circuit of a provider opens after consecutive failures, for 15 s at first and ten minutes at most', () => {
  expect(circuitPauseMs(circuitFailures - 1)).toBe(0);
  expect(circuitPauseMs(circuitFailures)).toBe(15_000);
  expect(circuitPauseMs(circuitFailures + 1)).toBe(30_000);
  expect(circuitPauseMs(1000)).toBe(10 * minuteMs);
});
