import { Failure } from '#core/contracts/failures';
import type { TransferView } from '#core/contracts/http/transfers';
import type { Database, EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { findOpenAtStripe, findOwnTransferByIntent, rereadTransfer } from '../transfers/transfer.repository.ts';
import { toTransferView } from '../transfers/transfer-views.ts';
import { type CardPayments, isHeld } from './payment-intents.ts';

interface Services {
  readonly database: Database;
  readonly cards: CardPayments;
}

interface OwnPayment {
  readonly userId: string;
  readonly paymentIntentId: string;
}

/**
 * How a sender's own payment stands at Stripe now: `succeeded` once it is held, Stripe's own status otherwise.
 * @throws Failure `not_found` (also for another person's), `payment_provider_unavailable`.
 */
export async function readPaymentStatus(
  { database, cards }: Services,
  { userId, paymentIntentId }: OwnPayment,
): Promise<{ status: string; providerStatus: string }> {
  await findOwnTransferByIntent(database.fork(), userId, paymentIntentId);
  const intent = await cards.read(paymentIntentId);
  return { status: isHeld(intent) ? 'succeeded' : intent.status, providerStatus: intent.status };
}

/**
 * The browser says that the card was confirmed: if Stripe says so too, the worker is asked to read the payment, as Stripe's
 * own event does (sync-payment.ts). Returns the transfer as it is now.
 * @throws Failure `not_found` (also for another person's), `payment_not_completed`, `payment_provider_unavailable`.
 */
export async function confirmPayment(
  { database, cards }: Services,
  { userId, paymentIntentId }: OwnPayment,
): Promise<TransferView> {
  const { id } = await findOwnTransferByIntent(database.fork(), userId, paymentIntentId);
  if (!isHeld(await cards.read(paymentIntentId))) throw new Failure('payment_not_completed');
  await database.transaction(async (em) => addJob(em, 'sync-payment', { transferId: id }));
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
