import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { AccountView } from '#core/contracts/http/account';
import { type CallInput, call } from '../lib/http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { storeSession } from '../lib/storage.ts';
import { accountKeys } from './query-keys.ts';
import { sessionQuery } from './session.ts';

/** What we know of the signed-in person. No push says that another browser of theirs changed it. */
export const accountQuery = queryOptions({
  queryKey: accountKeys.details,
  queryFn: ({ signal }) => call('getAccount', { signal }),
  staleTime: 0,
});

/** Changes what the person says of themselves, here and in the frame around every page. */
export function useUpdateAccount() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: CallInput<'updateAccount'>['body']) => call('updateAccount', { body }),
    onSuccess: (account: AccountView) => {
      queryClient.setQueryData(accountQuery.queryKey, account);
      const { name, phone, city } = account;
      const session = queryClient.setQueryData(
        sessionQuery.queryKey,
        (known) => known && { ...known, user: { ...known.user, name, phone, city } },
      );
      if (session) storeSession(session);
    },
  });
}

const pageSize = 10;

/** This browser's session and the person's others, page by page. */
export const sessionsQuery = infiniteQueryOptions({
  queryKey: accountKeys.sessions,
  queryFn: ({ pageParam: cursor, signal }) => call('listSessions', { query: { cursor, limit: pageSize }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
});

/** Ends one other session by its id, or all of them (null). */
export function useEndSession() {
  const queryClient = useQueryClient();
  return useSingleMutation<void, string | null>({
    mutationFn: async (id) => {
      await (id === null ? call('endOtherSessions') : call('endSession', { params: { id } }));
    },
    // Also when it failed: it may have ended elsewhere.
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountKeys.sessions }),
  });
}
