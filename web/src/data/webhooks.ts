import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { WebhookEventType } from '#core/webhooks/events';
import { adminCall } from '../lib/admin-http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { webhookKeys } from './admin-query-keys.ts';

const pageSize = 20;
/** How often deliveries that wait are looked at again, in ms: no push tells of them. */
const lookMs = 5_000;

/** Where partners are sent events. */
export const webhooksQuery = queryOptions({
  queryKey: webhookKeys.list,
  queryFn: ({ signal }) => adminCall('listWebhooks', { signal }),
});

/** What was sent to an address, the newest first, page by page. */
export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: webhookKeys.deliveries(id),
    queryFn: ({ pageParam: cursor, signal }) =>
      adminCall('webhookDeliveries', { params: { id }, query: { cursor, limit: pageSize }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ status }) => status === 'pending')) ? lookMs : false,
  });

/** A call after which all of it is asked for again, also when it was refused. */
function useWebhookCall<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useSingleMutation<Answer, Input>({
    mutationFn: send,
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhookKeys.all }),
  });
}

/** What an address is sent, and what it is for. */
export interface WebhookContent {
  readonly description: string;
  readonly events: WebhookEventType[];
}

export const useCreateWebhook = () =>
  useWebhookCall((body: WebhookContent & { url: string }) => adminCall('createWebhook', { body }));
export const useUpdateWebhook = (id: string) =>
  useWebhookCall((body: WebhookContent & { enabled: boolean }) => adminCall('updateWebhook', { params: { id }, body }));
export const useRotateSecret = () =>
  useWebhookCall((id: string) => adminCall('rotateWebhookSecret', { params: { id } }));
export const useResendDelivery = () => useWebhookCall((id: string) => adminCall('resendDelivery', { params: { id } }));
