import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { RecipientInput } from '#core/recipients/recipient';
import { call } from '../lib/http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { recipientKeys, summaryKey } from './query-keys.ts';

/** What the form saves; `saveAnyway` after the question whether it is somebody who is there already. */
export type RecipientToSave = RecipientInput & { readonly saveAnyway?: boolean };

const pageSize = 100;
/** An address book longer than this is cut; nobody reads that far. */
const pagesMax = 10;

/** All of the sender's recipients, newest first: the form's choice needs every one of them. */
export const recipientsQuery = queryOptions({
  queryKey: recipientKeys.all,
  queryFn: async ({ signal }) => {
    const all: RecipientView[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < pagesMax; page += 1) {
      const query: { limit: number; cursor?: string } = { limit: pageSize, ...(cursor && { cursor }) };
      const answer = await call('listRecipients', { query, signal });
      all.push(...answer.items);
      cursor = answer.nextCursor;
      if (!cursor) break;
    }
    return all;
  },
});

function write(queryClient: QueryClient, change: (recipients: RecipientView[]) => RecipientView[]) {
  queryClient.setQueryData(recipientsQuery.queryKey, (known) => known && change(known));
  void queryClient.invalidateQueries({ queryKey: summaryKey });
}

export function useAddRecipient() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: RecipientToSave) => call('createRecipient', { body }),
    onSuccess: (added) => write(queryClient, (known) => [added, ...known]),
  });
}

export function useChangeRecipient(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: RecipientToSave) => call('updateRecipient', { params: { id }, body }),
    onSuccess: (changed) => write(queryClient, (known) => known.map((one) => (one.id === id ? changed : one))),
  });
}

export function useRemoveRecipient() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (id: string) => call('deleteRecipient', { params: { id } }),
    onSuccess: (_nothing, id) => write(queryClient, (known) => known.filter((one) => one.id !== id)),
  });
}
