import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { TrackingView } from '#core/contracts/http/tracking';
import { senderCall } from '../lib/sender-http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { trackingKeys } from './sender-query-keys.ts';

/** How often a page that is open asks again, in ms: who follows a link has no live connection. */
const askEveryMs = 10_000;

/** Whether nothing more will happen. */
const isOver = ({ status, receivedAt }: TrackingView) => status === 'stopped' || receivedAt !== null;

/** A transfer as the holder of its link sees it. */
export const trackingQuery = (token: string) =>
  queryOptions({
    queryKey: trackingKeys.one(token),
    queryFn: ({ signal }) => senderCall('readTracking', { body: { token }, signal }),
    refetchInterval: ({ state: { data, error } }) => (error || (data && isOver(data)) ? false : askEveryMs),
  });

/** The family says that they have the money. */
export function useConfirmReceived(token: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: () => senderCall('confirmReceived', { body: { token } }),
    onSuccess: (view) => queryClient.setQueryData(trackingQuery(token).queryKey, view),
  });
}

/** The secret of the tracking link of one's own transfer. */
export const trackingLinkQuery = (id: string) =>
  queryOptions({
    queryKey: trackingKeys.link(id),
    queryFn: ({ signal }) => senderCall('createTrackingLink', { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
