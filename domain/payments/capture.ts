import type { JobContext } from '../job-context.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';
import { applyIntent } from './apply-intent.ts';
import { cancelApprovedTransfer } from './cancel-approved.ts';
import { isStaleView, readIntent } from './read-intent.ts';

/**
 * An admin approved: captures the authorized amount, unless its sender cancelled, then believes only a fresh reading. A
 * payment can be captured once, whatever the key; the key keeps a repeated request from being a second one, and carries the
 * attempt because Stripe would replay a stored 500 for a day. Once captured, payouts/pay-out.ts comes next.
 */
export async function capturePayment(context: JobContext, transferId: string, attempt: number): Promise<void> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (transfer?.state !== 'approved') return;
  if (transfer.cancelRequestedAt) return cancelApprovedTransfer(context, transferId, attempt);
  const before = await readIntent(context, transfer);
  if (before.status !== 'requires_capture') return applyIntent(context, transfer, before);
  try {
    await context.stripe.paymentIntents.capture(before.id, {}, { idempotencyKey: `capture:${transfer.id}:${attempt}` });
  } catch (error) {
    if (!isStaleView(error)) throw error;
  }
  await applyIntent(context, transfer, await readIntent(context, transfer));
}
