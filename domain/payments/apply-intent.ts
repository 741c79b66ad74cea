import type { Stripe } from 'stripe';
import { dayMs } from '#core/time/time';
import { endedUnpaidStates } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import type { JobContext } from '../job-context.ts';
import { type MoveChanges, markAuthorizationVoided, moveTransfer } from '../transfers/move-transfer.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { chargeOf } from './read-intent.ts';

/** Length of an authorization when Stripe does not say (Visa, Mastercard, Amex and Discover: 7 days). */
const authorizationMs = 7 * dayMs;

/** Why a transfer ended that its sender cancelled after the approval. */
export const cancelledBySender = 'El remitente lo canceló';
const authorizationLost = 'La reserva en la tarjeta terminó antes de cobrarse. No se cobró nada.';

/** Moves a transfer by a freshly read intent. Statuses that are not listed leave it where it is. */
export async function applyIntent(
  context: JobContext,
  transfer: Transfer,
  intent: Stripe.PaymentIntent,
): Promise<void> {
  const at = context.now();
  const { id, state } = transfer;
  await context.database.transaction(async (em) => {
    if (intent.status === 'requires_capture') {
      if (state === 'awaiting_payment') await moveTransfer(em, id, 'hold', { at, changes: heldBy(intent, at) });
      else if (endedUnpaidStates.includes(state)) addJob(em, 'void-authorization', { transferId: id });
    } else if (intent.status === 'canceled') {
      if (state === 'awaiting_payment') await moveTransfer(em, id, 'expire_quote', { at });
      else if (state === 'in_review')
        await moveTransfer(em, id, 'lose_authorization', { at, changes: { reason: authorizationLost } });
      else if (state === 'approved') await endUncaptured(em, id, at);
      if (state !== 'captured' && state !== 'completed') await markAuthorizationVoided(em, id, at);
    } else if (intent.status === 'succeeded' && intent.amount_received === intent.amount) {
      if (state === 'approved') await capture(em, id, at);
      else if (endedUnpaidStates.includes(state)) addJob(em, 'void-authorization', { transferId: id });
    }
    await em.flush();
  });
}

/** Voided uncaptured: because its sender cancelled, or else the authorization was lost. */
async function endUncaptured(em: EntityManager, id: string, at: Date): Promise<void> {
  const cancelled = await moveTransfer(em, id, 'cancel_authorization', { at, changes: { reason: cancelledBySender } });
  if (!cancelled) await moveTransfer(em, id, 'fail_capture', { at, changes: { reason: authorizationLost } });
}

/** Captured. If its sender cancelled while Stripe was at it, it turns back at once, before any payout. */
async function capture(em: EntityManager, id: string, at: Date): Promise<void> {
  const captured = await moveTransfer(em, id, 'capture', { at });
  if (!captured?.cancelRequestedAt) return;
  await moveTransfer(em, id, 'cancel_charge', { at, changes: { reason: cancelledBySender } });
}

function heldBy(intent: Stripe.PaymentIntent, at: Date): MoveChanges {
  const card = chargeOf(intent)?.payment_method_details?.card;
  const captureBefore = card?.capture_before
    ? new Date(card.capture_before * 1000)
    : new Date(at.getTime() + authorizationMs);
  return { paidAt: at, captureBefore, cardBrand: card?.brand ?? null, cardLast4: card?.last4 ?? null };
}
