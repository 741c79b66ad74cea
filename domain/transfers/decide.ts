import { Failure } from '#core/contracts/failures';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { passableStatuses } from '#core/review/screening';
import { Database, type EntityManager } from '#platform/database/database';
import { findUsersById } from '../accounts/account.repository.ts';
import { findReview } from '../review/review.repository.ts';
import { type ReviewPolicy, screeningOf } from '../review/review-views.ts';
import { moveAtOnce, moveTransfer } from './move-transfer.ts';
import { findTransfer, lockTransfer, rereadTransfer, type Transfer } from './transfer.repository.ts';
import { toAdminTransferView } from './transfer-views.ts';

interface Decision {
  readonly transferId: string;
  readonly decision: 'approve' | 'reject';
  readonly adminId: string;
  readonly reason: string | null;
  readonly at: Date;
}

/**
 * An admin's decision: one guarded move. What follows from it is the worker's: payments/capture.ts after an approval,
 * payments/void-authorization.ts after a rejection. Of several admins at once exactly one decides.
 * @throws Failure `not_found`, `own_transfer`, `recipient_missing`, `screening_needed`, `not_awaiting_decision`, and `already_decided` which
 * says who decided what and carries the transfer as it is now.
 */
export async function decide(database: Database, input: Decision, policy: ReviewPolicy): Promise<AdminTransferView> {
  const { transferId, decision, adminId, reason, at } = input;
  const seen = await findTransfer(database.fork(), transferId);
  if (!seen) throw new Failure('not_found');
  if (seen.userId === adminId) throw new Failure('own_transfer');
  await checkReview(database.fork(), seen, input, policy);
  const changes = { decidedAt: at, decidedById: adminId, ...(reason ? { reason } : {}) };
  const options = { at, actorId: adminId, changes };
  const moved =
    (await moveAtOnce(database, seen, decision, options)) ??
    // Something else about it changed meanwhile, or a case is open.
    (await database.transaction(async (em) => {
      const locked = await lockTransfer(em, transferId);
      if (!locked) return null;
      await checkReview(em, locked, input, policy);
      return moveTransfer(em, locked, decision, options);
    }));
  if (!moved) throw await whyNot(database.fork(), transferId, adminId);
  return toAdminTransferView(database.fork(), moved);
}

/** @throws Failure when a transfer as it was read cannot be approved for what its review says. */
async function checkReview(
  em: EntityManager,
  { id, state, payoutTarget }: Transfer,
  { decision }: Decision,
  policy: ReviewPolicy,
): Promise<void> {
  if (decision === 'reject' || state !== 'in_review') return;
  if (!payoutTarget) throw new Failure('recipient_missing');
  if (!policy.screens) return;
  const review = await findReview(em, id);
  // A recipient who was chosen meanwhile was not checked yet.
  const isCurrent = review?.names.some(({ subject, name }) => subject === 'recipient' && name === payoutTarget.name);
  const screening = screeningOf(isCurrent ? review : null, policy);
  if (!passableStatuses.includes(screening)) throw new Failure('screening_needed', { screening });
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
