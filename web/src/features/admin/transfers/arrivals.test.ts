import { describe, expect, it } from 'vitest';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { arrivals } from './arrivals.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 14, minute)).toISOString();
const row = (id: string, minute: number, changes: Partial<AdminTransferView> = {}) =>
  sampleTransfer({ id, date: at(minute), ...changes });

describe('arrivals', () => {
  const before = [row('c', 30), row('b', 20)];

  it('arrivals in a list are new rows above the oldest known, not older ones loaded on demand', () => {
    expect(arrivals(before, [row('d', 40), row('c', 30), row('x', 25), row('b', 20), row('a', 10)])).toEqual([
      'd',
      'x',
    ]);
  });

  it('arrivals in a list are also rows that were paid only now', () => {
    const unpaid = row('c', 30, { state: 'awaiting_payment', status: 'awaiting_payment' });
    expect(arrivals([unpaid], [row('c', 30)])).toEqual(['c']);
    expect(arrivals([row('c', 30)], [row('c', 30, { state: 'approved' })])).toEqual([]);
  });

  it('arrivals in a list that was empty are all its rows', () => {
    expect(arrivals([], [row('a', 10)])).toEqual(['a']);
  });
});
