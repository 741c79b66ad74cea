import { Transfer } from '#platform/database/schema/transfers';
import type { Engine } from '../engine.ts';
import { undoTransfer } from './cancel.ts';
import { isStaleView, readIntent } from './intent.ts';
import { settle } from './sync.ts';

/**
 * An admin approved: captures the hold, unless its sender cancelled, then believes only a fresh reading. A payment can be captured once, whatever the
 * key; the key keeps a repeated request from being a second one, and carries the attempt because Stripe would replay a
 * stored 500 for a day.
 */
export async function capturePayment(engine: Engine, transferId: string, attempt: number): Promise<void> {
  const transfer = await engine.database.read().findOne(Transfer, { id: transferId });
  if (transfer?.state !== 'approved') return;
  if (transfer.cancelRequestedAt) return undoTransfer(engine, transferId, attempt);
  const before = await readIntent(engine, transfer);
  if (before.status !== 'requires_capture') return settle(engine, transfer, before);
  try {
    await engine.stripe.paymentIntents.capture(before.id, {}, { idempotencyKey: `capture:${transfer.id}:${attempt}` });
  } catch (error) {
    if (!isStaleView(error)) throw error;
  }
  await settle(engine, transfer, await readIntent(engine, transfer));
}
