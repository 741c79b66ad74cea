import { queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';

/** What the browser needs to know of the card provider, and whether this is only practice. */
export const paymentConfigQuery = queryOptions({
  queryKey: ['public', 'payment-config'],
  queryFn: ({ signal }) => call('paymentConfig', { signal }),
});
