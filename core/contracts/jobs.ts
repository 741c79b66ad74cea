import { z } from 'zod';

const ofTransfer = z.object({ transferId: z.uuid() });
/**
 * A job of a row that says itself whether it is done. `dispatch`: how often a job was added for the row; only the last one does anything.
 * `transferId`: the transfer that it is about, for operators; handlers read the row.
 */
const ofRow = z.object({
  id: z.string().min(1),
  dispatch: z.number().int().positive().default(1),
  transferId: z.uuid().nullish(),
});
const nothing = z.object({});
const ofRateChange = z.object({ changeId: z.string().regex(/^\d+$/) });

/**
 * All queues and their work, in the order of a transfer's life. `money`: its jobs move money or decide about it, so the
 * queue dashboard does not allow deleting them.
 */
export const queues = {
  'stripe-events': { money: true },
  confirmations: { money: true },
  screenings: { money: true },
  decisions: { money: true },
  payouts: { money: true },
  refunds: { money: true },
  emails: { money: false },
  'web-pushes': { money: false },
  'partner-webhooks': { money: false },
  rates: { money: false },
  'rate-alerts': { money: false },
  reconciliation: { money: true },
  maintenance: { money: false },
} as const satisfies Record<string, { readonly money: boolean }>;

export type QueueName = keyof typeof queues;
export const queueNames = Object.keys(queues) as QueueName[];

/**
 * All jobs with their queue and data. Jobs carry ids, never data or secrets; a handler reads the rows again and may run
 * any number of times.
 */
export const jobs = {
  /** Stripe called the webhook: a stored event is a hint to read its payment again. */
  'handle-stripe-event': { queue: 'stripe-events', data: ofRow },
  /** Read the payment fresh from Stripe and bring the transfer to where the money is. */
  'sync-payment': { queue: 'confirmations', data: ofTransfer },
  /** The browser says that the card was confirmed: the same, unless Stripe's event has come first. */
  'sync-confirmed-payment': { queue: 'confirmations', data: ofTransfer },
  /** Reads the purchase's onramp session from Stripe and updates the purchase to its status. */
  'sync-crypto-order': { queue: 'confirmations', data: z.object({ orderId: z.uuid() }) },
  /** The quote expired: cancel the payment intent, unless it was paid in the last moment. */
  'expire-payment': { queue: 'confirmations', data: ofTransfer },
  /** Check the names of a transfer in review against the sanctions lists. */
  'screen-names': { queue: 'screenings', data: ofRow },
  /** Ask the bank whether an account is in the recipient's name. */
  'check-account-name': { queue: 'screenings', data: ofRow },
  /** A capture, void or dispute response is due; the operation's row has the details and the idempotency key. */
  'run-card-operation': { queue: 'decisions', data: ofRow },
  /** The authorization on the card is about to end without a decision. */
  'expire-authorization': { queue: 'decisions', data: ofTransfer },
  /** A payout is due. */
  'run-payout': { queue: 'payouts', data: ofRow },
  /** A refund is due. */
  'run-refund': { queue: 'refunds', data: ofRow },
  'send-email': { queue: 'emails', data: ofRow },
  /** A password reset was requested: writes the e-mail if the address has an account. */
  'issue-password-reset': { queue: 'emails', data: z.object({ resetId: z.uuid() }) },
  'send-web-push': { queue: 'web-pushes', data: ofRow },
  /** Send an event to a partner's endpoint. */
  'deliver-event': { queue: 'partner-webhooks', data: ofRow },
  /** It is time to look at prices and rates again: opens a run, unless one is under way or just was. */
  'open-rate-run': { queue: 'rates', data: nothing },
  /** Calls every price and rate source and stores the answers. */
  'collect-rates': { queue: 'rates', data: z.object({ runId: z.uuid() }) },
  /** The hour of a scheduled change of a rate has come. */
  'activate-rate-change': { queue: 'rates', data: ofRateChange },
  /** Finds scheduled changes whose job got lost, and changes that waited too long for a second person. */
  'sweep-rate-changes': { queue: 'rates', data: nothing },
  /** A rate was set or collected: writes down which currencies' payments pause or go on, and tells admins. */
  'watch-rates': { queue: 'rates', data: nothing },
  /** A rate changed: fires the rate alerts that it reached. */
  'fire-rate-alerts': { queue: 'rate-alerts', data: nothing },
  /** Imports what Stripe and the bank say, and compares it with our books. */
  'reconcile-books': { queue: 'reconciliation', data: nothing },
  /** The same, and re-reads the sources since the day of an exception. */
  'ask-source-again': { queue: 'reconciliation', data: z.object({ exceptionId: z.uuid() }) },
  /** Runs every sweep, one after the other. */
  'sweep-all': { queue: 'maintenance', data: nothing },
  /**
   * Deletes ended sessions, idempotency keys, password resets, handled events, e-mails and similar rows past their
   * retention time.
   */
  'purge-expired': { queue: 'maintenance', data: nothing },
} as const satisfies Record<string, { readonly queue: QueueName; readonly data: z.ZodType }>;

export type JobName = keyof typeof jobs;
export type JobData<Name extends JobName> = z.infer<(typeof jobs)[Name]['data']>;

/** Jobs of rows that say themselves whether they are done. */
export type RowJobName = {
  [Name in JobName]: (typeof jobs)[Name]['data'] extends typeof ofRow ? Name : never;
}[JobName];
export type RowJobData = z.infer<typeof ofRow>;

/** Whether a job is one of a row. */
export function isRowJob(name: JobName): name is RowJobName {
  return jobs[name].data === ofRow;
}

export const rowJobNames = (Object.keys(jobs) as JobName[]).filter(isRowJob);

/** The id of a row's job in its queue. */
export function rowJobId(name: RowJobName, { id, dispatch }: Pick<RowJobData, 'id' | 'dispatch'>): string {
  return `${name}-${id}-${dispatch}`;
}
