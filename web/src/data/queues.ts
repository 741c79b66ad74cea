import { queryOptions } from '@tanstack/react-query';
import { adminCall } from '../lib/admin-http.ts';
import { askAgain, followLive } from '../lib/live.ts';
import { queueKeys } from './admin-query-keys.ts';

/** The queues that are paused, the longest paused first. */
export const queuePausesQuery = queryOptions({
  queryKey: queueKeys.paused,
  queryFn: async ({ signal }) => (await adminCall('queuePauses', { signal })).pauses,
});

/** The operations of a transfer and their jobs. */
export const transferWorkQuery = (id: string) =>
  queryOptions({
    queryKey: queueKeys.ofTransfer(id),
    queryFn: ({ signal }) => adminCall('transferWork', { params: { id }, signal }),
  });

followLive('admin:queue-pauses-changed', (queryClient) => void askAgain(queryClient, { queryKey: queueKeys.paused }));

// Each step of a transfer adds work or ends some.
followLive(
  'admin:transfer-changed',
  (queryClient, { id }) => void askAgain(queryClient, { queryKey: queueKeys.ofTransfer(id) }),
);
