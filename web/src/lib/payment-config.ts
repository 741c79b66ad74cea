import { queryOptions } from '@tanstack/react-query';
import { endpoints } from '#core/contracts/http/endpoints';
import type { PaymentConfig } from '#core/contracts/http/payments';
import { call } from './http.ts';

/** What the browser needs to know of the card provider, and whether this is only practice. */
export const paymentConfigQuery = queryOptions({
  queryKey: ['public', 'payment-config'],
  queryFn: ({ signal }) => call(endpoints.paymentConfig, { signal }),
});

/** Whether cards are played by the simulator: with keys of a real Stripe account the practice pages do not exist. */
export const isSandbox = ({ testMode, scriptUrl }: PaymentConfig) => testMode && scriptUrl !== null;
