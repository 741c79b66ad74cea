import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';

/**
 * Marks queries as out of date and asks again for those on screen. One whose first answer is still on its way is asked anew:
 * TanStack Query would wait for that answer, which may have been read before the change that makes us ask.
 */
export function askAgain(queryClient: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  void queryClient.cancelQueries(
    { ...filters, type: 'active', predicate: ({ state }) => state.data === undefined },
    // Who waits for the first answer gets the one that is asked for now.
    { silent: true },
  );
  return queryClient.invalidateQueries(filters);
}
