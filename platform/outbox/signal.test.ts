import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Signal } from './signal.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a signal is given at once, and one more for all that came during the pause', () => {
  const give = vi.fn();
  const signal = new Signal(give);
  for (let count = 0; count < 50; count += 1) signal.send();
  expect(give).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(give).toHaveBeenCalledTimes(2);
  signal.send();
  expect(give).toHaveBeenCalledTimes(3);
});

test('a signal that waits is given when its process stops, and none after that', () => {
  const give = vi.fn();
  const signal = new Signal(give);
  signal.send();
  signal.send();
  signal.stop();
  vi.advanceTimersByTime(1_000);
  expect(give).toHaveBeenCalledTimes(2);
});
