import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { AdminRole } from '#core/accounts/admin-roles';
import { adminCall } from '../lib/admin-http.ts';
import type { CallInput, CallOutput } from '../lib/http.ts';
import { askAgain } from '../lib/live.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { adminKeys } from './admin-query-keys.ts';

/** A person with limits, blocks and notes. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.user(id),
    queryFn: async ({ signal }) => (await adminCall('adminUser', { params: { id }, signal })).user,
  });

/** A call that answers with the person as they are now; the list of people follows. */
function useUserCall<Input>(id: string, perform: (input: Input) => Promise<CallOutput<'adminUser'>>) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: perform,
    onSuccess: ({ user }) => {
      queryClient.setQueryData(userQuery(id).queryKey, user);
      void askAgain(queryClient, { queryKey: adminKeys.waitingChecks });
      void askAgain(queryClient, { queryKey: adminKeys.usersLists });
    },
    onError: () => askAgain(queryClient, { queryKey: adminKeys.user(id) }),
  });
}

/** Blocks an account or takes the block back. */
export const useBlockUser = (id: string, blocked: boolean) =>
  useUserCall(id, (reason: string) => adminCall('blockUser', { params: { id }, body: { blocked, reason } }));

/** Puts a person on legal hold or lifts it. */
export const useHoldUser = (id: string, held: boolean) =>
  useUserCall(id, (reason: string) => adminCall('holdUser', { params: { id }, body: { held, reason } }));

/** Takes the second factor of somebody who lost it away. */
export const useResetSecondFactor = (id: string) =>
  useUserCall(id, (reason: string) => adminCall('resetSecondFactor', { params: { id }, body: { reason } }));

/** Requests a role in the panel, or takes it away. */
export const useSetRole = (id: string) =>
  useUserCall(id, (adminRole: AdminRole | null) => adminCall('setRole', { params: { id }, body: { adminRole } }));

/** Confirms a role that another owner requested, or declines it. */
export const useDecideRole = (id: string) =>
  useUserCall(id, (body: CallInput<'decideRole'>['body']) => adminCall('decideRole', { params: { id }, body }));

/** Checks of persons that wait for a decision, the oldest first. */
export const waitingChecksQuery = infiniteQueryOptions({
  queryKey: adminKeys.waitingChecks,
  queryFn: ({ pageParam: cursor, signal }) =>
    adminCall('identityChecks', { query: { cursor, limit: waitingShown }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
});
const waitingShown = 10;

/** Decides about a check that waits. */
export const useDecideIdentity = (userId: string) =>
  useUserCall(userId, ({ id, ...body }: { id: string } & CallInput<'decideIdentity'>['body']) =>
    adminCall('decideIdentity', { params: { id }, body }),
  );

/** Writes a note about an account. */
export const useNoteUser = (id: string) =>
  useUserCall(id, (text: string) => adminCall('noteUser', { params: { id }, body: { text } }));
