import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { RepeatView } from '#core/contracts/http/repeats';
import { accountCall } from '../lib/account-http.ts';
import type { CallInput } from '../lib/http.ts';
import { askAgain, followLive } from '../lib/live.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import type { Offer, OfferRecipient } from './payments.ts';
import { quoteQuery } from './rates.ts';
import { repeatKeys } from './sender-query-keys.ts';

/** What is asked to be repeated. */
export type RepeatInput = NonNullable<CallInput<'createRepeat'>['body']>;

/** What a new repeating transfer begins with, or one that is changed. */
export type RepeatStart = Partial<
  Pick<RepeatView, 'fixed' | 'amount' | 'currency' | 'every' | 'day' | 'hour' | 'zone'>
> & {
  /** Only of one that is there. */
  readonly repeatId?: string;
  readonly recipientId: string | null;
};

/** More than a person may have. */
const pageSize = 50;

/** The sender's repeating transfers, the newest first. */
export const repeatsQuery = queryOptions({
  queryKey: repeatKeys.list,
  queryFn: async ({ signal }) => (await accountCall('listRepeats', { query: { limit: pageSize }, signal })).items,
});

/** A reminder and what became of it; read anew each time it is opened. */
export const reminderQuery = (id: string) =>
  queryOptions({
    queryKey: repeatKeys.reminder(id),
    queryFn: ({ signal }) => accountCall('getReminder', { params: { id }, signal }),
    staleTime: 0,
  });

const refresh = (queryClient: QueryClient) => void askAgain(queryClient, { queryKey: repeatKeys.all });
followLive('repeats:changed', refresh);
// One that was paid closes its reminder.
followLive('transfer:changed', refresh);

const useRefreshing = <Input, Output>(mutationFn: (input: Input) => Promise<Output>) => {
  const queryClient = useQueryClient();
  // Also when it failed: it may have changed elsewhere.
  return useSingleMutation({ mutationFn, onSettled: () => refresh(queryClient) });
};

/** Saves a new repeating transfer, or one that is there. */
export const useSaveRepeat = (id: string | null) =>
  useRefreshing((body: RepeatInput) =>
    id === null ? accountCall('createRepeat', { body }) : accountCall('changeRepeat', { params: { id }, body }),
  );

export const usePauseRepeat = (id: string) =>
  useRefreshing((paused: boolean) => accountCall('pauseRepeat', { params: { id }, body: { paused } }));

export const useSkipRepeat = (id: string) =>
  useRefreshing((period: string) => accountCall('skipRepeat', { params: { id }, body: { period } }));

export const useEndRepeat = (id: string) => useRefreshing(() => accountCall('endRepeat', { params: { id } }));

/** Asks for today's quote of a repeating transfer: what its reminder offers to pay. */
export function useReminderOffer(reminderId: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: async (asked: {
      repeat: Pick<RepeatView, 'amount' | 'currency' | 'fixed'>;
      recipient: OfferRecipient;
      birthDate: string | null;
    }): Promise<Offer> => {
      const { amount, currency, fixed } = asked.repeat;
      const question = quoteQuery({ amount, currency, side: fixed });
      const quote = await queryClient.fetchQuery({ ...question, staleTime: 0 });
      return { recipient: asked.recipient, quote, birthDate: asked.birthDate, reminderId };
    },
  });
}
