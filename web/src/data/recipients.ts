import { type QueryClient, queryOptions, replaceEqualDeep, useQueryClient } from '@tanstack/react-query';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { RecipientInput } from '#core/recipients/recipient';
import { followLive } from '../lib/live.ts';
import { senderCall } from '../lib/sender-http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { recipientKeys, summaryKey } from './sender-query-keys.ts';

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
      const answer = await senderCall('listRecipients', { query, signal });
      all.push(...answer.items);
      cursor = answer.nextCursor;
      if (!cursor) break;
    }
    return all;
  },
  // An answer may have been put together before a push that is shown already.
  structuralSharing: (before, after) =>
    replaceEqualDeep(before, newestOf((before ?? []) as RecipientView[], after as RecipientView[])),
});

/** Each recipient as it was seen last: answers and pushes come in any order. */
function newestOf(known: readonly RecipientView[], arrived: readonly RecipientView[]): RecipientView[] {
  const seen = new Map(known.map((one) => [one.id, one]));
  return arrived.map((one) => {
    const before = seen.get(one.id);
    return before && before.version > one.version ? before : one;
  });
}

/** Shows a recipient as the server has it, unless something newer is shown. */
function receive(queryClient: QueryClient, arrived: RecipientView): void {
  write(queryClient, (known) =>
    known.some(({ id }) => id === arrived.id)
      ? known.map((one) => (one.id === arrived.id && one.version <= arrived.version ? arrived : one))
      : [arrived, ...known],
  );
}

// A push says what the bank says, and not who the recipient is: what was changed elsewhere is asked for.
followLive('recipient:changed', (queryClient, { id, version, nameCheck }) => {
  const known = queryClient.getQueryData(recipientsQuery.queryKey)?.find((one) => one.id === id);
  if (known && known.version >= version) return;
  if (known?.version === version - 1) receive(queryClient, { ...known, version, nameCheck });
  else void queryClient.invalidateQueries({ queryKey: recipientsQuery.queryKey });
});

function write(queryClient: QueryClient, change: (recipients: RecipientView[]) => RecipientView[]) {
  queryClient.setQueryData(recipientsQuery.queryKey, (known) => known && change(known));
  void queryClient.invalidateQueries({ queryKey: summaryKey });
}

export function useAddRecipient() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: RecipientToSave) => senderCall('createRecipient', { body }),
    onSuccess: (added) => receive(queryClient, added),
  });
}

export function useChangeRecipient(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: RecipientToSave) => senderCall('updateRecipient', { params: { id }, body }),
    onSuccess: (changed) => receive(queryClient, changed),
  });
}

/** Has the bank asked whose the account of a recipient is. */
export function useCheckName(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (_: null) => senderCall('checkRecipientName', { params: { id } }),
    onSuccess: (checked) => receive(queryClient, checked),
  });
}

/** Says that the name is right although the bank has another one. */
export function useConfirmName({ id, version }: Pick<RecipientView, 'id' | 'version'>) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (_: null) => senderCall('confirmRecipientName', { params: { id }, body: { version } }),
    onSuccess: (confirmed) => receive(queryClient, confirmed),
  });
}

export function useRemoveRecipient() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (id: string) => senderCall('deleteRecipient', { params: { id } }),
    onSuccess: (_nothing, id) => write(queryClient, (known) => known.filter((one) => one.id !== id)),
  });
}
