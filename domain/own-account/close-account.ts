import { randomUUID } from 'node:crypto';
import { Failure } from '#core/contracts/failures';
import type { Database, EntityManager } from '#platform/database/database';
import { lockUser, type User } from '../accounts/account.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { findUnpaid } from '../transfers/transfer.repository.ts';
import { countReasonsToStay, keepHeldData, removePersonalData } from './closing.repository.ts';

/**
 * Closes an account: unpaid transfers are cancelled, every session ends, and data that no law requires is removed
 * (after a legal hold is lifted, if there is one). Transfers stay. `verified` is the account whose password was
 * checked.
 * @throws Failure `forbidden` for an admin, `account_busy` while money or an answer is owed, `wrong_password` when the
 * password has changed since.
 */
export async function closeAccount(database: Database, { verified, at }: { verified: User; at: Date }): Promise<void> {
  const userId = verified.id;
  // The operator locks the accounts of admins who leave.
  if (verified.role === 'admin') throw new Failure('forbidden');
  await database.transaction(async (em) => {
    // Opening a payment and authorizing a card lock the account too, so nothing is left unpaid after this commit.
    const user = await lockUser(em, userId);
    if (user.passwordHash !== verified.passwordHash) throw new Failure('wrong_password');
    await refuseToClose(em, userId);
    for (const { id } of await findUnpaid(em, userId)) await moveTransfer(em, id, 'withdraw', { at, actorId: userId });
    user.closedAt = at;
    await em.flush();
    await writeAudit(em, 'account_closed', { subject: userId });
    await (user.legalHoldAt ? keepHeldData : removePersonalData)(em, userId, at);
    const data = { closedAt: at.toISOString() };
    await addEmail(em, { kind: 'account_closed', key: `account_closed-${randomUUID()}`, data, at, userId });
  });
}

async function refuseToClose(em: EntityManager, userId: string): Promise<void> {
  const reasons = await countReasonsToStay(em, userId);
  if (reasons.transfers + reasons.complaints + reasons.cases > 0) throw new Failure('account_busy', reasons);
}
