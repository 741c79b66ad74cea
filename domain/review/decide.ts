import { Failure } from '#core/contracts/failures';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { formatMinor } from '#core/money/money';
import type { RejectionCode } from '#core/review/rejection';
import { passableStatuses } from '#core/review/screening';
import { Database, type EntityManager } from '#platform/database/database';
import { findUsersById, isStillPermitted, requireSecondPerson } from '../accounts/account.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import {
  type ApprovalRequest,
  decideRequest,
  endWaitingRequests,
  findApprovalRequest,
  insertApprovalRequest,
} from '../desk/desk-request.repository.ts';
import { addEmailToAdmins } from '../emails/email.repository.ts';
import { findHolds, releaseHolds } from '../holds/holds.repository.ts';
import type { RateRules } from '../rates/rate-rules.ts';
import { toAdminTransferView } from '../transfer-views/transfer-views.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { lockTransfer, rereadTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { betterNow } from './better-rate.ts';
import { refuseClaimed } from './claim.ts';
import { bumpReviewVersion, findReview, findReviewed, type Review } from './review.repository.ts';
import { needsTwoPeople, type ReviewPolicy, screeningOf } from './review-views.ts';
import { awaitScreening } from './reviews.ts';

export interface Decision {
  readonly transferId: string;
  readonly decision: 'approve' | 'reject';
  readonly adminId: string;
  /** The waiting first approval that the admin saw; null: none. */
  readonly approvalRequestId?: string | null | undefined;
  /** The reason's code, and the admin's note to the sender. */
  readonly code?: RejectionCode | null;
  readonly reason: string | null;
  readonly at: Date;
}

/** An installation's review settings, and the rate rules for finding a better rate. */
export type DecisionPolicy = ReviewPolicy & { readonly rates: Pick<RateRules, 'everyMs' | 'pauseAfterMs'> };

/**
 * An admin's decision: one guarded move. The worker carries out the consequences: payments/capture.ts after an
 * approval, payments/void-authorization.ts after a rejection. Exactly one of several concurrent decisions succeeds.
 * From the policy's amount on, the first approval only requests a second person's, and the transfer is returned
 * unchanged.
 * @throws Failure `not_found`, `own_transfer`, `claimed`, `recipient_missing`, `screening_needed`, `transfer_held`,
 * `own_request`, `not_awaiting_decision`, `approval_changed` when another first approval is waiting than the admin saw,
 * and `already_decided` with the decision and its author; both carry the current transfer.
 */
export async function decide(database: Database, input: Decision, policy: DecisionPolicy): Promise<AdminTransferView> {
  const { transferId, decision, adminId, reason, code, at } = input;
  const found = await findReviewed(database.fork(), transferId);
  if (!found) throw new Failure('not_found');
  const { transfer: seen } = found;
  if (seen.userId === adminId) throw new Failure('own_transfer');
  const isWaited = decision === 'approve' && seen.state === 'in_review';
  const review = isWaited ? await awaitScreening(database, { transferId, ...found }, policy) : found.review;
  await checkReview(database.fork(), seen, { ...input, review }, policy);
  if (isWaited) await refuseHeld(database.fork(), seen);
  const changes = {
    decidedAt: at,
    decidedById: adminId,
    ...(reason && { reason }),
    ...(code && { rejectionCode: code }),
  };
  const moment = { at, rules: policy.rates };
  const needsTwo = needsTwoPeople({ ...seen, lastDay: found.lastDay }, policy);
  const kind = decision === 'approve' ? 'transfer_approved' : 'transfer_rejected';
  const moved = await database.transaction(async (em) => {
    const locked = await lockTransfer(em, transferId);
    if (locked?.state !== 'in_review') return null;
    await checkReview(em, locked, { ...input, review: await findReview(em, transferId) }, policy);
    if (decision === 'approve') await refuseHeld(em, locked);
    const { isSettled, requestId } = needsTwo
      ? await settleApprovals(em, locked, input)
      : { isSettled: true, requestId: null };
    const better = decision === 'approve' && isSettled ? await betterNow(em, locked, moment) : {};
    const options = { at, actorId: adminId, changes: { ...changes, ...better } };
    const after = isSettled ? await moveTransfer(em, locked, decision, options) : locked;
    if (after && requestId) await acceptWarning(em, after, { requestId, at });
    const detail = { ...(needsTwo && { final: isSettled }), ...(code && { code }) };
    if (after) await writeAudit(em, kind, { subject: transferId, detail });
    return after;
  });
  if (!moved) throw await whyNot(database.fork(), transferId, adminId);
  return toAdminTransferView(database.fork(), moved);
}

/**
 * Approval takes two people, rejection one. Returns whether to carry out the decision now, and the request that a
 * second approval answered.
 * @throws Failure `own_request` when one person approves twice, `approval_changed` when another first approval is
 * waiting than they saw.
 */
