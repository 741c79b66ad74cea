import { Transfer } from '#platform/database/schema/transfers';
import { moveTransfer } from '#platform/database/transfers';
import type { Engine } from '../engine.ts';
import { readIntent } from './intent.ts';
import { cancelIntent } from './release.ts';
import { cancelledBySender, settle } from './sync.ts';

/**
 * A sender cancelled after the approval and in time. Stripe decides whether the hold was let go or captured in the meantime:
 * an intent can be cancelled or captured, never both. What was charged goes back, fee included.
 */
export async function undoTransfer(engine: Engine, transferId: string, attempt: number): Promise<void> {
  const transfer = await engine.database.read().findOne(Transfer, { id: transferId });
  if (!transfer?.cancelRequestedAt) return;
  if (transfer.state === 'captured') {
    await engine.database.transaction((em) =>
      moveTransfer(em, transfer.id, 'cancel_charge', { at: engine.now(), changes: { reason: cancelledBySender } }),
    );
  } else if (transfer.state === 'approved') {
    const before = await readIntent(engine, transfer);
    if (before.status === 'requires_capture') await cancelIntent(engine, transfer, attempt);
    const intent = await readIntent(engine, transfer);
    await settle(engine, transfer, intent);
    if (intent.status === 'requires_capture') throw new Error('the hold is still there');
  }
}
