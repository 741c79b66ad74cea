import { infiniteQueryOptions, type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { LiveEventName } from '#core/contracts/live-events';
import { maxUnread } from '#core/notifications/news';
import { askAgain, followLive } from '../lib/live.ts';
import { senderCall } from '../lib/sender-http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { newsKey } from './sender-query-keys.ts';

export type { NewsItem } from '#core/contracts/http/news';

const pageSize = 20;

/** A person's news, the newest first, page by page; the first page says how many are unread. */
export const newsQuery = infiniteQueryOptions({
  queryKey: newsKey,
  queryFn: ({ pageParam: cursor, signal }) => senderCall('listNews', { query: { cursor, limit: pageSize }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
});

/** Marks news up to a moment as read; the server never takes it back. */
export function useReadNews() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (until: string) => senderCall('readNews', { body: { until } }),
    onSuccess: () => askAgain(queryClient, { queryKey: newsKey }),
  });
}

/** A burst of changes asks the server once. */
const askAgainMs = 300;
let isAsking = false;

function askAgainSoon(queryClient: QueryClient): void {
  if (isAsking) return;
  isAsking = true;
  setTimeout(() => {
    isAsking = false;
    void askAgain(queryClient, { queryKey: newsKey });
  }, askAgainMs);
}

/** What changes with these is the server's to say: it knows whose news it is, and what was read elsewhere. */
const changing: readonly LiveEventName[] = [
  'transfer:changed',
  'repeats:changed',
  'news:read',
  'admin:transfer-changed',
  'admin:case-changed',
  'admin:review-changed',
  'admin:rate-change-updated',
  'admin:books-changed',
];
for (const event of changing) followLive(event, askAgainSoon);

/** A count of unread news as it is shown; the server counts up to `maxUnread`. */
export const unreadText = (unread: number): string => (unread < maxUnread ? String(unread) : `${maxUnread - 1}+`);
