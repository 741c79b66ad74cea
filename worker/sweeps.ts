import { sweepBankReturns } from '#domain/bank-returns/sweep-bank-returns';
import { sweepComplaints } from '#domain/complaint-handling/sweep-complaints';
import { sweepCryptoOrders } from '#domain/crypto/sweep-orders';
import { closeMissedCases } from '#domain/desk/close-missed-cases';
import { remindOfCases } from '#domain/desk/remind-of-cases';
import { remindOfDecisions } from '#domain/desk/remind-of-decisions';
import type { JobContext } from '#domain/jobs/job-context';
import { sweepStripeEvents } from '#domain/payments/sweep-stripe-events';
import { sweepTransfers } from '#domain/payments/sweep-transfers';
import { expireCorrections } from '#domain/payouts/expire-corrections';
import { watchRates } from '#domain/rates/rate-pauses';
import { remindOfRepeats } from '#domain/repeats/remind';
import { openMissingScreenings } from '#domain/review/screen-names';
import { sweepLostJobs } from '#domain/row-jobs/lost-jobs';
import { timedJob } from './timed-job.ts';

type Sweep = (context: JobContext) => Promise<unknown>;

/** The sweeps that run every few seconds, in this order. The names appear in metrics and logs. */
export const sweeps: Readonly<Record<string, Sweep>> = {
  /** Rows whose job no queue knows. */
  'lost-jobs': sweepLostJobs,
  /** Open transfers that nothing moves on. */
  transfers: sweepTransfers,
  /** Events that Stripe could not deliver. */
  'stripe-events': sweepStripeEvents,
  /** Transfers in review whose names were never screened. */
  screenings: openMissingScreenings,
  /** Payments that the bank returned. */
  'bank-returns': sweepBankReturns,
  /** Cases that settled themselves, and admins' reminders of old ones. */
  'missed-cases': closeMissedCases,
  'case-reminders': remindOfCases,
  'decision-reminders': remindOfDecisions,
  /** Refused accounts that no sender corrected in time. */
  corrections: expireCorrections,
  /** Deadlines of reported problems. */
  complaints: sweepComplaints,
  /** Currencies whose rate grew too old, or is fresh again. */
  'rate-pauses': watchRates,
  /** Transfers that senders repeat and whose day has come. */
  repeats: remindOfRepeats,
  /** Crypto orders that were not updated for a while. */
  'crypto-orders': sweepCryptoOrders,
};

/** Runs every sweep; one that fails keeps no other from running. @throws the failure, or all of them. */
export async function sweepAll(context: JobContext): Promise<void> {
  const failures: Error[] = [];
  for (const [name, sweep] of Object.entries(sweeps))
    await timedJob(`sweep-${name}`, 'maintenance', () => sweep(context)).catch((error: Error) => failures.push(error));
  if (failures.length > 1) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
  if (failures[0]) throw failures[0];
}
