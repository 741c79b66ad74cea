import { type InfiniteData, type UseInfiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { AppQueryKey } from './query-keys.ts';

/** As `useOptionalQuery`, of a list that is read page by page. */
export function useOptionalPages<Page>(
  options: UseInfiniteQueryOptions<Page, Error, InfiniteData<Page>, AppQueryKey, string | undefined>,
): InfiniteData<Page> | undefined {
  const query = useInfiniteQuery(options);
  return query.data;
}
