import { MutationObserver, onlineManager } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { adminCall } from '../lib/admin-http.ts';
import { call } from '../lib/http.ts';
import { queryClient } from './query-client.ts';
import { rateKeys } from './query-keys.ts';

afterEach(() => {
  onlineManager.setOnline(true);
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('a decision made without a connection fails at once and is never performed later by itself', async () => {
  const fetched = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
  vi.stubGlobal('fetch', fetched);
  onlineManager.setOnline(false);
  const approve = new MutationObserver(queryClient, {
    mutationFn: (id: string) => adminCall('approve', { params: { id } }),
  });
  await expect(approve.mutate('6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01')).rejects.toMatchObject({ code: 'offline' });
  onlineManager.setOnline(true);
  await queryClient.resumePausedMutations();
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('a query that is asked without a connection fails at once instead of loading without end', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  onlineManager.setOnline(false);
  const rates = queryClient.fetchQuery({ queryKey: rateKeys.board, queryFn: () => call('getRates') });
  await expect(rates).rejects.toMatchObject({ code: 'offline' });
});
