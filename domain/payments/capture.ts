import type { JobContext } from '../job-context.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { undoTransfer } from './cancel-approved.ts';
import { isStaleView, readIntent } from './read-intent.ts';
import { settle } from './sync-payment.ts';

/**
 * An admin approved: captures the hold, unless its sender cancelled, then believes only a fresh reading. A payment can be captured once, whatever the
 * key; the key keeps a repeated request from being a second one, and carries the attempt because Stripe would replay a
 * stored 500 for a day.
 */
export async function capturePayment(context: JobContext, transferId: string, attempt: number): Promise<void> {
  const transfer = await context.database.fork().findOne(Transfer, { id: transferId });
  if (transfer?.state !== 'approved') return;
  if (transfer.cancelRequestedAt) return undoTransfer(context, transferId, attempt);
  const before = await readIntent(context, transfer);
  if (before.status !== 'requires_capture') return settle(context, transfer, before);
  try {
    await context.stripe.paymentIntents.capture(before.id, {}, { idempotencyKey: `capture:${transfer.id}:${attempt}` });
  } catch (error) {
    if (!isStaleView(error)) throw error;
  }
  await settle(context, transfer, await readIntent(context, transfer));
}
