import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { sampleTransfer } from '../testing/sample-admin-transfer.ts';
import { type AdminTransferFilter, adminTransfersQuery, receiveAdminTransfer } from './admin-panel.ts';
import { rowsOf } from './versioned-collection.ts';

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

const everything: AdminTransferFilter = {};
const pending: AdminTransferFilter = { status: 'pending' };
const completed: AdminTransferFilter = { status: 'completed' };

const load = (filter: AdminTransferFilter, ...items: AdminTransferView[]) =>
  queryClient.setQueryData(adminTransfersQuery(filter).queryKey, {
    pages: [{ items, nextCursor: null }],
    pageParams: [undefined],
  });
const states = (filter: AdminTransferFilter) =>
  rowsOf(queryClient.getQueryData(adminTransfersQuery(filter).queryKey) ?? { pages: [] }).map(({ state }) => state);

describe('receiveAdminTransfer', () => {
  it('a pushed transfer moves between the admin lists as its status changes', () => {
    const waiting = sampleTransfer({ id: 'moves' });
    load(everything, waiting);
    load(pending, waiting);
    load(completed);
    receiveAdminTransfer(queryClient, { ...waiting, version: 5, state: 'completed', status: 'completed' });
    expect([states(everything), states(pending), states(completed)]).toEqual([['completed'], [], ['completed']]);
  });

  it('a pushed transfer makes a list under a search load again, and no other list', () => {
    load({ search: 'rosa' });
    load(everything);
    receiveAdminTransfer(queryClient, sampleTransfer({ id: 'new' }));
    vi.runAllTimers();
    const isInvalidated = (filter: AdminTransferFilter) =>
      queryClient.getQueryState(adminTransfersQuery(filter).queryKey)?.isInvalidated;
    expect([isInvalidated({ search: 'rosa' }), isInvalidated(everything)]).toEqual([true, false]);
  });
});
