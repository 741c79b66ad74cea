import type { EntityManager } from '#platform/database/database';
import { EmailChange } from './email-change.entity.ts';
import { PasswordReset } from './password-reset.entity.ts';

/**
 * Ends what would still change these accounts by a link that was sent before: open password resets, whose links then say that they were
 * replaced, and unconfirmed e-mail changes. In the transaction of `em`, whenever password, address or holder change.
 */
export async function endPendingChanges(em: EntityManager, userIds: readonly string[], at: Date): Promise<void> {
  const open = { userId: { $in: [...userIds] }, endedAt: null };
  await em.nativeUpdate(PasswordReset, open, { endedAt: at, ending: 'replaced' });
  await em.nativeUpdate(EmailChange, { ...open, changedAt: null }, { endedAt: at });
}
