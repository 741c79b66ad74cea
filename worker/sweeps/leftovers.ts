import { Mail, StripeEvent } from '#platform/database/schema/events';
import { IdempotencyKey, PasswordRecovery, Session } from '#platform/database/schema/people';
import type { Engine } from '../engine.ts';

const dayMs = 24 * 3_600_000;

/**
 * Deletes what nobody can need any more: ended sessions, idempotency keys older than two days, recoveries a week after they expired,
 * handled events and e-mails after 30 days.
 */
export async function sweepLeftovers(engine: Engine): Promise<void> {
  const em = engine.database.read();
  const before = (days: number) => new Date(engine.now().getTime() - days * dayMs);
  await em.nativeDelete(Session, { expiresAt: { $lt: before(1) } });
  await em.nativeDelete(IdempotencyKey, { createdAt: { $lt: before(2) } });
  await em.nativeDelete(PasswordRecovery, { expiresAt: { $lt: before(7) } });
  await em.nativeDelete(Mail, { createdAt: { $lt: before(30) } });
  await em.nativeDelete(StripeEvent, { handledAt: { $lt: before(30) } });
}
