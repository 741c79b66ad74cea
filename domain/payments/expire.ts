import type { JobContext } from '../job-context.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { authorizationMarginMs, findTransfer } from '../transfers/transfer.repository.ts';
import { applyIntent } from './apply-intent.ts';
import { readIntent } from './read-intent.ts';
import { cancelIntent } from './void-authorization.ts';

/**
 * The quote ran out. The card may have been confirmed in the last moment, so Stripe is asked first: an authorized payment
 * goes to review, anything else is cancelled there before the transfer expires here.
 */
export async function expirePayment(context: JobContext, transferId: string, attempt: number): Promise<void> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (transfer?.state !== 'awaiting_payment' || transfer.quoteExpiresAt > context.now()) return;
  if (!transfer.paymentIntentId) {
    // No browser ever got its secret, so it cannot be paid.
    await context.database.transaction((em) => moveTransfer(em, transfer.id, 'expire_quote', { at: context.now() }));
    return;
  }
  const intent = await readIntent(context, transfer);
  if (intent.status === 'requires_capture' || intent.status === 'canceled')
    return applyIntent(context, transfer, intent);
  await cancelIntent(context, transfer, attempt);
  await applyIntent(context, transfer, await readIntent(context, transfer));
}

/** The authorization comes near its end undecided: the transfer expires, and void-authorization.ts frees the card. */
export async function expireAuthorization(context: JobContext, transferId: string): Promise<void> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (transfer?.state !== 'in_review' || !transfer.captureBefore) return;
  const at = context.now();
  if (transfer.captureBefore.getTime() - authorizationMarginMs > at.getTime()) return;
  const reason = 'No se revisó a tiempo y la reserva en la tarjeta se liberó. No se cobró nada.';
  await context.database.transaction((em) =>
    moveTransfer(em, transfer.id, 'expire_authorization', { at, changes: { reason } }),
  );
}
