import { z } from 'zod';
import { failureCodes } from '../failures.ts';
import { adminEndpoints } from './admin.ts';
import { adminRateEndpoints } from './admin-rates.ts';
import { authEndpoints } from './auth.ts';
import { clientErrorEndpoints } from './client-errors.ts';
import { comparisonEndpoints } from './comparison.ts';
import { cryptoEndpoints } from './crypto.ts';
import { disputeEndpoints } from './disputes.ts';
import { healthEndpoints } from './health.ts';
import { helpEndpoints } from './help.ts';
import { operationsEndpoints } from './operations.ts';
import { paymentEndpoints } from './payments.ts';
import { rateAlertEndpoints } from './rate-alerts.ts';
import { rateSeriesEndpoints } from './rate-series.ts';
import { rateSourceHealthEndpoints } from './rate-source-health.ts';
import { rateEndpoints } from './rates.ts';
import { receiptEndpoints } from './receipts.ts';
import { recipientEndpoints } from './recipients.ts';
import { transferEndpoints } from './transfers.ts';

/** Every JSON call of the api. Outside of it stand only Stripe's webhook, the API document and the queue dashboard. */
export const endpoints = {
  ...authEndpoints,
  ...recipientEndpoints,
  ...rateEndpoints,
  ...rateSeriesEndpoints,
  ...rateAlertEndpoints,
  ...comparisonEndpoints,
  ...transferEndpoints,
  ...receiptEndpoints,
  ...paymentEndpoints,
  ...cryptoEndpoints,
  ...adminEndpoints,
  ...adminRateEndpoints,
  ...rateSourceHealthEndpoints,
  ...operationsEndpoints,
  ...disputeEndpoints,
  ...helpEndpoints,
  ...healthEndpoints,
  ...clientErrorEndpoints,
};

/** Body of every failed call: a stable code for programs, a Spanish message for people, and what went wrong where. */
export const failureView = z
  .object({
    code: z.enum(failureCodes),
    message: z.string(),
    /** With `invalid_input`: a message per field, by its dotted path. */
    fields: z.record(z.string(), z.string()).optional(),
  })
  .loose();
export type FailureView = z.infer<typeof failureView>;
