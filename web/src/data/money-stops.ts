import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { MoneyStopView } from '#core/contracts/http/money-stops';
import type { StopReach } from '#core/money-stops/money-stop';
import { adminCall } from '../lib/admin-http.ts';
import { askAgain, followLive } from '../lib/live.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { moneyStopKeys } from './admin-query-keys.ts';

/** The active stops of money, the oldest first. */
export const moneyStopsQuery = queryOptions({
  queryKey: moneyStopKeys.active,
  queryFn: async ({ signal }) => (await adminCall('moneyStops', { signal })).stops,
});

/** A call that answers with the active stops. When refused, it loads them again: another admin was first. */
function useStopsCall<Input>(perform: (input: Input) => Promise<{ stops: MoneyStopView[] }>) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: perform,
    onSuccess: ({ stops }) => queryClient.setQueryData(moneyStopsQuery.queryKey, stops),
    onError: () => queryClient.invalidateQueries({ queryKey: moneyStopKeys.active }),
  });
}

/** Stops money. */
export const useSetStop = () =>
  useStopsCall((body: StopReach & { readonly reason: string }) => adminCall('setMoneyStop', { body }));

/** Requests that a stop be lifted, with a reason. */
export const useRequestLift = (id: string) =>
  useStopsCall((reason: string) => adminCall('requestLift', { params: { id }, body: { reason } }));

/** As the second person lifts a stop; or withdraws or declines the request to. */
export const useDecideLift = (id: string) =>
  useStopsCall((decision: 'confirm' | 'decline') =>
    adminCall(decision === 'confirm' ? 'confirmLift' : 'declineLift', { params: { id } }),
  );

followLive(
  'admin:money-stops-changed',
  (queryClient) => void askAgain(queryClient, { queryKey: moneyStopKeys.active }),
);
