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

/** Stripe's status of a payment whose transfer says so already: the worker has read it since. */
const knownStatus: Partial<Record<TransferState, string>> = {
  in_review: 'requires_capture',
  approved: 'requires_capture',
  captured: 'succeeded',
  payout_failed: 'succeeded',
  completed: 'succeeded',
};

/**
 * The status of a sender's own payment: `succeeded` once it is held, Stripe's own status otherwise. Stripe is read unless the transfer has moved.
 * @throws Failure `not_found` (also for another person's), `payment_provider_unavailable`.
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
 * The browser says that the card was confirmed: if Stripe says so too, the worker is asked to read the payment, as Stripe's
 * own event does (sync-payment.ts), unless that has come first. Returns the transfer as it is now.
 * @throws Failure `not_found` (also for another person's), `payment_not_completed`, `payment_provider_unavailable`.
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

/** Transfers read again by one request of an admin; the sweep reads the rest. */
const rereadMax = 500;

/** Asks to read the payments of open transfers again, in the transaction of `em`; returns how many. */
export async function requestOpenPayments(em: EntityManager): Promise<number> {
  const open = await findOpenAtStripe(em, rereadMax);
  for (const transferId of open) addJob(em, 'sync-payment', { transferId });
  return open.length;
}
