import { isEndedUnpaid } from '#core/operations/reducer';
import type { TransferState } from '#core/transfers/states';
import type { JobContext } from '../jobs/job-context.ts';
import { findOperations } from '../provider-calls/operation.repository.ts';
import { findTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { applyIntent, outcomeOfIntent } from './apply-intent.ts';
import { chargeOf, readIntent } from './read-intent.ts';
import { chargedStates, syncRefunds } from './refund.ts';
import { isHoldEventDue } from './stripe-event.repository.ts';
import { syncDisputes } from './sync-disputes.ts';

/** States with a current or past refund: it may fail long after it succeeded. */
const refundStates: readonly TransferState[] = ['refunding', 'refunded'];

/**
 * Updates a transfer to the state of its payment, for any caller: webhook, browser, sweep or admin, any number of times
 * and concurrently. Only Stripe's current state counts (apply-intent.ts, refund.ts), never an event's content. An
 * authorized payment then waits for an admin: review/decide.ts.
 */
export async function syncPayment(context: JobContext, transferId: string): Promise<void> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (transfer) await syncReadPayment(context, transfer);
}

/**
 * `syncPayment` for a transfer whose browser reports that the card was confirmed, unless Stripe's event has been
 * handled or is about to be, to avoid a second reading.
 */
export async function syncConfirmedPayment(context: JobContext, transferId: string): Promise<void> {
  const em = context.database.fork();
  const transfer = await findTransfer(em, transferId);
  if (transfer?.state !== 'awaiting_payment' || !transfer.paymentIntentId) return;
  if (!(await isHoldEventDue(em, transfer.paymentIntentId))) await syncReadPayment(context, transfer);
}

/** `syncPayment` for a transfer that was just read. `isAboutRefund`: the caller knows of a refund, stored or not. */
export async function syncReadPayment(
  context: JobContext,
  transfer: Transfer,
  { isAboutRefund = false }: { isAboutRefund?: boolean } = {},
): Promise<void> {
  if (!transfer.paymentIntentId) return;
  const intent = await readIntent(context, transfer);
  if (outcomeOfIntent(transfer, intent) !== 'unchanged') await applyIntent(context, transfer, intent);
  const returned = (chargeOf(intent)?.amount_refunded ?? 0) > 0 && intent.status === 'succeeded';
  if (chargeOf(intent)?.disputed) await syncDisputes(context, transfer.id);
  const refunds =
    refundStates.includes(transfer.state) ||
    (chargedStates.has(transfer.state) && (isAboutRefund || (await hasRefunds(context, transfer.id))));
  // The refund of an unapproved charge may fail, too.
  const unapproved = isEndedUnpaid(transfer.state) && intent.status === 'succeeded';
  if (returned || refunds || unapproved) await syncRefunds(context, transfer);
}

/** Whether a refund is recorded: one that fails later leaves no trace in the charge. */
async function hasRefunds(context: JobContext, transferId: string): Promise<boolean> {
  return (await findOperations(context.database.fork(), transferId, 'refund')).length > 0;
}
