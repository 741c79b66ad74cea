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

/** States in which a refund is under way or was: it may fail long after it succeeded. */
const refundStates: readonly TransferState[] = ['refunding', 'refunded'];

/**
 * Brings a transfer to where its money is, for any caller: webhook, browser, sweep or admin, once, often or all at the same
 * time. Only what Stripe says now counts (apply-intent.ts, refund.ts), never what an event said. A payment that is held waits
 * for an admin next: review/decide.ts.
 */
export async function syncPayment(context: JobContext, transferId: string): Promise<void> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (transfer) await syncReadPayment(context, transfer);
}

/**
 * The same for a transfer whose browser says that the card was confirmed, unless Stripe's own event has been handled, or is about to be: that is
 * one reading, not two.
 */
export async function syncConfirmedPayment(context: JobContext, transferId: string): Promise<void> {
  const em = context.database.fork();
  const transfer = await findTransfer(em, transferId);
  if (transfer?.state !== 'awaiting_payment' || !transfer.paymentIntentId) return;
  if (!(await isHoldEventDue(em, transfer.paymentIntentId))) await syncReadPayment(context, transfer);
}

/** The same, for a transfer that was just read. `isAboutRefund`: somebody says that there is a refund, whether or not it is stored. */
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

/** Whether a refund is written down: one that fails later leaves no trace in the charge. */
async function hasRefunds(context: JobContext, transferId: string): Promise<boolean> {
  return (await findOperations(context.database.fork(), transferId, 'refund')).length > 0;
}
