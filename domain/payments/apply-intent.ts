import type { Stripe } from 'stripe';
import { dayMs } from '#core/time/time';
import { type WindowLimits, windowBroken } from '#core/transfers/limits';
import type { EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { NonRetryableError } from '#platform/queues/retry';
import { lockUser } from '../accounts/account.repository.ts';
import type { JobContext } from '../job-context.ts';
import { type MoveChanges, markAuthorizationVoided, moveTransfer } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { sumSent } from '../transfers/transfer-figures.repository.ts';
import { type IntentOutcome, outcomeOf } from './intent-outcome.ts';
import { chargeOf } from './read-intent.ts';

/** Length of an authorization when Stripe does not say (Visa, Mastercard, Amex and Discover: 7 days). */
const authorizationMs = 7 * dayMs;

/** Why a transfer ended that its sender cancelled after the approval. */
export const cancelledBySender = 'El remitente lo canceló';
const authorizationLost = 'La reserva en la tarjeta terminó antes de cobrarse. No se cobró nada.';

/** Stripe says of a payment what cannot be while the transfer is where it is. Reading it again changes nothing. */
export class UnexpectedIntentError extends NonRetryableError {}

/**
 * Moves a transfer by an intent that was read after the transfer was. @throws UnexpectedIntentError when both cannot be true,
 * unless the transfer was moved meanwhile, by a newer reading.
 */
export async function applyIntent(context: JobContext, read: Transfer, intent: Stripe.PaymentIntent): Promise<void> {
  const at = context.now();
  await context.database.transaction(async (em) => {
    const transfer = await lockTransfer(em, read.id);
    if (!transfer) return;
    const outcome = outcomeOf(transfer.state, intent);
    if (outcome === 'hold') return hold(em, transfer, { intent, at, limits: context.limits });
    if (outcome !== 'unexpected') return carryOut(em, transfer.id, { outcome, at });
    if (transfer.version !== read.version) return;
    const { status, amount, amount_received: received } = intent;
    context.log.error(
      { transferId: transfer.id, state: transfer.state, intent: { status, amount, received } },
      'Stripe contradicts the state of a transfer',
    );
    throw new UnexpectedIntentError(`the payment is ${status} while the transfer is ${transfer.state}`);
  });
}

async function carryOut(
  em: EntityManager,
  id: string,
  { outcome, at }: { outcome: Exclude<IntentOutcome, 'unexpected' | 'hold'>; at: Date },
): Promise<void> {
  switch (outcome) {
    case 'unchanged':
      return;
    case 'capture':
      return capture(em, id, at);
    case 'void':
      addJob(em, 'void-authorization', { transferId: id });
      return em.flush();
    case 'expire_quote':
      await moveTransfer(em, id, 'expire_quote', { at });
      return markAuthorizationVoided(em, id, at);
    case 'lose_authorization':
      await moveTransfer(em, id, 'lose_authorization', { at, changes: { reason: authorizationLost } });
      return markAuthorizationVoided(em, id, at);
    case 'end_uncaptured':
      await endUncaptured(em, id, at);
      return markAuthorizationVoided(em, id, at);
    case 'voided':
      return markAuthorizationVoided(em, id, at);
  }
}

/**
 * The card holds the amount. Limits count what is paid, so several unpaid transfers may together be more than one of them
 * allows: whichever is paid beyond it goes no further, and its authorization is voided.
 */
async function hold(
  em: EntityManager,
  transfer: Transfer,
  { intent, at, limits }: { intent: Stripe.PaymentIntent; at: Date; limits: WindowLimits },
): Promise<void> {
  // Two payments held at the same instant would not see each other.
  await lockUser(em, transfer.userId);
  const broken = windowBroken(transfer.usdMinor, limits, await sumSent(em, transfer.userId, at));
  if (!broken) await moveTransfer(em, transfer.id, 'hold', { at, changes: heldBy(intent, at) });
  else await moveTransfer(em, transfer.id, 'refuse_over_limit', { at, changes: { reason: overLimit[broken] } });
}

const overLimit = {
  day_limit_reached:
    'Con este envío superabas tu límite de 24 horas. Liberamos la reserva en tu tarjeta: no se cobró nada.',
  month_limit_reached:
    'Con este envío superabas tu límite de 30 días. Liberamos la reserva en tu tarjeta: no se cobró nada.',
} as const;

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
