import {
  type Finding,
  isPayable,
  possibleFindings,
  possibleRemedies,
  type Remedy,
  type RemedyAmounts,
} from '#core/complaints/complaint';
import { Failure } from '#core/contracts/failures';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { invalidInput } from '#core/contracts/invalid-input';
import { needsTwoPersons } from '#core/operations/desk-action';
import { isCertainlyUndone, openStatuses } from '#core/operations/operation';
import { passableStatuses } from '#core/review/screening';
import type { Database, EntityManager } from '#platform/database/database';
import { isStillPermitted, requireSecondPerson } from '../accounts/account.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import {
  addComplaintNote,
  type Complaint,
  changeComplaint,
  findComplaint,
  findComplaintsOf,
  findPayoutsToApprove,
  lockComplaint,
} from '../complaints/complaint.repository.ts';
import { askForApproval, tellResult } from '../complaints/letters.ts';
import {
  closeCorrected,
  findCorrection,
  investigateAgain,
  openCorrection,
  openSecondPayout,
  readRemedyFacts,
  sendBack,
  stillOwesFee,
  wasReturned,
} from '../corrections/correct.ts';
import { closeCasesOf } from '../desk/desk-case.repository.ts';
import { findRequests, wasMovedByHand } from '../desk/desk-request.repository.ts';
import { readHoldFacts } from '../holds/holds.repository.ts';
import { readPayableTarget } from '../payouts/payable-accounts.ts';
import { attemptAgain, findOperation, resumeHeldOperations, wasSent } from '../provider-calls/operation.repository.ts';
import { findReview, type Review } from '../review/review.repository.ts';
import { type ReviewPolicy, screeningOf } from '../review/review-views.ts';
import { awaitScreening } from '../review/reviews.ts';
import { openPayoutScreening, payoutKey } from '../review/screening.repository.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { type Act, refuseOwn, withComplaint } from './handle.ts';

/** An admin's finding. */
export interface Result {
  readonly finding: Finding;
  /** The text that the sender reads. */
  readonly explanation: string;
  readonly remedy?: Remedy | undefined;
  /** Refund to the card, in minor units; with the remedy `refund` only. */
  readonly amount?: bigint | undefined;
  /** Second payout, in centavos; with the remedy `pay_again` only. */
  readonly payout?: bigint | undefined;
  /** The recipient of the second payout, one of the sender's own; defaults to the account that was paid. */
  readonly recipientId?: string | undefined;
}

/**
 * Ends the investigation with its result. The sender is notified and the correction starts at once, unless a second
 * person has to approve: for a large refund, for a second payout, or if money of the transfer was already moved for a
 * report or by hand.
 * @throws Failure `not_found`, `own_transfer`, `invalid_input`, `complaint_overtaken`, `action_not_possible`,
 * `amount_differs`, `request_pending`.
 */
