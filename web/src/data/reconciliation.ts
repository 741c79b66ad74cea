import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Cause } from '#core/reconciliation/cause';
import { adminCall } from '../lib/admin-http.ts';
import { askAgain, followLive } from '../lib/live.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { reconciliationKeys } from './admin-query-keys.ts';

const pageSize = 25;

/** How far the sources are imported, and how the last days stand. */
export const reconciliationQuery = queryOptions({
  queryKey: reconciliationKeys.overview,
  queryFn: ({ signal }) => adminCall('reconciliation', { signal }),
});

export type ExceptionStatus = 'open' | 'decided';

/** Differences between our books and the sources, of one cause or of all, page by page. */
export const exceptionsQuery = (status: ExceptionStatus, cause: Cause | null) =>
  infiniteQueryOptions({
    queryKey: reconciliationKeys.exceptions({ status, cause }),
    queryFn: ({ pageParam: cursor, signal }) =>
      adminCall('bookExceptions', { query: { status, ...(cause && { cause }), cursor, limit: pageSize }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });

/** How many differences are open. */
export const openExceptionsQuery = queryOptions({
  queryKey: reconciliationKeys.open,
  queryFn: async ({ signal }) => (await adminCall('openExceptions', { signal })).open,
});

/** What a transfer earned, by currency; nothing while nothing was charged. */
export const transferProfitQuery = (id: string) =>
  queryOptions({
    queryKey: reconciliationKeys.profit(id),
    queryFn: async ({ signal }) => (await adminCall('transferProfit', { params: { id }, signal })).profit,
  });

/** A call after which everything of the books is asked for again, also when it was refused: somebody else was first. */
function useBooksCall<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useSingleMutation<Answer, Input>({
    mutationFn: send,
    onSettled: () => queryClient.invalidateQueries({ queryKey: reconciliationKeys.all }),
  });
}

/** Asks for an import and a comparison; a push says when it is done. */
export const useRunReconciliation = () => useBooksCall<void, { asked: true }>(() => adminCall('runReconciliation', {}));

interface Note {
  readonly id: string;
  readonly note: string;
}

export const useExplain = () =>
  useBooksCall(({ id, note }: Note) => adminCall('explainException', { params: { id }, body: { note } }));
export const useAccept = () =>
  useBooksCall(({ id, note }: Note) => adminCall('acceptException', { params: { id }, body: { note } }));
export const useAskAgain = () => useBooksCall((id: string) => adminCall('askAgain', { params: { id } }));

/** Agrees with what another admin asked for, or declines it. */
export const useDecideBookRequest = () =>
  useBooksCall(({ id, approve }: { id: string; approve: boolean }) =>
    adminCall('decideBookRequest', { params: { id }, body: { approve } }),
  );

/** Proposes to close a day. */
export const useCloseDay = () => useBooksCall((day: string) => adminCall('closeDay', { params: { day }, body: {} }));

/** Imports the file of a statement. */
export const useImportStatement = () =>
  useBooksCall(async (file: File) => adminCall('importStatement', { body: { data: await base64Of(file) } }));

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    // "data:text/csv;base64,…"; of an empty file only the beginning.
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

followLive('admin:books-changed', (queryClient) => void askAgain(queryClient, { queryKey: reconciliationKeys.all }));
