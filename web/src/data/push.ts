import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { accountCall } from '../lib/account-http.ts';
import { type PushFacts, readBrowser, subscribe, unsubscribe } from '../lib/push.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { accountKeys } from './sender-query-keys.ts';

export interface DeviceNotifications extends PushFacts {
  /** Whether the last one did not reach this browser's push service. */
  readonly failing: boolean;
}

/** How notifications stand on this device. What a person allows in the browser's own settings is asked for when they come back. */
export const pushQuery = queryOptions({
  queryKey: accountKeys.push,
  queryFn: async ({ signal }): Promise<DeviceNotifications> => {
    const { publicKey, endpoint: kept, failing } = await accountCall('getPush', { signal });
    return { publicKey, kept, failing, ...(await readBrowser()) };
  },
  staleTime: 0,
  refetchOnWindowFocus: true,
});

/** Turns notifications on this device on or off. The error may be a PushRefusal. */
export function useSetPush() {
  const queryClient = useQueryClient();
  return useSingleMutation<void, { readonly on: boolean; readonly publicKey: string }>({
    mutationFn: async ({ on, publicKey }) => {
      if (on) await accountCall('setPush', { body: await subscribe(publicKey) });
      else {
        await accountCall('endPush');
        await unsubscribe();
      }
    },
    // Also when it failed: the browser may have asked, and remembers what was answered.
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountKeys.push }),
  });
}
