import { dayMs } from '#core/time/time';
import { PasswordRecovery, Session } from './accounts/account.entity.ts';
import { forgetUnusedDevices } from './accounts/known-device.repository.ts';
import type { JobContext } from './job-context.ts';
import { Mail } from './notifications/email.entity.ts';
import { deleteIdempotencyKeys } from './payments/idempotency-key.repository.ts';
import { deleteHandledEvents } from './payments/stripe-event.repository.ts';

/**
 * Deletes what nobody can need any more: ended sessions, idempotency keys older than two days, recoveries a week after they expired,
 * devices unused for 400 days, counts of rate limits that ended, handled events and e-mails after 30 days.
 */
export async function sweepLeftovers(context: JobContext): Promise<void> {
  const em = context.database.fork();
  const before = (days: number) => new Date(context.now().getTime() - days * dayMs);
  await em.nativeDelete(Session, { expiresAt: { $lt: before(1) } });
  await deleteIdempotencyKeys(em, before(2));
  await forgetUnusedDevices(em, before(400));
  await em.nativeDelete(PasswordRecovery, { expiresAt: { $lt: before(7) } });
  await em.nativeDelete(Mail, { createdAt: { $lt: before(30) } });
  await em.execute('delete from rate_limit where expire < ?', [context.now().getTime()]);
  await deleteHandledEvents(em, before(30));
}
