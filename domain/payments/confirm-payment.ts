import { Failure } from '#core/contracts/failures';
import type { TransferView } from '#core/contracts/http/transfers';
import type { TransferState } from '#core/transfers/states';
import type { Database, EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { findOpenAtStripe, findOwnTransferByIntent, rereadTransfer } from '../transfers/transfer.repository.ts';
import type { CardPayments } from './payment-intents.ts';

interface Services {
  readonly database: Database;
  readonly cards: CardPayments;
}

interface OwnPayment {
  readonly userId: string;
  readonly paymentIntentId: string;
}

/** Stripe's status of a payment as implied by its transfer's state, once the worker has read it. */
const knownStatus: Partial<Record<TransferState, string>> = {
  in_review: 'requires_capture',
  approved: 'requires_capture',
  captured: 'succeeded',
  payout_failed: 'succeeded',
  completed: 'succeeded',
};

/**
 * The status of a sender's own payment: `succeeded` once it is authorized, Stripe's status otherwise. Stripe is read
 * unless the transfer has moved on.
 * @throws Failure `not_found` (also for another user's), `payment_provider_unavailable`.
 */
export async function readPaymentStatus(
  { database, cards }: Services,
  { userId, paymentIntentId }: OwnPayment,
): Promise<{ status: string; providerStatus: string }> {
  const { state } = await findOwnTransferByIntent(database.fork(), userId, paymentIntentId);
  const providerStatus = knownStatus[state] ?? (await cards.readStatus(paymentIntentId));
  return { status: providerStatus === 'requires_capture' ? 'succeeded' : providerStatus, providerStatus };
}

/**
 * Called when the browser reports that the card was confirmed. If Stripe confirms it, queues a reading of the payment,
 * as Stripe's event does (sync-payment.ts), unless that event came first. Returns the current transfer.
 * @throws Failure `not_found` (also for another user's), `payment_not_completed`, `payment_provider_unavailable`.
 */
export async function confirmPayment(
  { database, cards }: Services,
  { userId, paymentIntentId }: OwnPayment,
): Promise<TransferView> {
  const { id, state } = await findOwnTransferByIntent(database.fork(), userId, paymentIntentId);
  if (!knownStatus[state]) {
    if (!(await cards.isHeld(paymentIntentId))) throw new Failure('payment_not_completed');
    await database.transaction(async (em) => addJob(em, 'sync-confirmed-payment', { transferId: id }));
  }
  const em = database.fork();
  return toTransferView(em, await rereadTransfer(em, id), new Date());
}

/** Maximum transfers that one request of an admin re-reads; the sweep reads the rest. */
const rereadMax = 500;

/** Queues another reading of the payments of open transfers, in the transaction of `em`; returns their number. */
export async function requestOpenPayments(em: EntityManager): Promise<number> {
  const open = await findOpenAtStripe(em, rereadMax);
  for (const transferId of open) addJob(em, 'sync-payment', { transferId });
  return open.length;
}
