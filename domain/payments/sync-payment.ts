import type { Stripe } from 'stripe';
import { dayMs } from '#core/time/time';
import type { TransferState } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import type { JobContext } from '../job-context.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { type MoveChanges, markHoldReleased, moveTransfer } from '../transfers/transfer.repository.ts';
import { chargeOf, readIntent } from './read-intent.ts';
import { refundPayment } from './refund.ts';

/** States of transfers that are not going on: whatever is still held for them is let go. */
export const endedUnpaid: readonly TransferState[] = ['rejected', 'cancelled', 'failed', 'expired'];

/** Length of a card hold when Stripe does not say (Visa, Mastercard, Amex and Discover: 7 days). */
const holdMs = 7 * dayMs;

/**
 * Brings a transfer to where its money is, whoever asks: webhook, browser, sweep or admin, once, often or all at the same
 * time. Only what Stripe says now counts, never what an event said.
 */
export async function syncPayment(context: JobContext, transferId: string): Promise<void> {
  const transfer = await context.database.fork().findOne(Transfer, { id: transferId });
  if (!transfer?.paymentIntentId) return;
  if (transfer.state === 'refunding') return refundPayment(context, transferId);
  await settle(context, transfer, await readIntent(context, transfer));
}

/** Moves a transfer by a freshly read intent. Statuses that are not listed leave it where it is. */
export async function settle(context: JobContext, transfer: Transfer, intent: Stripe.PaymentIntent): Promise<void> {
  const at = context.now();
  const { id, state } = transfer;
  await context.database.transaction(async (em) => {
    if (intent.status === 'requires_capture') {
      if (state === 'awaiting_payment') await moveTransfer(em, id, 'hold', { at, changes: heldBy(intent, at) });
      else if (endedUnpaid.includes(state)) addJob(em, 'release-hold', { transferId: id });
    } else if (intent.status === 'canceled') {
      if (state === 'awaiting_payment') await moveTransfer(em, id, 'let_lapse', { at });
      else if (state === 'in_review') await moveTransfer(em, id, 'lose_hold', { at, changes: { reason: holdLost } });
      else if (state === 'approved') await endUncaptured(em, id, at);
      if (state !== 'captured' && state !== 'completed') await markHoldReleased(em, id, at);
    } else if (intent.status === 'succeeded' && intent.amount_received === intent.amount) {
      if (state === 'approved') await capture(em, id, at);
      else if (endedUnpaid.includes(state)) addJob(em, 'release-hold', { transferId: id });
    }
    await em.flush();
  });
}

/** Let go uncaptured: because its sender cancelled, or else the hold was lost. */
async function endUncaptured(em: EntityManager, id: string, at: Date): Promise<void> {
  const cancelled = await moveTransfer(em, id, 'cancel_hold', { at, changes: { reason: cancelledBySender } });
  if (!cancelled) await moveTransfer(em, id, 'fail_capture', { at, changes: { reason: holdLost } });
}

/** Captured. If its sender cancelled while Stripe was at it, it turns back at once, before any payout. */
async function capture(em: EntityManager, id: string, at: Date): Promise<void> {
  const captured = await moveTransfer(em, id, 'capture', { at });
  if (!captured?.cancelRequestedAt) return;
  await moveTransfer(em, id, 'cancel_charge', { at, changes: { reason: cancelledBySender } });
}

/** Why a transfer ended that its sender cancelled after the approval. */
export const cancelledBySender = 'El remitente lo canceló';
const holdLost = 'La reserva en la tarjeta terminó antes de cobrarse. No se cobró nada.';

function heldBy(intent: Stripe.PaymentIntent, at: Date): MoveChanges {
  const card = chargeOf(intent)?.payment_method_details?.card;
  const captureBefore = card?.capture_before ? new Date(card.capture_before * 1000) : new Date(at.getTime() + holdMs);
  return { paidAt: at, captureBefore, cardBrand: card?.brand ?? null, cardLast4: card?.last4 ?? null };
}
