import { dayMs } from '#core/time/time';
import { deleteAccountChanges } from '#domain/accounts/account-change.repository';
import { deleteUnstartedCryptoOrders } from '#domain/crypto/crypto-order.repository';
import { deleteEmails, giveUpOldEmails } from '#domain/emails/email.repository';
import { releaseDocuments } from '#domain/identity/identity.repository';
import type { JobContext } from '#domain/jobs/job-context';
import { eraseClosedAccounts, removeLifted } from '#domain/own-account/closing.repository';
import { deleteDeclines } from '#domain/payments/declined-attempt.repository';
import { deleteIdempotencyKeys } from '#domain/payments/idempotency-key.repository';
import { deleteHandledEvents } from '#domain/payments/stripe-event.repository';
import { deleteEndedPlans } from '#domain/repeats/repeat.repository';
import { deleteEmailChanges } from '#domain/sign-in/email-change.repository';
import { deleteEmailProofs } from '#domain/sign-in/email-proof.repository';
import { forgetUnusedDevices } from '#domain/sign-in/known-device.repository';
import { deletePasswordResets } from '#domain/sign-in/password-reset.repository';
import { deletePendingSignIns } from '#domain/sign-in/second-factor.repository';
import { deleteSessions } from '#domain/sign-in/session.repository';
import { foldTotals } from '#domain/transfers/transfer-figures.repository';
import { deleteWebPushes } from '#domain/web-pushes/web-push.repository';
import { deleteDeliveries } from '#domain/webhooks/delivery.repository';
import { rotateEncryptionKeys } from './rotate-encryption-keys.ts';

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
