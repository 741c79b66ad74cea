import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { OptionalEmail } from '#core/notifications/email-preferences';
import { accountCall } from '../lib/account-http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { emailPreferencesKey } from './sender-query-keys.ts';

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
