import { Failure } from '#core/contracts/failures';
import type { EntityManager } from '#platform/database/database';
import { changeAddress, lockUser, noPassword } from '../accounts/account.repository.ts';
import { endUndo, readUndoLink, restoredSince, restoreFactors } from '../accounts/account-change.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import { forgetDevices } from './known-device.repository.ts';
import { endPendingChanges } from './pending-changes.repository.ts';
import { endSessions } from './session.repository.ts';

/**
 * Undoes a change by its link, in the transaction of `em`, with every later one: the account gets its address back and
 * the second factors of seven days before the change, every session, known device and pending change ends, and the
 * password has to be reset, because an intruder may know it.
 * @returns the user's id.
 * @throws Failure `email_link_dead`, `email_taken`.
 */
export async function undoChange(em: EntityManager, { token, at }: { token: string; at: Date }): Promise<string> {
  const known = await readUndoLink(em, token, at);
  if (!known) throw new Failure('email_link_dead');
  const { userId } = known;
  const user = await lockUser(em, userId);
  const change = await readUndoLink(em, token, at);
  if (!change) throw new Failure('email_link_dead');
  const lostAddress = user.email === change.email ? null : user.email;
  user.passwordHash = noPassword;
  await changeAddress(em, user, { email: change.email, at });
  await restoreFactors(em, change);
  await endPendingChanges(em, [userId], at);
  await endSessions(em, [userId], at);
  await forgetDevices(em, userId);
  await endUndo(em, userId, { since: change.at, at });
  await writeAudit(em, 'account_change_undone', { subject: userId, detail: { change: change.kind } });
  const data = { restoredAt: at.toISOString(), since: restoredSince(change).toISOString() };
  const key = `email_restored-${change.id}`;
  await addEmail(em, { kind: 'email_restored', key, data, at, userId, toAddress: change.email });
  // The reader may be the owner, and the one who undid the change an intruder in their previous mailbox.
  if (lostAddress !== null)
    await addEmail(em, {
      ...{ kind: 'email_withdrawn', key: `email_withdrawn-${change.id}`, at, userId, toAddress: lostAddress },
      data: { restoredAt: at.toISOString() },
    });
  return userId;
}