export function concludeComplaint(
  database: Database,
  act: Act & Result & { twoPersonsUsdMinor: bigint },
): Promise<AdminComplaintView> {
  return withComplaint(database, act, async (em, { complaint, transfer }) => {
    refuseOwn(transfer, act);
    const { adminId, at, finding, explanation, twoPersonsUsdMinor } = act;
    if (complaint.state !== 'investigating') throw new Failure('complaint_overtaken');
    if (!possibleFindings(complaint.reason).includes(finding)) throw new Failure('action_not_possible');
    const remedy = finding === 'error' ? (act.remedy ?? null) : null;
    if (finding === 'error' && !remedy) throw invalidInput({ remedy: 'answer_required' });
    const feeOwed = await stillOwesFee(em, complaint, transfer);
    const refundMinor = remedy && amountOf(transfer, { remedy, amount: act.amount, feeOwed });
    const payoutMinor = remedy ? (act.payout ?? null) : null;
    if (remedy) await checkRemedy(em, transfer, { complaint, remedy, refundMinor, payoutMinor });
    const payoutTarget = payoutMinor === null ? null : await readPayableTarget(em, transfer, act.recipientId);
    const waits = needsTwoPersons({
      movesMoney: refundMinor !== null || payoutMinor !== null,
      usdMinor: refundMinor === null ? 0n : inUsd(transfer, refundMinor),
      limitUsdMinor: twoPersonsUsdMinor,
      movedBefore: payoutMinor !== null || (await wasMovedBefore(em, complaint)),
    });
    const amounts = { amountMinor: refundMinor, payoutMinor, payoutTarget };
    const result = { finding, explanation, remedy, ...amounts, foundById: adminId, foundAt: at };
    const moved = { amountMinor: refundMinor, payoutMinor };
    const detail = { finding, remedy, waits, transferId: transfer.id, ...moved };
    await writeAudit(em, 'complaint_concluded', { subject: act.complaintId, detail });
    if (!waits) return conclude(em, { complaint, result, transfer, adminId, at });
    const waiting = await changeComplaint(em, complaint, { ...result, state: 'awaiting_approval' }, at);
    if (payoutMinor !== null) await screenPayouts(em, transfer.id, at);
    await askForApproval(em, { complaint: waiting, transfer, at });
  });
}

/**
 * The second person approves the result they saw (`foundAt`), which is sent and carried out if still possible, or sends
 * it back with a note. A second payout needs its names screened, like the first.
 * @throws Failure `not_found`, `own_transfer`, `own_request`, `invalid_input` without a note, `complaint_overtaken`
 * also for another result than they saw and when its author may no longer write results, `action_not_possible`,
 * `amount_differs`, `request_pending`, `screening_needed`.
 */
export async function approveComplaint(
  database: Database,
  act: Act & { approve: boolean; foundAt?: Date | undefined; note: string; policy: ScreeningPolicy },
): Promise<AdminComplaintView> {
  if (act.approve) await awaitPayoutScreening(database, act);
  return withComplaint(database, act, async (em, { complaint, transfer }) => {
    refuseOwn(transfer, act);
    const { complaintId, adminId, at, approve, note } = act;
    if (complaint.state !== 'awaiting_approval') throw new Failure('complaint_overtaken');
    await requireSecondPerson(em, { personId: adminId, requestedById: complaint.foundById, at });
    if (approve) await refuseOvertaken(em, complaint, act.foundAt);
    if (!approve && note === '') throw invalidInput({ note: 'reason_required' });
    if (note !== '') await addComplaintNote(em, { complaintId, authorId: adminId, text: note, at });
    const noted = (await lockComplaint(em, complaintId)) as Complaint;
    await writeAudit(em, 'complaint_result_decided', { subject: complaintId, detail: { approve } });
    if (!approve) return sendBack(em, noted, at);
    const { remedy = null, amountMinor: refundMinor = null, payoutMinor = null } = noted;
    if (remedy) await checkRemedy(em, transfer, { complaint: noted, remedy, refundMinor, payoutMinor });
    if (payoutMinor !== null) await refuseUnscreened(em, noted, act.policy);
    await conclude(em, { complaint: noted, result: { approvedById: adminId }, transfer, adminId, at });
    await resumeHeldOperations(em, transfer.id, at);
  });
}

/**
 * @throws Failure `complaint_overtaken` for another result than the second person saw, or when its author may no longer
 * write results.
 */
async function refuseOvertaken(
  em: EntityManager,
  { foundAt, foundById }: Complaint,
  seenAt: Date | undefined,
): Promise<void> {
  const isSeen = foundAt != null && foundAt.getTime() === seenAt?.getTime();
  if (!isSeen || !foundById || !(await isStillPermitted(em, foundById, 'concludeComplaint')))
    throw new Failure('complaint_overtaken');
}

/** Name-screening settings of an installation. */
type ScreeningPolicy = Pick<ReviewPolicy, 'screens' | 'screeningWaitMs'>;

