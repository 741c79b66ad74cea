import { queryOptions } from '@tanstack/react-query';
import { endpoints } from '#core/contracts/http/endpoints';
import { call } from '../../lib/http.ts';

/** How to reach a person of ours. */
export const contactQuery = queryOptions({
  queryKey: ['public', 'help-contact'],
  queryFn: ({ signal }) => call(endpoints.helpContact, { signal }),
});
