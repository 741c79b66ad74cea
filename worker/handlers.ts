import { type JobData, type JobName, jobs } from '#core/contracts/jobs';
import { issuePasswordReset } from '#domain/accounts/password-reset.repository';
import { sweepCryptoOrders } from '#domain/crypto/sweep-orders';
import { syncCryptoOrder } from '#domain/crypto/sync-order';
import type { JobContext } from '#domain/job-context';
import { sendEmail } from '#domain/notifications/send-email';
import { sweepEmails } from '#domain/notifications/sweep-emails';
import { cancelApprovedTransfer } from '#domain/payments/cancel-approved';
import { capturePayment } from '#domain/payments/capture';
import { expireAuthorization, expirePayment } from '#domain/payments/expire';
import { handleStripeEvent } from '#domain/payments/handle-stripe-event';
import { refundPayment } from '#domain/payments/refund';
import { sweepStripeEvents } from '#domain/payments/sweep-stripe-events';
import { sweepTransfers } from '#domain/payments/sweep-transfers';
import { syncPayment } from '#domain/payments/sync-payment';
import { voidAuthorization } from '#domain/payments/void-authorization';
import { payOut } from '#domain/payouts/pay-out';
import { collectRates, openScheduledRateRun } from '#domain/rate-sources/collect-rates';
import { activateRateChange, sweepRateChanges } from '#domain/rates/activate-rate-changes';
import { fireReachedAlerts } from '#domain/rates/rate-alerts';
import { watchRates } from '#domain/rates/rate-pauses';
import { purgeExpired } from '#domain/retention';
import { classifyError, NonRetryableError } from '#platform/queues/retry';

type Handler<Name extends JobName> = (context: JobContext, data: JobData<Name>, attempt: number) => Promise<void>;

/** One handler per job of the contract: a job without one does not compile. */
const handlers: { readonly [Name in JobName]: Handler<Name> } = {
  'handle-stripe-event': (context, { eventId }) => handleStripeEvent(context, eventId),
  'sync-payment': (context, { transferId }) => syncPayment(context, transferId),
  'capture-payment': (context, { transferId }, attempt) => capturePayment(context, transferId, attempt),
  'cancel-approved-transfer': (context, { transferId }, attempt) =>
    cancelApprovedTransfer(context, transferId, attempt),
  'void-authorization': (context, { transferId }, attempt) => voidAuthorization(context, transferId, attempt),
  'pay-out': (context, { transferId }) => payOut(context, transferId),
  'refund-payment': (context, { transferId }) => refundPayment(context, transferId),
  'expire-payment': (context, { transferId }, attempt) => expirePayment(context, transferId, attempt),
  'expire-authorization': (context, { transferId }) => expireAuthorization(context, transferId),
  'sweep-transfers': (context) => sweepTransfers(context),
  'sweep-stripe-events': (context) => sweepStripeEvents(context),
  'sync-crypto-order': (context, { orderId }) => syncCryptoOrder(context, orderId),
  'sweep-crypto-orders': (context) => sweepCryptoOrders(context),
  'purge-expired': (context) => purgeExpired(context),
  'activate-rate-change': (context, { changeId }) => activateRateChange(context, changeId),
  'sweep-rate-changes': (context) => sweepRateChanges(context),
  'open-rate-run': (context) => openScheduledRateRun(context),
  'collect-rates': (context, { runId }) => collectRates(context, runId),
  'watch-rates': (context) => watchRates(context),
  'fire-rate-alerts': (context) => fireReachedAlerts(context),
  'issue-password-reset': ({ database, now }, { resetId }) =>
    database.transaction((em) => issuePasswordReset(em, resetId, now())),
  'send-mail': (context, { mailId }) => sendEmail(context, mailId),
  'sweep-mails': (context) => sweepEmails(context),
};

/** Runs one job. @throws what ended it, classified by `classifyError` as retryable or not. */
export async function runJob(
  context: JobContext,
  job: { name: string; data: unknown; attemptsMade: number },
): Promise<void> {
  try {
    if (!isJobName(job.name)) throw new NonRetryableError(`no such job: ${job.name}`);
    await run(context, job.name, job.data, job.attemptsMade);
  } catch (error) {
    throw classifyError(error);
  }
}

function run<Name extends JobName>(context: JobContext, name: Name, data: unknown, attempt: number): Promise<void> {
  return handlers[name](context, jobs[name].data.parse(data) as JobData<Name>, attempt);
}

function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobs, name);
}
