import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { receiveTransfer, transfersQuery } from './queries.ts';
import { sampleTransfer } from './sample-transfer.ts';
import { rowsOf, type TransferFilter } from './transfer-list.ts';

let queryClient: QueryClient;
beforeEach(() => {
  vi.useFakeTimers();
  queryClient = new QueryClient();
});
// Figures are asked for a moment after a change: that moment must not outlive its test.
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

const everything: TransferFilter = {};
const pending: TransferFilter = { status: 'pending' };
const completed: TransferFilter = { status: 'completed' };

const load = (filter: TransferFilter, ...items: AdminTransferView[]) =>
  queryClient.setQueryData(transfersQuery(filter).queryKey, {
    pages: [{ items, nextCursor: null }],
    pageParams: [undefined],
  });
const states = (filter: TransferFilter) =>
  rowsOf(queryClient.getQueryData(transfersQuery(filter).queryKey)?.pages ?? []).map(({ state }) => state);

describe('receiveTransfer', () => {
  it('a pushed transfer moves between the admin lists as its status changes', () => {
    const waiting = sampleTransfer({ id: 'moves' });
    load(everything, waiting);
    load(pending, waiting);
    load(completed);
    receiveTransfer(queryClient, { ...waiting, version: 5, state: 'completed', status: 'completed' });
    expect([states(everything), states(pending), states(completed)]).toEqual([['completed'], [], ['completed']]);
  });

  it('a pushed transfer is not set back by an older view that arrives later', () => {
    const waiting = sampleTransfer({ id: 'late' });
    load(everything, waiting);
    receiveTransfer(queryClient, { ...waiting, version: 4, state: 'captured' });
    receiveTransfer(queryClient, { ...waiting, version: 3, state: 'approved' });
    expect(states(everything)).toEqual(['captured']);
  });

  it('a pushed transfer makes a list under a search load again, and no other list', () => {
    load({ search: 'rosa' });
    load(everything);
    receiveTransfer(queryClient, sampleTransfer({ id: 'new' }));
    const isInvalidated = (filter: TransferFilter) =>
      queryClient.getQueryState(transfersQuery(filter).queryKey)?.isInvalidated;
    expect([isInvalidated({ search: 'rosa' }), isInvalidated(everything)]).toEqual([true, false]);
  });

  it('a pushed transfer changes no list that was never loaded', () => {
    receiveTransfer(queryClient, sampleTransfer({ id: 'unknown' }));
    expect(queryClient.getQueryData(transfersQuery(everything).queryKey)).toBeUndefined();
  });
});
