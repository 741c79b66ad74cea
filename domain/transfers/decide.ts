import { Failure } from '#core/contracts/failures';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { Database, type EntityManager } from '#platform/database/database';
import { User } from '../accounts/account.entity.ts';
import { Transfer } from './transfer.entity.ts';
import { moveTransfer } from './transfer.repository.ts';
import { toAdminTransferViews } from './transfer-views.ts';

/**
 * An admin's decision: one guarded move, and what follows from it is the worker's. Of several admins at once exactly one
 * decides. @throws Failure `not_found`, `own_transfer`, `recipient_missing`, `not_awaiting_decision`, and `already_decided`
 * which says who decided what and carries the transfer as it is now.
 */
export async function decide(
  database: Database,
  input: { transferId: string; decision: 'approve' | 'reject'; admin: User; reason: string | null; at: Date },
): Promise<AdminTransferView> {
  const { transferId, decision, admin, reason, at } = input;
  return database.transaction(async (em) => {
    const seen = await em.findOne(Transfer, { id: transferId });
    if (!seen) throw new Failure('not_found');
    if (seen.userId === admin.id) throw new Failure('own_transfer');
    if (decision === 'approve' && seen.state === 'in_review' && !seen.payoutTarget) {
      throw new Failure('recipient_missing');
    }
    const changes = { decidedAt: at, decidedById: admin.id, ...(reason ? { reason } : {}) };
    const moved = await moveTransfer(em, transferId, decision, { at, actorId: admin.id, changes });
    if (!moved) throw await whyNot(em, transferId, admin);
    return adminViewOf(em, moved);
  });
}

/** Reads the truth again: somebody else was first, or there is nothing to decide. */
async function whyNot(em: EntityManager, transferId: string, admin: User): Promise<Failure> {
  const transfer = await em.findOneOrFail(Transfer, { id: transferId }, { refresh: true });
  const details = { transaction: await adminViewOf(em, transfer) };
  if (!transfer.decidedById) return new Failure('not_awaiting_decision', details);
  if (transfer.decidedById === admin.id) return new Failure('already_decided', { ...details, decidedBy: 'you' });
  const decider = await em.findOneOrFail(User, { id: transfer.decidedById });
  return new Failure('already_decided', { ...details, decidedBy: decider.name });
}

async function adminViewOf(em: EntityManager, transfer: Transfer): Promise<AdminTransferView> {
  const [view] = await toAdminTransferViews(em, [transfer]);
  return view as AdminTransferView;
}