async function settleApprovals(
  em: EntityManager,
  transfer: Transfer,
  input: Decision,
): Promise<{ isSettled: boolean; requestId: string | null }> {
  const { decision, adminId, approvalRequestId = null, at } = input;
  const { id: transferId, userId: senderId } = transfer;
  // A rejection ends waiting requests, like every change of state.
  if (decision === 'reject') return { isSettled: true, requestId: null };
  const waiting = await findValidApproval(em, transferId, at);
  if (waiting) await requireSecondPerson(em, { personId: adminId, requestedById: waiting.requestedById, at });
  if ((waiting?.id ?? null) !== approvalRequestId)
    throw new Failure('approval_changed', { transaction: await toAdminTransferView(em, transfer) });
  if (waiting) {
    await decideRequest(em, waiting.id, { outcome: 'approved', personId: adminId, at });
    return { isSettled: true, requestId: waiting.id };
  }
  await insertApprovalRequest(em, { transferId, senderId, adminId, at });
  await emailFirstApproval(em, transfer, { adminId, at });
  await bumpReviewVersion(em, transferId, at);
  return { isSettled: false, requestId: null };
}

/** Both approved despite a fraud warning: it no longer holds the money, and a refund stays possible from its case. */
async function acceptWarning(
  em: EntityManager,
  transfer: Transfer,
  { requestId, at }: { requestId: string; at: Date },
): Promise<void> {
  const { id: transferId, fraudWarning } = transfer;
  if (fraudWarning == null) return;
  const holds = (await findHolds(em, transfer, 'capture')).filter(({ reason }) => reason === 'fraud_warning');
  await releaseHolds(em, { transferId, holds, requestId, at });
  await openCase(em, { transferId, reason: 'fraud_warning', details: fraudWarning, at });
}

/** @throws Failure `transfer_held` for holds on the charge that two approvals cannot overrule. */
async function refuseHeld(em: EntityManager, transfer: Transfer): Promise<void> {
  const holds = await findHolds(em, transfer, 'capture');
  // A stop only delays the charge, and two approvals accept a warning.
  const left = holds.filter(({ reason }) => reason !== 'money_stop' && reason !== 'fraud_warning');
  if (left.length > 0) throw new Failure('transfer_held', { holds: left.map(({ reason }) => reason) });
}

/** The waiting first approval; void if its author may no longer approve. */
async function findValidApproval(em: EntityManager, transferId: string, at: Date): Promise<ApprovalRequest | null> {
  const waiting = await findApprovalRequest(em, transferId);
  if (!waiting || (await isStillPermitted(em, waiting.requestedById, 'approve'))) return waiting;
  await endWaitingRequests(em, transferId, { event: 'author_barred', at });
  return null;
}

/** E-mails every admin who may give the second approval, once per first one. */
async function emailFirstApproval(
  em: EntityManager,
  { id: transferId, userId, amountMinor, currency, captureBefore }: Transfer,
  { adminId, at }: { adminId: string; at: Date },
): Promise<void> {
  const [approver] = await findUsersById(em, [adminId]);
  const money = { amount: formatMinor(amountMinor), currency };
  const decideBy = captureBefore?.toISOString() ?? null;
  await addEmailToAdmins(em, {
    ...{ kind: 'approval_waiting', key: `approval_waiting-${transferId}-${at.getTime()}`, at },
    ...{ data: { transferId, ...money, approvedBy: approver?.name ?? '', decideBy }, exceptIds: [adminId, userId] },
  });
}

/** @throws Failure when the review of the transfer, as it was read, does not permit the decision. */
async function checkReview(
  em: EntityManager,
  { state, payoutTarget }: Transfer,
  { decision, adminId, at, review }: Decision & { review: Review | null },
  policy: ReviewPolicy,
): Promise<void> {
  if (state !== 'in_review') return;
  if (decision === 'approve' && !payoutTarget) throw new Failure('recipient_missing');
  await refuseClaimed(em, review, { adminId, at });
  if (decision === 'reject') return;
  // A recipient chosen since then has not been screened yet.
  const isCurrent = review?.names.some(({ subject, name }) => subject === 'recipient' && name === payoutTarget?.name);
  const screening = screeningOf(isCurrent ? review : null, policy);
  if (!passableStatuses.includes(screening)) throw new Failure('screening_needed', { screening });
}

/** Re-reads the transfer: another decision was first, or there is nothing to decide. */
async function whyNot(em: EntityManager, transferId: string, adminId: string): Promise<Failure> {
  const transfer = await rereadTransfer(em, transferId);
  const details = { transaction: await toAdminTransferView(em, transfer) };
  if (!transfer.decidedById) return new Failure('not_awaiting_decision', details);
  if (transfer.decidedById === adminId) return new Failure('already_decided', { ...details, decidedBy: 'you' });
  const [decider] = await findUsersById(em, [transfer.decidedById]);
  return new Failure('already_decided', { ...details, decidedBy: decider?.name ?? '' });
}
