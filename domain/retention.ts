import { dayMs } from '#core/time/time';
import { deleteAccountChanges } from './accounts/account-change.repository.ts';
import { eraseClosedAccounts, removeLifted } from './accounts/closing.repository.ts';
import { deleteEmailChanges } from './accounts/email-change.repository.ts';
import { deleteEmailProofs } from './accounts/email-proof.repository.ts';
import { forgetUnusedDevices } from './accounts/known-device.repository.ts';
import { deletePasswordResets } from './accounts/password-reset.repository.ts';
import { deletePendingSignIns } from './accounts/second-factor.repository.ts';
import { deleteSessions } from './accounts/session.repository.ts';
import { deleteUnstartedCryptoOrders } from './crypto/crypto-order.repository.ts';
import { releaseDocuments } from './identity/identity.repository.ts';
import type { JobContext } from './job-context.ts';
import { deleteEmails, giveUpOldEmails } from './notifications/email.repository.ts';
import { deleteWebPushes } from './notifications/web-push.repository.ts';
import { deleteDeclines } from './payments/declined-attempt.repository.ts';
import { deleteIdempotencyKeys } from './payments/idempotency-key.repository.ts';
import { deleteHandledEvents } from './payments/stripe-event.repository.ts';
import { deleteEndedPlans } from './repeats/repeat.repository.ts';
import { rotateEncryptionKeys } from './rotate-encryption-keys.ts';
import { foldTotals } from './transfers/transfer-figures.repository.ts';
import { deleteDeliveries } from './webhooks/delivery.repository.ts';

/**
 * Deletes rows past their retention time: each line has a table's days, as in retention-rules.ts. Skips people on legal
 * hold (`notOnLegalHold`). The audit log is kept as long as the books, and so never deleted (decision 45).
 */
export async function purgeExpired(context: JobContext): Promise<void> {
  const em = context.database.fork();
  const before = (days: number) => new Date(context.now().getTime() - days * dayMs);
  await deleteSessions(em, before(1));
  await deletePendingSignIns(em, before(1));
  await deleteIdempotencyKeys(em, before(2));
  await removeLifted(context.database);
  await context.database.transaction((one) => eraseClosedAccounts(one, { never: before(30), paid: before(3653) }));
  await releaseDocuments(em, before(30));
  await forgetUnusedDevices(em, before(400));
  await deletePasswordResets(em, before(7));
  await deleteEmailChanges(em, before(30));
  await deleteAccountChanges(em, before(30));
  await deleteEmailProofs(em, before(7));
  await deleteEmails(em, before(30));
  await giveUpOldEmails(em, context.now());
  await deleteWebPushes(em, before(30));
  await deleteEndedPlans(em, before(90));
  await deleteHandledEvents(em, before(30));
  await deleteDeclines(em, before(30));
  await deleteDeliveries(em, before(90));
  // A buyer does not return to an order whose session was never created.
  await deleteUnstartedCryptoOrders(em, before(7));
  // Not a deletion either: after two days hardly anything is written to a day's total.
  await foldTotals(em, before(2));
  await em.execute('delete from rate_limit where expire < ?', [context.now().getTime()]);
  // Encrypt rows written before encryption, or by a process without the new key, instead of deleting them.
  await rotateEncryptionKeys(context.database);
}
