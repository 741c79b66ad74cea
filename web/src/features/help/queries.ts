import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';

/** How to reach a person of ours. */
export const contactQuery = queryOptions({
  queryKey: ['public', 'help-contact'],
  queryFn: ({ signal }) => call('helpContact', { signal }),
});
