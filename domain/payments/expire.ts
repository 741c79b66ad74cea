import type { JobContext } from '../job-context.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { holdMarginMs, moveTransfer } from '../transfers/transfer.repository.ts';
import { readIntent } from './read-intent.ts';
import { settle } from './sync-payment.ts';
import { cancelIntent } from './void-authorization.ts';

/**
 * The quote ran out. Somebody may have paid in the last moment, so Stripe is asked first: a held card becomes a transfer,
 * anything else is cancelled there before the transfer expires here.
 */
export async function expirePayment(context: JobContext, transferId: string, attempt: number): Promise<void> {
  const transfer = await context.database.fork().findOne(Transfer, { id: transferId });
  if (transfer?.state !== 'awaiting_payment' || transfer.quoteExpiresAt > context.now()) return;
  if (!transfer.paymentIntentId) {
    // Its secret never reached anybody, so nobody can pay it.
    await context.database.transaction((em) => moveTransfer(em, transfer.id, 'let_lapse', { at: context.now() }));
    return;
  }
  const intent = await readIntent(context, transfer);
  if (intent.status === 'requires_capture' || intent.status === 'canceled') return settle(context, transfer, intent);
  await cancelIntent(context, transfer, attempt);
  await settle(context, transfer, await readIntent(context, transfer));
}

/** The hold comes near its end undecided: it is let go, never captured. */
export async function expireHold(context: JobContext, transferId: string): Promise<void> {
  const transfer = await context.database.fork().findOne(Transfer, { id: transferId });
  if (transfer?.state !== 'in_review' || !transfer.captureBefore) return;
  const at = context.now();
  if (transfer.captureBefore.getTime() - holdMarginMs > at.getTime()) return;
  const reason = 'No se revisó a tiempo y la reserva en la tarjeta se liberó. No se cobró nada.';
  await context.database.transaction((em) =>
    moveTransfer(em, transfer.id, 'release_hold', { at, changes: { reason } }),
  );
}
