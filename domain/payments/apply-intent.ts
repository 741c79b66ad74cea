import type { Stripe } from 'stripe';
import { type Outcome, outcomeOf, paymentFact } from '#core/operations/reducer';
import { dayMs } from '#core/time/time';
import { limitsOfTier, type TieredLimits, windowBroken } from '#core/transfers/limits';
import { ownReasons } from '#core/transfers/own-reasons';
import type { EntityManager } from '#platform/database/database';
import { findUser, lockUsers, type User } from '../accounts/account.repository.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { openOperation } from '../provider-calls/operation.repository.ts';
import { isPaidByAnother } from '../repeats/repeat.repository.ts';
import {
  cancelledBySender,
  type MoveChanges,
  markAuthorizationVoided,
  moveTransfer,
} from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { sumSent } from '../transfers/transfer-figures.repository.ts';
import { cardRiskOf } from './card-risk.ts';
import { chargeOf } from './read-intent.ts';

/** Validity of an authorization if Stripe does not state it (Visa, Mastercard, Amex and Discover: 7 days). */
const authorizationMs = 7 * dayMs;

/**
 * Updates a transfer from an intent that was read after it. Contradictory states open a case, unless the transfer has
 * changed since, because then a newer reading was applied.
 */
export async function applyIntent(context: JobContext, read: Transfer, intent: Stripe.PaymentIntent): Promise<void> {
  const at = context.now();
  await context.database.transaction(async (em) => {
    // Serializes concurrent authorizations of one sender. Locked before the transfer, as everywhere.
    if (read.state === 'awaiting_payment') await lockUsers(em, [read.userId]);
    const transfer = await lockTransfer(em, read.id);
    if (!transfer) return;
    const { status, amount, amount_received: amountReceived } = intent;
    const { state, version } = transfer;
    const outcome = outcomeOfIntent(transfer, intent);
    if (outcome === 'hold') {
      await hold(em, transfer, { intent, at, limits: context.limits });
      // Already charged, which the admin who decides has to know.
      if (status !== 'succeeded') return;
    } else if (await carryOut(em, transfer, { outcome, at })) return;
    if (version !== read.version) return;
    const details = `Stripe: ${status}, ${amountReceived} of ${amount} received; transfer: ${state}`;
    context.log.error({ transferId: transfer.id, details }, 'Stripe contradicts the state of a transfer');
    const isInPart = status === 'succeeded' && amountReceived < amount;
    await openCase(em, {
      transferId: transfer.id,
      reason: isInPart ? 'captured_in_part' : 'contradiction',
      details,
      at,
    });
  });
}

/** The effect of an intent on a transfer. */
export function outcomeOfIntent({ state }: Transfer, intent: Stripe.PaymentIntent): Outcome {
  const { status, amount, amount_received: amountReceived } = intent;
  const fact = paymentFact({ status, amount, amountReceived });
  return fact ? outcomeOf(state, fact) : 'unexpected';
}

/** Returns false for an outcome that does not concern a payment. */
async function carryOut(
  em: EntityManager,
  transfer: Transfer,
  { outcome, at }: { outcome: Outcome; at: Date },
): Promise<boolean> {
  switch (outcome) {
    case 'unchanged':
      return true;
    case 'capture':
      await capture(em, transfer, at);
      return true;
    case 'void':
      await openOperation(em, transfer, 'void', { at });
      await em.flush();
      return true;
    case 'expire_quote':
      await moveTransfer(em, transfer, 'expire_quote', { at });
      break;
    case 'lose_authorization':
      await moveTransfer(em, transfer, 'lose_authorization', {
        at,
        changes: { reason: ownReasons.authorization_lost },
      });
      break;
    case 'end_uncaptured':
      await endUncaptured(em, transfer, at);
      break;
    case 'voided':
      break;
    default:
      return false;
  }
  await markAuthorizationVoided(em, transfer.id, at);
  return true;
}

/**
 * The card was authorized. Limits count paid transfers, so several unpaid ones may together exceed them: a transfer
 * paid beyond a limit is stopped and its authorization voided. The same applies to a second payment of one reminder and
 * to payments of a closed account.
 */
async function hold(
  em: EntityManager,
  transfer: Transfer,
  { intent, at, limits }: { intent: Stripe.PaymentIntent; at: Date; limits: TieredLimits },
): Promise<void> {
  if (await isPaidByAnother(em, transfer)) {
    await moveTransfer(em, transfer, 'refuse_repeated', { at, changes: { reason: ownReasons.reminder_paid } });
    return;
  }
  const user = (await findUser(em, transfer.userId)) as User;
  // The sender can no longer sign in to cancel it.
  if (user.closedAt) {
    await moveTransfer(em, transfer, 'withdraw', { at, actorId: user.id });
    return;
  }
  const broken = windowBroken(
    transfer.usdMinor,
    limitsOfTier(limits, user.tier),
    await sumSent(em, transfer.userId, at),
  );
  if (!broken) await moveTransfer(em, transfer, 'hold', { at, changes: heldBy(intent, at) });
  else await moveTransfer(em, transfer, 'refuse_over_limit', { at, changes: { reason: ownReasons[broken] } });
}

/** Voided without a capture: by the sender's cancellation, or because the authorization was lost. */
async function endUncaptured(em: EntityManager, transfer: Transfer, at: Date): Promise<void> {
  const changes = { reason: cancelledBySender };
  const cancelled = await moveTransfer(em, transfer, 'cancel_authorization', { at, changes });
  if (cancelled) return;
  await moveTransfer(em, transfer, 'fail_capture', { at, changes: { reason: ownReasons.authorization_lost } });
}

/** Captured. If the sender cancelled during the capture, it is reversed at once, before any payout. */
async function capture(em: EntityManager, transfer: Transfer, at: Date): Promise<void> {
  const captured = await moveTransfer(em, transfer, 'capture', { at });
  if (!captured?.cancelRequestedAt) return;
  await moveTransfer(em, captured, 'cancel_charge', { at, changes: { reason: cancelledBySender } });
}

function heldBy(intent: Stripe.PaymentIntent, at: Date): MoveChanges {
  const charge = chargeOf(intent);
  const card = charge?.payment_method_details?.card;
  const captureBefore = card?.capture_before
    ? new Date(card.capture_before * 1000)
    : new Date(at.getTime() + authorizationMs);
  return {
    ...{ paidAt: at, captureBefore, cardBrand: card?.brand ?? null, cardLast4: card?.last4 ?? null },
    ...{ cardCountry: card?.country ?? null },
    ...{ cardFingerprint: card?.fingerprint ?? null, cardRisk: cardRiskOf(intent) },
  };
}
