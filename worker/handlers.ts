import { type JobData, type JobName, jobs, retiredJobs, sweeps } from '#core/contracts/jobs';
import { issuePasswordReset } from '#domain/accounts/password-reset.repository';
import { sweepComplaints } from '#domain/complaints/sweep-complaints';
import { sweepCryptoOrders } from '#domain/crypto/sweep-orders';
import { syncCryptoOrder } from '#domain/crypto/sync-order';
import type { JobContext } from '#domain/job-context';
import { closeMissedCases } from '#domain/operations/close-missed-cases';
import { remindOfCases } from '#domain/operations/remind-of-cases';
import { remindOfDecisions } from '#domain/operations/remind-of-decisions';
import { runOperation } from '#domain/operations/run-operation';
import { sweepOperations } from '#domain/operations/sweep-operations';
import { expireAuthorization, expirePayment } from '#domain/payments/expire';
import { handleDueStripeEvents, handleStripeEvent } from '#domain/payments/handle-stripe-event';
import { hasDueEvents } from '#domain/payments/stripe-event.repository';
import { sweepStripeEvents } from '#domain/payments/sweep-stripe-events';
import { sweepTransfers } from '#domain/payments/sweep-transfers';
import { syncConfirmedPayment, syncPayment } from '#domain/payments/sync-payment';
import { sweepBankReturns } from '#domain/payouts/sweep-bank-returns';
import { collectRates, openScheduledRateRun } from '#domain/rate-sources/collect-rates';
import { activateRateChange, sweepRateChanges } from '#domain/rates/activate-rate-changes';
import { fireReachedAlerts } from '#domain/rates/rate-alerts';
import { watchRates } from '#domain/rates/rate-pauses';
import { reconcile, reconcileAgain } from '#domain/reconciliation/reconcile';
import { remindOfRepeats } from '#domain/repeats/remind';
import { purgeExpired } from '#domain/retention';
import { screenDueNames } from '#domain/review/screen-names';
import { expireCorrections } from '#domain/transfers/expire-corrections';
import { classifyError, NonRetryableError } from '#platform/queues/retry';
import { timedJob } from './timed-job.ts';

/** How a job came to its handler. */
interface Delivery {
  /** Another process had it and died. */
  readonly takeOver: boolean;
}

type Handler<Name extends JobName> = (context: JobContext, data: JobData<Name>, delivery: Delivery) => Promise<void>;

/** One handler per job of the contract: a job without one does not compile. */
const handlers: { readonly [Name in JobName]: Handler<Name> } = {
  'handle-due-stripe-events': async (context) => {
    // Frees those that a process had taken which died, perhaps with this very job.
    await hasDueEvents(context.database.fork(), context.now());
    await handleDueStripeEvents(context);
  },
  'handle-stripe-event': (context, { eventId }) => handleStripeEvent(context, eventId),
  'sync-payment': (context, { transferId }) => syncPayment(context, transferId),
  'sync-confirmed-payment': (context, { transferId }) => syncConfirmedPayment(context, transferId),
  'run-card-operation': (context, { operationId }, delivery) => runOperation(context, operationId, delivery),
  'run-payout': (context, { operationId }, delivery) => runOperation(context, operationId, delivery),
  'expire-payment': (context, { transferId }) => expirePayment(context, transferId),
  'expire-authorization': (context, { transferId }) => expireAuthorization(context, transferId),
  'sweep-all': (context) => sweepAll(context),
  'sweep-transfers': (context) => sweepTransfers(context),
  'sweep-complaints': (context) => sweepComplaints(context),
  'sweep-bank-returns': (context) => sweepBankReturns(context),
  'sweep-operations': async (context) => {
    await sweepOperations(context);
    await closeMissedCases(context);
    await remindOfCases(context);
    await remindOfDecisions(context);
    await expireCorrections(context);
    await screenDueNames(context, { all: true });
  },
  'sweep-stripe-events': (context) => sweepStripeEvents(context),
  'sync-crypto-order': (context, { orderId }) => syncCryptoOrder(context, orderId),
  'sweep-repeats': (context) => remindOfRepeats(context),
  'sweep-crypto-orders': (context) => sweepCryptoOrders(context),
  'purge-expired': (context) => purgeExpired(context),
  'activate-rate-change': (context, { changeId }) => activateRateChange(context, changeId),
  'sweep-rate-changes': (context) => sweepRateChanges(context),
  'open-rate-run': (context) => openScheduledRateRun(context),
  'collect-rates': (context, { runId }) => collectRates(context, runId),
  'reconcile-books': (context) => reconcile(context),
  'ask-source-again': (context, { exceptionId }) => reconcileAgain(context, exceptionId),
  'watch-rates': (context) => watchRates(context),
  'fire-rate-alerts': (context) => fireReachedAlerts(context),
  'issue-password-reset': ({ database, now }, { resetId }) =>
    database.transaction((em) => issuePasswordReset(em, resetId, now())),
};

/** Runs one job. @throws what ended it, classified by `classifyError` as retryable or not. */
export async function runJob(
  context: JobContext,
  job: { name: string; data: unknown; stalledCounter?: number },
): Promise<void> {
  try {
    if (retiredJobs.includes(job.name)) return;
    if (!isJobName(job.name)) throw new NonRetryableError(`no such job: ${job.name}`);
    await run(context, job.name, job.data, { takeOver: (job.stalledCounter ?? 0) > 0 });
  } catch (error) {
    throw classifyError(error);
  }
}

function run<Name extends JobName>(context: JobContext, name: Name, data: unknown, delivery: Delivery): Promise<void> {
  return handlers[name](context, jobs[name].data.parse(data) as JobData<Name>, delivery);
}

/** What one sweep fails at keeps no other from looking. @throws the failure, or all of them. */
async function sweepAll(context: JobContext): Promise<void> {
  const failures: Error[] = [];
  for (const name of sweeps) {
    const sweep = () => run(context, name, {}, { takeOver: false });
    await timedJob(name, sweep).catch((error: unknown) => failures.push(classifyError(error)));
  }
  if (failures.length > 1) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
  if (failures[0]) throw failures[0];
}

/** Whether there is a handler for it. */
export function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobs, name);
}
