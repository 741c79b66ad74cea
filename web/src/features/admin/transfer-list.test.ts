import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { Pages } from '../../lib/versions.ts';
import { sampleTransfer } from './sample-transfer.ts';
import { arrivals, placeTransfer, rowsOf } from './transfer-list.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 14, minute)).toISOString();
const row = (id: string, minute: number, changes: Partial<AdminTransferView> = {}) =>
  sampleTransfer({ id, date: at(minute), ...changes });
const loaded = (nextCursor: string | null, ...items: AdminTransferView[]): Pages<AdminTransferView> => ({
  pages: [{ items, nextCursor }],
  pageParams: [undefined],
});
const ids = (list: Pages<AdminTransferView>) => rowsOf(list.pages).map((item) => item.id);

describe('placeTransfer', () => {
  const list = loaded('more', row('c', 30), row('b', 20));

  it('a new transfer is placed in a list by its date', () => {
    expect(ids(placeTransfer(list, row('d', 40), {}))).toEqual(['d', 'c', 'b']);
    expect(ids(placeTransfer(list, row('x', 25), {}))).toEqual(['c', 'x', 'b']);
  });

  it('a transfer older than every loaded row is left to a later page, unless there is none', () => {
    expect(placeTransfer(list, row('a', 10), {})).toBe(list);
    expect(ids(placeTransfer(loaded(null, row('b', 20)), row('a', 10), {}))).toEqual(['b', 'a']);
  });

  it('a new transfer is placed in an empty list', () => {
    expect(ids(placeTransfer(loaded(null), row('a', 10), {}))).toEqual(['a']);
  });

  it('a listed transfer is replaced by a newer version, not by an older or equal one', () => {
    const newer = placeTransfer(list, row('b', 20, { version: 3, state: 'approved' }), {});
    expect(rowsOf(newer.pages)[1]?.state).toBe('approved');
    expect(placeTransfer(newer, row('b', 20, { version: 3, state: 'in_review' }), {})).toBe(newer);
    expect(placeTransfer(newer, row('b', 20, { version: 2, state: 'in_review' }), {})).toBe(newer);
  });

  it('a transfer that no longer matches the filter leaves the list, and one that never did is not added', () => {
    const done = row('b', 20, { version: 5, status: 'completed', state: 'completed' });
    expect(ids(placeTransfer(list, done, { status: 'pending' }))).toEqual(['c']);
    expect(placeTransfer(list, row('z', 50, { status: 'completed' }), { status: 'pending' })).toBe(list);
  });

  it('a list under a search takes newer versions of its rows, and leaves new transfers to the server', () => {
    expect(placeTransfer(list, row('d', 40), { search: 'rosa' })).toBe(list);
    const newer = placeTransfer(list, row('b', 20, { version: 3, state: 'approved' }), { search: 'rosa' });
    expect(rowsOf(newer.pages)[1]?.state).toBe('approved');
  });

  it('a list ends with the highest version of each transfer, once, whatever the order of the pushes', () => {
    const push = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), version: fc.integer({ min: 1, max: 6 }) });
    fc.assert(
      fc.property(fc.array(push, { minLength: 1 }), (pushes) => {
        let current = loaded(null);
        for (const { id, version } of pushes) current = placeTransfer(current, row(id, 1, { version }), {});
        for (const { id } of pushes) {
          const highest = Math.max(...pushes.filter((other) => other.id === id).map((other) => other.version));
          expect(rowsOf(current.pages).filter((item) => item.id === id)).toMatchObject([{ version: highest }]);
        }
      }),
    );
  });
});

describe('rowsOf', () => {
  it('a transfer that stands on two pages is shown once, in its newest version', () => {
    const pages = [
      ...loaded('x', row('b', 20, { version: 4 })).pages,
      ...loaded(null, row('b', 20), row('a', 10)).pages,
    ];
    expect(rowsOf(pages).map(({ id, version }) => [id, version])).toEqual([
      ['b', 4],
      ['a', 2],
    ]);
  });
});

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
