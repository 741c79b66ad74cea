import { Failure } from '#core/contracts/failures';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { Database, type EntityManager } from '#platform/database/database';
import { findUsersById } from '../accounts/account.repository.ts';
import { moveAtOnce, moveTransfer } from './move-transfer.ts';
import { findTransfer, rereadTransfer } from './transfer.repository.ts';
import { toAdminTransferView } from './transfer-views.ts';

/**
 * An admin's decision: one guarded move. What follows from it is the worker's: payments/capture.ts after an approval,
 * payments/void-authorization.ts after a rejection. Of several admins at once exactly one decides.
 * @throws Failure `not_found`, `own_transfer`, `recipient_missing`, `not_awaiting_decision`, and `already_decided` which
 * says who decided what and carries the transfer as it is now.
 */
export async function decide(
  database: Database,
  input: { transferId: string; decision: 'approve' | 'reject'; adminId: string; reason: string | null; at: Date },
): Promise<AdminTransferView> {
  const { transferId, decision, adminId, reason, at } = input;
  const seen = await findTransfer(database.fork(), transferId);
  if (!seen) throw new Failure('not_found');
  if (seen.userId === adminId) throw new Failure('own_transfer');
  if (decision === 'approve' && seen.state === 'in_review' && !seen.payoutTarget) {
    throw new Failure('recipient_missing');
  }
  const changes = { decidedAt: at, decidedById: adminId, ...(reason ? { reason } : {}) };
  const options = { at, actorId: adminId, changes };
  const moved =
    (await moveAtOnce(database, seen, decision, options)) ??
    // Something else about it changed meanwhile, or a case is open.
    (await database.transaction((em) => moveTransfer(em, transferId, decision, options)));
  if (!moved) throw await whyNot(database.fork(), transferId, adminId);
  return toAdminTransferView(database.fork(), moved);
}

/** Reads the transfer again: another decision was first, or there is nothing to decide. */
async function whyNot(em: EntityManager, transferId: string, adminId: string): Promise<Failure> {
  const transfer = await rereadTransfer(em, transferId);
  const details = { transaction: await toAdminTransferView(em, transfer) };
  if (!transfer.decidedById) return new Failure('not_awaiting_decision', details);
  if (transfer.decidedById === adminId) return new Failure('already_decided', { ...details, decidedBy: 'you' });
  const [decider] = await findUsersById(em, [transfer.decidedById]);
  return new Failure('already_decided', { ...details, decidedBy: decider?.name ?? '' });
}