/** Starts the screening of the names of a transfer's second payouts that await a second person. */
async function screenPayouts(em: EntityManager, transferId: string, at: Date): Promise<void> {
  const waiting = await findPayoutsToApprove(em, transferId);
  const payouts = waiting.map((one) => ({ key: payoutKey(one), name: one.payoutTarget?.name ?? '' }));
  await openPayoutScreening(em, { transferId, payouts, at });
}

/** Waits for a screening that has just started. Starts it if a previous version left it unstarted. */
async function awaitPayoutScreening(
  database: Database,
  { complaintId, at, policy }: Act & { policy: ScreeningPolicy },
): Promise<void> {
  if (!policy.screens) return;
  const complaint = await findComplaint(database.fork(), complaintId);
  if (complaint?.state !== 'awaiting_approval' || complaint.payoutMinor == null) return;
  const { transferId } = complaint;
  let review = await findReview(database.fork(), transferId);
  if (!isScreened(review, complaint)) {
    await database.transaction(async (em) => {
      await lockTransfer(em, transferId);
      if (!isScreened(await findReview(em, transferId), complaint)) await screenPayouts(em, transferId, at);
    });
    review = await findReview(database.fork(), transferId);
  }
  await awaitScreening(database, { transferId, review }, policy);
}

/** Whether the transfer's latest screening, finished or pending, is of the person that the report's result pays. */
const isScreened = (review: Review | null, complaint: Complaint) =>
  review !== null &&
  review.screeningStatus !== 'off' &&
  review.names.some(({ payout }) => payout === payoutKey(complaint));

/** @throws Failure `screening_needed` unless the names of a second payout were screened without a hit. */
async function refuseUnscreened(em: EntityManager, complaint: Complaint, policy: ScreeningPolicy): Promise<void> {
  const review = await findReview(em, complaint.transferId);
  const screening = screeningOf(isScreened(review, complaint) ? review : null, policy);
  if (!passableStatuses.includes(screening)) throw new Failure('screening_needed', { screening });
}

/**
 * Retries a refund that the card rejected. If the money has since been moved another way, the report is reopened.
 * @throws Failure `not_found`, `own_transfer`, `complaint_overtaken`, `action_not_possible`.
 */
export function correctComplaint(database: Database, act: Act): Promise<AdminComplaintView> {
  return withComplaint(database, act, async (em, { complaint, transfer }) => {
    refuseOwn(transfer, act);
    const { state, operationId, amountMinor } = complaint;
    if (state !== 'correcting' || !operationId || amountMinor == null) throw new Failure('complaint_overtaken');
    const last = await findOperation(em, operationId);
    if (!last || last.status === 'succeeded' || openStatuses.includes(last.status)) {
      throw new Failure('complaint_overtaken');
    }
    if (!isCertainlyUndone({ status: last.status, sent: wasSent(last) })) {
      await attemptAgain(em, last, { askOnly: false, at: act.at });
      await writeAudit(em, 'complaint_corrected', { subject: act.complaintId });
      return;
    }
    const { state: where, busy, leftMinor } = await readRemedyFacts(em, transfer, complaint);
    if (where !== 'completed' || busy) throw new Failure('action_not_possible');
    await writeAudit(em, 'complaint_corrected', { subject: act.complaintId });
    if (leftMinor < amountMinor) return investigateAgain(em, complaint, { transfer, operation: last, at: act.at });
    const operation = await openCorrection(em, transfer, { amountMinor, at: act.at });
    await changeComplaint(em, complaint, { operationId: operation.id }, act.at);
  });
}

type Conclusion = Parameters<typeof changeComplaint>[2];

