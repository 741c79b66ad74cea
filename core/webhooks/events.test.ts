import { expect, test } from 'vitest';
import { deliveryMs, eventOfState, nextAttemptAt, webhookEventTypes } from './events.ts';

test('every event is that of one state, and only an unpaid transfer has none', () => {
  const types = Object.values(eventOfState).filter((type) => type !== null);
  expect(types.toSorted()).toEqual(webhookEventTypes.toSorted());
  expect(eventOfState.awaiting_payment).toBeNull();
});

test('pauses between attempts double from half a minute to eight hours, and the last attempt is after 72 hours', () => {
  const start = new Date('2026-12-01T00:00:00.000Z');
  const expiresAt = new Date(start.getTime() + deliveryMs);
  const pauses: number[] = [];
  let at: Date | null = start;
  for (let attempts = 1; at; attempts += 1) {
    const next = nextAttemptAt({ attempts, at, expiresAt });
    if (next) pauses.push((next.getTime() - at.getTime()) / 1000);
    at = next;
  }
  expect(pauses.slice(0, 10)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 15_360]);
  expect(Math.max(...pauses)).toBe(8 * 3600);
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(72 * 3600);
  expect(pauses.length).toBeLessThan(25);
});
