import { Transfer } from '#platform/database/schema/transfers';
import { holdMarginMs, moveTransfer } from '#platform/database/transfers';
import type { Engine } from '../engine.ts';
import { readIntent } from './intent.ts';
import { cancelIntent } from './release.ts';
import { settle } from './sync.ts';

/**
 * The quote ran out. Somebody may have paid in the last moment, so Stripe is asked first: a held card becomes a transfer,
 * anything else is cancelled there before the transfer expires here.
 */
export async function expirePayment(engine: Engine, transferId: string, attempt: number): Promise<void> {
  const transfer = await engine.database.read().findOne(Transfer, { id: transferId });
  if (transfer?.state !== 'awaiting_payment' || transfer.quoteExpiresAt > engine.now()) return;
  if (!transfer.paymentIntentId) {
    // Its secret never reached anybody, so nobody can pay it.
    await engine.database.transaction((em) => moveTransfer(em, transfer.id, 'let_lapse', { at: engine.now() }));
    return;
  }
  const intent = await readIntent(engine, transfer);
  if (intent.status === 'requires_capture' || intent.status === 'canceled') return settle(engine, transfer, intent);
  await cancelIntent(engine, transfer, attempt);
  await settle(engine, transfer, await readIntent(engine, transfer));
}

/** The hold comes near its end undecided: it is let go, never captured. */
export async function expireHold(engine: Engine, transferId: string): Promise<void> {
  const transfer = await engine.database.read().findOne(Transfer, { id: transferId });
  if (transfer?.state !== 'in_review' || !transfer.captureBefore) return;
  const at = engine.now();
  if (transfer.captureBefore.getTime() - holdMarginMs > at.getTime()) return;
  const reason = 'No se revisó a tiempo y la reserva en la tarjeta se liberó. No se cobró nada.';
  await engine.database.transaction((em) => moveTransfer(em, transfer.id, 'release_hold', { at, changes: { reason } }));
}
