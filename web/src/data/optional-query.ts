import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { AppQueryKey } from './query-keys.ts';

/** The data of a query that its page is complete without: nothing on screen is missing or wrong where there are none, nor where it failed. */
export function useOptionalQuery<FromServer, Data = FromServer>(
  options: UseQueryOptions<FromServer, Error, Data, AppQueryKey>,
): Data | undefined {
  const query = useQuery(options);
  return query.data;
}
