import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';

/** The receipt of a paid transfer; under the transfers, so that whatever refreshes them refreshes it. */
export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: ['transfers', 'receipt', id],
    queryFn: ({ signal }) => call('receipt', { params: { id }, signal }),
  });
