import { accountEndpoints } from './account.ts';
import { adminEndpoints } from './admin.ts';
import { adminRateEndpoints } from './admin-rates.ts';
import { adminUserEndpoints } from './admin-users.ts';
import { auditEndpoints } from './audit.ts';
import { authEndpoints } from './auth.ts';
import { clientErrorEndpoints } from './client-errors.ts';
import { comparisonEndpoints } from './comparison.ts';
import { complaintEndpoints } from './complaints.ts';
import { cryptoEndpoints } from './crypto.ts';
import { disputeEndpoints } from './disputes.ts';
import { fileEndpoints } from './files.ts';
import { healthEndpoints } from './health.ts';
import { helpEndpoints } from './help.ts';
import { identityEndpoints } from './identity.ts';
import { moneyStopEndpoints } from './money-stops.ts';
import { monitoringEndpoints } from './monitoring.ts';
import { newsEndpoints } from './news.ts';
import { operationsEndpoints } from './operations.ts';
import { paperEndpoints } from './papers.ts';
import { paymentEndpoints } from './payments.ts';
import { queueEndpoints } from './queues.ts';
import { rateAlertEndpoints } from './rate-alerts.ts';
import { rateSeriesEndpoints } from './rate-series.ts';
import { rateSourceHealthEndpoints } from './rate-source-health.ts';
import { rateEndpoints } from './rates.ts';
import { receiptEndpoints } from './receipts.ts';
import { recipientEndpoints } from './recipients.ts';
import { reconciliationEndpoints } from './reconciliation.ts';
import { repeatEndpoints } from './repeats.ts';
import { reviewEndpoints } from './review.ts';
import { reviewQuestionEndpoints } from './review-questions.ts';
import { secondFactorEndpoints } from './second-factor.ts';
import { trackingEndpoints } from './tracking.ts';
import { transferEndpoints } from './transfers.ts';
import { webhookEndpoints } from './webhooks.ts';

export { type FailureView, failureView } from './failure-details.ts';

/** Every JSON endpoint of the api. The only others are Stripe's webhook, the API document and the queue dashboard. */
export const endpoints = {
  ...authEndpoints,
  ...accountEndpoints,
  ...secondFactorEndpoints,
  ...identityEndpoints,
  ...recipientEndpoints,
  ...repeatEndpoints,
  ...rateEndpoints,
  ...rateSeriesEndpoints,
  ...rateAlertEndpoints,
  ...comparisonEndpoints,
  ...transferEndpoints,
  ...trackingEndpoints,
  ...newsEndpoints,
  ...receiptEndpoints,
  ...paperEndpoints,
  ...paymentEndpoints,
  ...cryptoEndpoints,
  ...adminEndpoints,
  ...adminUserEndpoints,
  ...reviewEndpoints,
  ...reviewQuestionEndpoints,
  ...fileEndpoints,
  ...adminRateEndpoints,
  ...rateSourceHealthEndpoints,
  ...operationsEndpoints,
  ...moneyStopEndpoints,
  ...queueEndpoints,
  ...complaintEndpoints,
  ...disputeEndpoints,
  ...reconciliationEndpoints,
  ...webhookEndpoints,
  ...monitoringEndpoints,
  ...auditEndpoints,
  ...helpEndpoints,
  ...healthEndpoints,
  ...clientErrorEndpoints,
};
