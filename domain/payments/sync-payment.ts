import type { JobContext } from '../job-context.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';
import { applyIntent } from './apply-intent.ts';
import { readIntent } from './read-intent.ts';
import { refundPayment } from './refund.ts';

/**
 * Brings a transfer to the state its payment has at Stripe. Webhook, browser, sweep and admin may call it any number of
 * times, also at the same time. Only what Stripe says now counts (apply-intent.ts), never what an event said. A payment that
 * is held waits for an admin next: transfers/decide.ts.
 */
export async function syncPayment(context: JobContext, transferId: string): Promise<void> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (!transfer?.paymentIntentId) return;
  if (transfer.state === 'refunding') return refundPayment(context, transferId);
  await applyIntent(context, transfer, await readIntent(context, transfer));
}
