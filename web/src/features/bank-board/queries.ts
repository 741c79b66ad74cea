import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { followLive } from '../../lib/live.ts';

/** What banks in Bolivia paid for a dollar. */
export const bankBoardQuery = queryOptions({
  queryKey: ['public', 'bank-board'],
  queryFn: ({ signal }) => call('bankBoard', { signal }),
});

followLive('rates:collected', (queryClient) => {
  void queryClient.invalidateQueries({ queryKey: bankBoardQuery.queryKey });
});
