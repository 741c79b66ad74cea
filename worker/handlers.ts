import { type JobData, type JobName, jobs } from '#core/contracts/jobs';
import { syncCryptoOrder } from '#domain/crypto/sync-order';
import type { JobContext } from '#domain/jobs/job-context';
import { sendEmail } from '#domain/notifications/send-email';
import { sendWebPush } from '#domain/notifications/send-web-push';
import { expireAuthorization, expirePayment } from '#domain/payments/expire';
import { handleStripeEvent } from '#domain/payments/handle-stripe-event';
import { syncConfirmedPayment, syncPayment } from '#domain/payments/sync-payment';
import { collectRates, openScheduledRateRun } from '#domain/rate-observations/collect-rates';
import { activateRateChange, sweepRateChanges } from '#domain/rates/activate-rate-changes';
import { fireReachedAlerts } from '#domain/rates/rate-alerts';
import { watchRates } from '#domain/rates/rate-pauses';
import { checkAccountName } from '#domain/recipients/name-checks';
import { reconcile, reconcileAgain } from '#domain/reconciliation/reconcile';
import { screenNames } from '#domain/review/screen-names';
import { runOperation } from '#domain/row-jobs/run-operation';
import { issuePasswordReset } from '#domain/sign-in/password-reset.repository';
import { deliverEvent } from '#domain/webhooks/deliver';
import type { JobResult } from '#platform/outbox/row-jobs';
import { classifyError, NonRetryableError } from '#platform/queues/retry';
import { purgeExpired } from './retention/retention.ts';
import { sweepAll } from './sweeps.ts';

type Handler<Name extends JobName> = (context: JobContext, data: JobData<Name>) => Promise<JobResult>;

/** Work that is over once it resolves. */
async function done(work: Promise<unknown>): Promise<undefined> {
  await work;
}

/** One handler per job of the contract: a job without one does not compile. */
const handlers: { readonly [Name in JobName]: Handler<Name> } = {
  'handle-stripe-event': handleStripeEvent,
  'sync-payment': (context, { transferId }) => done(syncPayment(context, transferId)),
  'sync-confirmed-payment': (context, { transferId }) => done(syncConfirmedPayment(context, transferId)),
  'sync-crypto-order': (context, { orderId }) => done(syncCryptoOrder(context, orderId)),
  'expire-payment': (context, { transferId }) => done(expirePayment(context, transferId)),
  'screen-names': screenNames,
  'check-account-name': checkAccountName,
  'run-card-operation': runOperation,
  'expire-authorization': (context, { transferId }) => done(expireAuthorization(context, transferId)),
  'run-payout': runOperation,
  'run-refund': runOperation,
  'send-email': sendEmail,
  'issue-password-reset': ({ database, now }, { resetId }) =>
    done(database.transaction((em) => issuePasswordReset(em, resetId, now()))),
  'send-web-push': sendWebPush,
  'deliver-event': deliverEvent,
  'open-rate-run': (context) => done(openScheduledRateRun(context)),
  'collect-rates': (context, { runId }) => done(collectRates(context, runId)),
  'activate-rate-change': (context, { changeId }) => done(activateRateChange(context, changeId)),
  'sweep-rate-changes': (context) => done(sweepRateChanges(context)),
  'watch-rates': (context) => done(watchRates(context)),
  'fire-rate-alerts': (context) => done(fireReachedAlerts(context)),
  'reconcile-books': (context) => done(reconcile(context)),
  'ask-source-again': (context, { exceptionId }) => done(reconcileAgain(context, exceptionId)),
  'sweep-all': (context) => done(sweepAll(context)),
  'purge-expired': (context) => done(purgeExpired(context)),
};

/**
 * Runs one job; returns when it is to run again, where its row is not done. @throws what ended it, classified by `classifyError` as retryable or
 * not.
 */
export async function runJob(context: JobContext, job: { name: string; data: unknown }): Promise<JobResult> {
  try {
    if (!isJobName(job.name)) throw new NonRetryableError(`no such job: ${job.name}`);
    return await run(context, job.name, job.data);
  } catch (error) {
    throw classifyError(error);
  }
}

function run<Name extends JobName>(context: JobContext, name: Name, data: unknown): Promise<JobResult> {
  return handlers[name](context, jobs[name].data.parse(data) as JobData<Name>);
}

/** Whether there is a handler for it. */
export function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobs, name);
}