/** Notifies the sender of the result and starts the correction. */
async function conclude(
  em: EntityManager,
  input: { complaint: Complaint; result: Conclusion; transfer: Transfer; adminId: string; at: Date },
): Promise<void> {
  const { result, transfer, adminId, at } = input;
  const { id: complaintId, operationId: refundId } = input.complaint;
  const found = { ...input.complaint, ...result } as Complaint;
  const { remedy } = found;
  const moves = remedy != null && remedy !== 'none';
  const operationId = moves ? await begin(em, transfer, { complaint: found, remedy, adminId, at }) : null;
  const end = moves ? ({ state: 'correcting' } as const) : ({ state: 'closed', closedAt: at } as const);
  const complaint = await changeComplaint(em, input.complaint, { ...result, ...end, operationId, toldAt: at }, at);
  await closeCasesOf(em, { transferId: transfer.id, complaintId, refundId }, { outcome: 'complaint_decided', at });
  await tellResult(em, { complaint, transfer, at });
  // The second payout may already be complete.
  const now = moves && (await lockTransfer(em, transfer.id));
  if (now) await closeCorrected(em, now, at);
}

/**
 * Starts the correction of an error. Returns the refund that corrects it, if any.
 * @throws Failure `action_not_possible`.
 */
async function begin(
  em: EntityManager,
  transfer: Transfer,
  { complaint, remedy, adminId, at }: { complaint: Complaint; remedy: Remedy; adminId: string; at: Date },
): Promise<string | null> {
  const { amountMinor } = complaint;
  if (remedy === 'pay_again') {
    // Before the payout, the sender corrects the account, or the payout is retried from its case. The fee follows.
    if (transfer.state === 'completed') await openSecondPayout(em, transfer, { complaint, at });
    return (await wasReturned(em, complaint)) ? (complaint.operationId ?? null) : null;
  }
  if (amountMinor == null) throw new Failure('action_not_possible');
  if (transfer.state === 'completed') return (await openCorrection(em, transfer, { amountMinor, at })).id;
  const moved = await moveTransfer(em, transfer.id, 'give_up_payout', { at, actorId: adminId });
  if (!moved) throw new Failure('action_not_possible');
  return findCorrection(em, transfer.id);
}

/** The refund of a remedy, in minor units, or null. */
function amountOf(
  transfer: Transfer,
  { remedy, amount, feeOwed }: { remedy: Remedy; amount: bigint | undefined; feeOwed: boolean },
): bigint | null {
  switch (remedy) {
    case 'refund':
      return amount ?? null;
    case 'fee_refund':
      return transfer.feeMinor;
    case 'pay_again':
      return feeOwed ? transfer.feeMinor : null;
    case 'none':
      return null;
  }
}

/** @throws Failure when a remedy is not possible now. */
async function checkRemedy(
  em: EntityManager,
  transfer: Transfer,
  { complaint, remedy, ...amounts }: RemedyAmounts & { complaint: Complaint; remedy: Remedy },
): Promise<void> {
  const { requests } = await readHoldFacts(em, transfer);
  if (requests.some(({ id }) => id !== complaint.id)) throw new Failure('request_pending');
  const facts = await readRemedyFacts(em, transfer, complaint);
  if (!possibleRemedies(complaint, facts).includes(remedy)) throw new Failure('action_not_possible');
  const { feeMinor, netMinor, bolivianosMinor } = transfer;
  const feeOwed = await stillOwesFee(em, complaint, transfer);
  const figures = { ...facts, feeMinor, netMinor, bolivianosMinor, feeOwed };
  if (!isPayable(remedy, amounts, figures)) throw new Failure('amount_differs');
}

/** The value of a part of the charge in US cents, rounded up. */
function inUsd({ usdMinor, amountMinor }: Transfer, partMinor: bigint): bigint {
  return (usdMinor * partMinor + amountMinor - 1n) / amountMinor;
}

/** Whether money of the transfer was moved before, by hand or for another report. */
async function wasMovedBefore(em: EntityManager, { id, transferId }: Complaint): Promise<boolean> {
  const others = await findComplaintsOf(em, transferId);
  if (others.some((one) => one.id !== id && (one.operationId != null || one.payoutMinor != null))) return true;
  return wasMovedByHand(await findRequests(em, [transferId]));
}
