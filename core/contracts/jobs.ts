import { z } from 'zod';

const ofTransfer = z.object({ transferId: z.uuid() });
const ofOperation = z.object({ operationId: z.uuid() });
const nothing = z.object({});
const ofRateChange = z.object({ changeId: z.string().regex(/^\d+$/) });

/**
 * Every job there is: its queue and its data. Jobs carry ids, never data or secrets; a handler reads the truth again and
 * may run any number of times. What a queue is for stands beside it, as the queue dashboard shows them to ops.
 */
export const jobs = {
  /** Stripe called the webhook: the stored events that are due are hints to read their payments again. */
  'handle-due-stripe-events': { queue: 'stripe-events', data: nothing },
  /** A stored event was put off, or its signal got lost. */
  'handle-stripe-event': { queue: 'stripe-events', data: z.object({ eventId: z.string() }) },
  /** Read the payment fresh from Stripe and bring the transfer to where the money is. */
  'sync-payment': { queue: 'confirmations', data: ofTransfer },
  /** The browser says that the card was confirmed: the same, unless Stripe's event has come first. */
  'sync-confirmed-payment': { queue: 'confirmations', data: ofTransfer },
  /** A capture, void, refund or dispute response is due; the operation's row says what and with which key. */
  'run-card-operation': { queue: 'decisions', data: ofOperation },
  /** A payout is due. */
  'run-payout': { queue: 'payouts', data: ofOperation },
  /** The quote ran out: cancel the payment intent, unless it was paid in the last moment. */
  'expire-payment': { queue: 'expiries', data: ofTransfer },
  /** The authorization on the card is about to end without a decision. */
  'expire-authorization': { queue: 'expiries', data: ofTransfer },
  /** Read the purchase's onramp session fresh from Stripe and bring the purchase to where it stands. */
  'sync-crypto-order': { queue: 'confirmations', data: z.object({ orderId: z.uuid() }) },
  /** All of `sweeps`, one after the other: a job of its own for each would cost an idle product more than the looks themselves. */
  'sweep-all': { queue: 'sweeps', data: nothing },
  /** Finds open transfers whose next step got lost and asks for it again. */
  'sweep-transfers': { queue: 'sweeps', data: nothing },
  /**
   * Finds operations that are due and whose job got lost, reminds admins of cases that grow old and of transfers to decide on, and
   * senders of accounts that the bank did not pay, whose money goes back in the end.
   */
  'sweep-operations': { queue: 'sweeps', data: nothing },
  /** Writes admins of deadlines of reported problems that end soon or have ended, and closes those whose correction is done. */
  'sweep-complaints': { queue: 'sweeps', data: nothing },
  /** Asks the bank which payments came back. */
  'sweep-bank-returns': { queue: 'sweeps', data: nothing },
  /** Finds Stripe events that were stored but not handled, or never delivered. */
  'sweep-stripe-events': { queue: 'sweeps', data: nothing },
  /** Reminds senders of transfers that they repeat and whose day has come. */
  'sweep-repeats': { queue: 'sweeps', data: nothing },
  /** Finds crypto orders that were not updated for a while, and asks to read them again. */
  'sweep-crypto-orders': { queue: 'sweeps', data: nothing },
  /**
   * Deletes ended sessions, idempotency keys, password resets, handled events, e-mails and the like past their retention
   * time.
   */
  'purge-expired': { queue: 'sweeps', data: nothing },
  /** The hour of a scheduled change of a rate has come. */
  'activate-rate-change': { queue: 'rate-changes', data: ofRateChange },
  /** Finds scheduled changes whose job got lost, and changes that waited too long for a second person. */
  'sweep-rate-changes': { queue: 'rate-changes', data: nothing },
  /** It is time to look at prices and rates again: opens a run, unless one is under way or just was. */
  'open-rate-run': { queue: 'rates', data: nothing },
  /** Imports what Stripe and the bank say, and compares it with our books. */
  'reconcile-books': { queue: 'books', data: nothing },
  /** The same, and what they say since the day of an exception is read again. */
  'ask-source-again': { queue: 'books', data: z.object({ exceptionId: z.uuid() }) },
  /** Asks every price and rate source, and writes down what they said. */
  'collect-rates': { queue: 'rates', data: z.object({ runId: z.uuid() }) },
  /** Writes down which currencies' payments pause or go on, and tells admins. */
  'watch-rates': { queue: 'sweeps', data: nothing },
  /** A rate changed: fires the rate alerts that it reached. */
  'fire-rate-alerts': { queue: 'alerts', data: nothing },
  /** A password reset was asked for: writes the e-mail if the address has an account. */
  'issue-password-reset': { queue: 'mails', data: z.object({ resetId: z.uuid() }) },
} as const;

/** What is looked for every few seconds, in this order. */
export const sweeps = [
  'sweep-transfers',
  'sweep-operations',
  'sweep-complaints',
  'sweep-bank-returns',
  'sweep-stripe-events',
  'watch-rates',
  'sweep-repeats',
  'sweep-crypto-orders',
] as const satisfies readonly (keyof typeof jobs)[];

/** Jobs of earlier versions that may still wait in a queue; what they asked for is asked for by other jobs now. */
export const retiredJobs: readonly string[] = [
  'capture-payment',
  'cancel-approved-transfer',
  'void-authorization',
  'pay-out',
  'refund-payment',
  'send-mail',
  'sweep-mails',
];

export type JobName = keyof typeof jobs;
export type JobData<Name extends JobName> = z.infer<(typeof jobs)[Name]['data']>;
export type QueueName = (typeof jobs)[JobName]['queue'];
export const queueNames = [...new Set(Object.values(jobs).map((job) => job.queue))] as QueueName[];
