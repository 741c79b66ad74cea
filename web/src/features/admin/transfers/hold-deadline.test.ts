import { describe, expect, it } from 'vitest';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { holdDeadline } from './transfer-labels.ts';

const end = '2026-11-28T14:00:00.000Z';
const hoursBefore = (hours: number) => Date.parse(end) - hours * 3_600_000;

describe('holdDeadline', () => {
  const waiting = sampleTransfer({ capture_before: end });

  it.each([
    [168, 'calm', '7 d'],
    [50.5, 'calm', '2 d 2 h'],
    [48, 'calm', '2 d'],
    [47.9, 'soon', '47 h'],
    [24, 'soon', '24 h'],
    [23.9, 'urgent', '23 h'],
    [0.5, 'urgent', '30 min'],
    [0, 'over', ''],
    [-3, 'over', ''],
  ])('the deadline of an authorization is, %d h before its end, %s', (hours, level, left) => {
    expect(holdDeadline(waiting, hoursBefore(hours))).toEqual({ level, left, endsAt: end });
  });

  it('the deadline of an authorization is not shown once the transfer is decided, or before a card is held', () => {
    expect(holdDeadline(sampleTransfer({ state: 'approved' }), hoursBefore(10))).toBeNull();
    expect(holdDeadline(sampleTransfer({ capture_before: null }), hoursBefore(10))).toBeNull();
  });
});
