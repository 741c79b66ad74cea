import type { JobContext } from '../job-context.ts';
import type { Attempt } from '../operations/attempt.ts';
import type { Operation } from '../operations/operation.repository.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';
import { applyIntent } from './apply-intent.ts';
import { isStaleView, isStoredFailure, readIntent } from './read-intent.ts';

/**
 * Captures the authorized amount of an approved transfer, then believes only a fresh reading. Where the sender cancelled, the
 * void that was asked for decides. Once captured, payouts/pay-out.ts comes next.
 */
export async function capturePayment(context: JobContext, operation: Operation): Promise<Attempt> {
  const transfer = await findTransfer(context.database.fork(), operation.transferId);
  if (transfer?.state !== 'approved' || transfer.cancelRequestedAt) return { result: 'unneeded' };
  const before = await readIntent(context, transfer);
  let stored: unknown;
  if (before.status === 'requires_capture') {
    try {
      await context.stripe.paymentIntents.capture(before.id, {}, { idempotencyKey: operation.idempotencyKey });
    } catch (error) {
      if (isStoredFailure(error)) stored = error;
      else if (!isStaleView(error)) throw error;
    }
  }
  const after = await readIntent(context, transfer);
  if (stored && after.status === 'requires_capture') return { result: 'again', error: String(stored) };
  await applyIntent(context, transfer, after);
  return { result: 'settled' };
}
