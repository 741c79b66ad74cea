import { queryOptions } from '@tanstack/react-query';
import { endpoints } from '#core/contracts/http/endpoints';
import { call } from './http.ts';

/** What the browser needs to know of the card provider, and whether this is only practice. */
export const paymentConfigQuery = queryOptions({
  queryKey: ['public', 'payment-config'],
  queryFn: ({ signal }) => call(endpoints.paymentConfig, { signal }),
});
