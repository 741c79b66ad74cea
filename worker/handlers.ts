import { type JobData, type JobName, jobs } from '#core/contracts/jobs';
import { answerRecovery } from '#platform/database/recoveries';
import { syncCryptoOrder } from './crypto/sync.ts';
import type { Engine } from './engine.ts';
import { sendMail } from './mail/send.ts';
import { undoTransfer } from './payments/cancel.ts';
import { capturePayment } from './payments/capture.ts';
import { expireHold, expirePayment } from './payments/expiry.ts';
import { refundPayment } from './payments/refund.ts';
import { releaseHold } from './payments/release.ts';
import { handleStripeEvent } from './payments/stripe-events.ts';
import { syncPayment } from './payments/sync.ts';
import { payOut } from './payouts/pay-out.ts';
import { fireReachedAlerts } from './rate-alerts/fire.ts';
import { activateRateChange, sweepRateChanges } from './rate-desk/changes.ts';
import { collectRates, openDueRun } from './rate-sources/run.ts';
import { Hopeless, settleFailure } from './retry.ts';
import { sweepCryptoOrders } from './sweeps/crypto-orders.ts';
import { sweepLeftovers } from './sweeps/leftovers.ts';
import { sweepMails } from './sweeps/mails.ts';
import { watchRates } from './sweeps/pauses.ts';
import { sweepStripeEvents } from './sweeps/stripe-events.ts';
import { sweepTransfers } from './sweeps/transfers.ts';

type Handler<Name extends JobName> = (engine: Engine, data: JobData<Name>, attempt: number) => Promise<void>;

/** One handler per job of the contract: a job without one does not compile. */
const handlers: { readonly [Name in JobName]: Handler<Name> } = {
  'handle-stripe-event': (engine, { eventId }) => handleStripeEvent(engine, eventId),
  'sync-payment': (engine, { transferId }) => syncPayment(engine, transferId),
  'capture-payment': (engine, { transferId }, attempt) => capturePayment(engine, transferId, attempt),
  'cancel-transfer': (engine, { transferId }, attempt) => undoTransfer(engine, transferId, attempt),
  'release-hold': (engine, { transferId }, attempt) => releaseHold(engine, transferId, attempt),
  'pay-out': (engine, { transferId }) => payOut(engine, transferId),
  'refund-payment': (engine, { transferId }) => refundPayment(engine, transferId),
  'expire-payment': (engine, { transferId }, attempt) => expirePayment(engine, transferId, attempt),
  'expire-hold': (engine, { transferId }) => expireHold(engine, transferId),
  'sweep-transfers': (engine) => sweepTransfers(engine),
  'sweep-stripe-events': (engine) => sweepStripeEvents(engine),
  'sync-crypto-order': (engine, { orderId }) => syncCryptoOrder(engine, orderId),
  'sweep-crypto-orders': (engine) => sweepCryptoOrders(engine),
  'sweep-leftovers': (engine) => sweepLeftovers(engine),
  'activate-rate-change': (engine, { changeId }) => activateRateChange(engine, changeId),
  'sweep-rate-changes': (engine) => sweepRateChanges(engine),
  'open-rate-run': (engine) => openDueRun(engine),
  'collect-rates': (engine, { runId }) => collectRates(engine, runId),
  'watch-rates': (engine) => watchRates(engine),
  'fire-rate-alerts': (engine) => fireReachedAlerts(engine),
  'answer-recovery': ({ database, now }, { recoveryId }) =>
    database.transaction((em) => answerRecovery(em, recoveryId, now())),
  'send-mail': (engine, { mailId }) => sendMail(engine, mailId),
  'sweep-mails': (engine) => sweepMails(engine),
};

/** Runs one job. @throws whatever ended it, already settled into "again" or "never again". */
export async function runJob(
  engine: Engine,
  job: { name: string; data: unknown; attemptsMade: number },
): Promise<void> {
  try {
    if (!isJobName(job.name)) throw new Hopeless(`no such job: ${job.name}`);
    await run(engine, job.name, job.data, job.attemptsMade);
  } catch (error) {
    throw settleFailure(error);
  }
}

function run<Name extends JobName>(engine: Engine, name: Name, data: unknown, attempt: number): Promise<void> {
  return handlers[name](engine, jobs[name].data.parse(data) as JobData<Name>, attempt);
}

function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobs, name);
}
