import { formatRate } from '#core/rates/rate';
import type { EntityManager } from '#platform/database/database';
import { findUser } from '../accounts/account.repository.ts';
import { addEmailToAdmins } from '../emails/email.repository.ts';
import type { RateChange } from './rate-change.repository.ts';

/**
 * Notifies every admin but the requester that a rate change awaits a second person; once each time it starts to wait.
 */
export async function emailWaitingChange(em: EntityManager, change: RateChange, at: Date): Promise<void> {
  const { id, currency, rate, previousRate, proposedById, awaitingSince, reason, guardRails: rails } = change;
  const setBy = (await findUser(em, proposedById))?.name ?? '';
  await addEmailToAdmins(em, {
    kind: 'rate_change_waiting',
    key: `rate_change_waiting-${id}-${awaitingSince?.getTime()}`,
    data: {
      currency,
      rate: formatRate(rate),
      previousRate: previousRate == null ? null : formatRate(previousRate),
      setBy,
      reason: reason ?? null,
      guardRails: [...rails],
    },
    at,
    exceptIds: [proposedById],
  });
}
