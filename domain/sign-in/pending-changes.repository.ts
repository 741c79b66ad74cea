import type { EntityManager } from '#platform/database/database';
import { EmailChange } from './email-change.entity.ts';
import { PasswordReset } from './password-reset.entity.ts';

/**
 * Ends pending changes of these accounts by links that were already sent: open password resets, whose links then fail
 * as replaced, and unconfirmed e-mail changes. In the transaction of `em`, whenever password, address or holder change.
 */
export async function endPendingChanges(em: EntityManager, userIds: readonly string[], at: Date): Promise<void> {
  const open = { userId: { $in: [...userIds] }, endedAt: null };
  await em.nativeUpdate(PasswordReset, open, { endedAt: at, ending: 'replaced' });
  await em.nativeUpdate(EmailChange, { ...open, changedAt: null }, { endedAt: at });
}
