import { queryOptions } from '@tanstack/react-query';
import { call } from '../lib/http.ts';
import { helpKeys } from './query-keys.ts';

/** How to reach a person of ours. */
export const contactQuery = queryOptions({
  queryKey: helpKeys.contact,
  queryFn: ({ signal }) => call('helpContact', { signal }),
});
