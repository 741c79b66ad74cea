import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { AccountView } from '#core/contracts/http/account';
import { accountRoutes } from '#core/contracts/http/account-routes';
import type { Locale } from '#core/locale/locale';
import type { SendCurrency } from '#core/money/money';
import type { OptionalEmail } from '#core/notifications/email-preferences';
import { accountCall } from '../lib/account-http.ts';
import { addressOf, type CallInput, fetchFile } from '../lib/http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { withStepUp } from '../lib/step-up.ts';
import { storeSession } from '../lib/storage.ts';
import { accountKeys, emailPreferencesKey } from './sender-query-keys.ts';
import { sessionQuery } from './session.ts';

/** What we know of the signed-in person. No push says that another browser of theirs changed it. */
export const accountQuery = queryOptions({
  queryKey: accountKeys.details,
  queryFn: ({ signal }) => accountCall('getAccount', { signal }),
  staleTime: 0,
});

/** Changes what the person says of themselves, here and in the frame around every page. */
export function useUpdateAccount() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: CallInput<'updateAccount'>['body']) => accountCall('updateAccount', { body }),
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

/** Chooses the currency in which the form that sends money begins; null: as last time. */
export function useSetCurrency() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (currency: SendCurrency | null) => accountCall('setCurrency', { body: { currency } }),
    onSuccess: (session) => queryClient.setQueryData(sessionQuery.queryKey, session),
  });
}

/** A file about the person: everything as JSON, or the paid transfers as CSV. */
export type OwnDataFile = 'exportData' | 'exportTransfers';

const fetchProven = withStepUp(fetchFile);

/** Has the browser save such a file, once all of it is here. @throws ApiFailure */
export async function downloadOwnData(file: OwnDataFile, shown: Locale): Promise<void> {
  const isTable = file === 'exportTransfers';
  const address = addressOf(accountRoutes[file].path, undefined, isTable ? { language: shown } : undefined);
  const content = await fetchProven(address);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = isTable ? 'chasqui.csv' : 'chasqui.json';
  link.click();
  // The browser has taken it over by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href));
}

const pageSize = 10;

/** This browser's session and the person's others, page by page. */
export const sessionsQuery = infiniteQueryOptions({
  queryKey: accountKeys.sessions,
  queryFn: ({ pageParam: cursor, signal }) =>
    accountCall('listSessions', { query: { cursor, limit: pageSize }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
});

/** Ends one other session by its id, or all of them (null). */
export function useEndSession() {
  const queryClient = useQueryClient();
  return useSingleMutation<void, string | null>({
    mutationFn: async (id) => {
      await (id === null ? accountCall('endOtherSessions') : accountCall('endSession', { params: { id } }));
    },
    // Also when it failed: it may have ended elsewhere.
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountKeys.sessions }),
  });
}

/** Which optional e-mails the person does not want. */
export const emailPreferencesQuery = queryOptions({
  queryKey: emailPreferencesKey,
  queryFn: ({ signal }) => accountCall('getEmailPreferences', { signal }),
});

/** Keeps which optional e-mails the person does not want. */
export function useSetEmailPreferences() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (muted: OptionalEmail[]) => accountCall('setEmailPreferences', { body: { muted } }),
    onSuccess: (view) => queryClient.setQueryData(emailPreferencesQuery.queryKey, view),
  });
}
