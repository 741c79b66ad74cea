import { owesFee, type RemedyFacts } from '#core/complaints/complaint';
import { type HoldFacts, holdsOf } from '#core/holds/holds';
import { isPossible } from '#core/operations/desk-action';
import { leftOfCharge } from '#core/operations/left-of-charge';
import { openStatuses } from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import {
  addComplaintNote,
  type Complaint,
  changeComplaint,
  findComplaintsOf,
  findCorrected,
  lockComplaint,
  lockCorrecting,
  lockReportRefundedBy,
  lockUncorrected,
} from '../complaints/complaint.repository.ts';
import { tellCorrection, tellReopening } from '../complaints/letters.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import { readHoldFacts } from '../holds/holds.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
import {
  findOpenOperation,
  findOperation,
  findOperations,
  type Operation,
  orderOperation,
  resumeHeldOperations,
  toOperationFacts,
} from '../provider-calls/operation.repository.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { reopenRest } from './rest.ts';

/** The facts of a transfer that determine the remedies of one of its reports. */
export function remedyFactsOf(
  transfer: Transfer,
  { operations, holds, complaintId }: { operations: readonly Operation[]; holds: HoldFacts; complaintId: string },
): RemedyFacts {
  const { state, amountMinor, bolivianosMinor } = transfer;
  const moving = operations.some(
    ({ kind, status, payoutTarget }) => (kind === 'refund' || payoutTarget) && openStatuses.includes(status),
  );
  const facts = operations.map((one) => ({ ...toOperationFacts(one), waiting: false }));
  const about = { reason: 'payout_rejected', kind: 'payout', complaintId: null, restRequestId: null } as const;
  const open = { operationId: null, state, hasRecipient: true, cancelRequested: false, holds };
  const money = { amountMinor, netMinor: transfer.netMinor, bolivianosMinor, keptMinor: transfer.restKeptMinor };
  const undelivered = isPossible('give_up_and_refund', { ...about, ...open, ...money, operations: facts }, complaintId);
  return {
    state,
    disputed: holdsOf(holds, 'refund').some(({ reason }) => reason === 'dispute_open' || reason === 'charged_back'),
    busy: moving || holds.requests.some(({ id }) => id !== complaintId),
    undelivered,
    ...leftOfCharge({ ...money, holds, operations: facts }),
  };
}

/** `remedyFactsOf` a locked transfer. */
export async function readRemedyFacts(
  em: EntityManager,
  transfer: Transfer,
  { id: complaintId }: Pick<Complaint, 'id'>,
): Promise<RemedyFacts> {
  const operations = await findOperations(em, transfer.id);
  return remedyFactsOf(transfer, { operations, holds: await readHoldFacts(em, transfer), complaintId });
}

/**
 * Opens the refund of a transfer that was paid out, at our expense, in the transaction that holds the lock of its row.
 */
export function openCorrection(
  em: EntityManager,
  transfer: Transfer,
  { amountMinor, at }: { amountMinor: bigint; at: Date },
): Promise<Operation> {
  return orderOperation(em, transfer, 'refund', { at, amountMinor });
}

/**
 * Opens the second payout that two people decided on, at our expense, in the transaction that holds the lock of its
 * transfer's row.
 */
export async function openSecondPayout(
  em: EntityManager,
  transfer: Transfer,
  { complaint, at }: { complaint: Complaint; at: Date },
): Promise<void> {
  const { id: complaintId, payoutMinor, payoutTarget } = complaint;
  if (payoutMinor == null || !payoutTarget) throw new RangeError('a second payout without amount or account');
  await orderOperation(em, transfer, 'payout', { at, amountMinor: payoutMinor, order: { complaintId, payoutTarget } });
}

/**
 * Reopens the decision behind an order that certainly had no effect: the bank rejected a payout or returned all of it,
 * the card rejected a refund, or the charge was charged back. An order about the rest reopens its case. An order of a
 * report opens a case and reopens the report; the sender is notified, and the finding stays as a note. If the sender
 * has since filed another report with the same reason, that one continues instead.
 */
export async function reopenDecision(
  em: EntityManager,
  operation: Operation,
  { error, at }: { error: string; at: Date },
): Promise<void> {
  const { id: operationId, transferId } = operation;
  if (operation.restRequestId) return reopenRest(em, operation, { error, at });
  const complaint = await lockReportOf(em, operation);
  if (complaint) await openCase(em, { transferId, operationId, reason: 'correction_failed', details: error, at });
  const transfer = complaint && (await lockTransfer(em, transferId));
  if (transfer) await investigateAgain(em, complaint, { transfer, operation, at });
}

/**
 * Whether a report or the rest still waits for an operation that has become obsolete. A refund of the whole transfer
 * settles all its reports.
 */
export async function isMissed(em: EntityManager, operation: Operation, { state }: Transfer): Promise<boolean> {
  if (operation.restRequestId) return true;
  if (state === 'refunding' || state === 'refunded') return false;
  return (await lockReportOf(em, operation))?.state === 'correcting';
}

/** Locks the report that an operation corrects, or null. */
function lockReportOf(em: EntityManager, { id, complaintId }: Operation): Promise<Complaint | null> {
  return complaintId ? lockComplaint(em, complaintId) : lockReportRefundedBy(em, id);
}

/** Reopens a report whose correction, an operation of the locked transfer, had no effect, and notifies the sender. */
export async function investigateAgain(
  em: EntityManager,
  complaint: Complaint,
  { transfer, operation, at }: { transfer: Transfer; operation: Operation; at: Date },
): Promise<void> {
  if (complaint.state === 'investigating') return;
  const others = await findComplaintsOf(em, transfer.id);
  if (others.some((one) => one.id !== complaint.id && one.reason === complaint.reason && !one.closedAt)) return;
  const noted = await noteFinding(em, complaint, at);
  const open = await changeComplaint(em, noted, { ...noResult, state: 'investigating', closedAt: null }, at);
  await tellReopening(em, { complaint: open, transfer, at }, operation);
}

/** The fields of a result that no longer exists. The reference to a refund made for the report is kept. */
export const noResult = {
  ...{ finding: null, explanation: null, remedy: null, amountMinor: null, payoutMinor: null, payoutTarget: null },
  ...{ foundById: null, foundAt: null, approvedById: null, toldAt: null },
} as const;

/**
 * Reopens a locked report of a locked transfer whose result awaited a second person. The finding is kept as a note of
 * its author, and operations that waited for the result resume.
 */
export async function sendBack(em: EntityManager, complaint: Complaint, at: Date): Promise<void> {
  const noted = await noteFinding(em, complaint, at);
  await changeComplaint(em, noted, { ...noResult, state: 'investigating' }, at);
  await resumeHeldOperations(em, complaint.transferId, at);
}

/** Keeps the finding of a locked report as a note of its author. Returns the changed report. */
export async function noteFinding(em: EntityManager, complaint: Complaint, at: Date): Promise<Complaint> {
  const { id: complaintId, foundById, explanation, foundAt } = complaint;
  if (foundById && explanation) {
    await addComplaintNote(em, { complaintId, authorId: foundById, text: explanation, at: foundAt ?? at });
  }
  return (await lockComplaint(em, complaintId)) as Complaint;
}

/** Maximum transfers per sweep. */
const most = 200;

/** Closes reports whose correction is complete, however it came about. Idempotent. */
export async function sweepCorrections(context: JobContext): Promise<void> {
  const at = context.now();
  const ids = await findCorrected(context.database.fork(), most);
  await sweepEach(
    context,
    'corrections of a transfer',
    ids.map((id) => ({ id })),
    ({ id }) =>
      context.database.transaction(async (em) => {
        const transfer = await lockTransfer(em, id);
        if (transfer) await closeCorrected(em, transfer, at);
      }),
  );
}

/**
 * Closes the reports of a locked transfer whose correction is complete, and notifies the sender; reopens those whose
 * refund was returned.
 */
export async function closeCorrected(em: EntityManager, transfer: Transfer, at: Date): Promise<void> {
  for (const complaint of await lockUncorrected(em, transfer.id)) {
    await changeComplaint(em, complaint, { state: 'correcting', closedAt: null }, at);
  }
  for (const complaint of await lockCorrecting(em, transfer.id)) {
    if (!(await isCorrected(em, complaint, { transfer, at }))) continue;
    const closed = await changeComplaint(em, complaint, { state: 'closed', closedAt: at }, at);
    await tellCorrection(em, { complaint: closed, transfer, at });
  }
}

async function isCorrected(
  em: EntityManager,
  complaint: Complaint,
  { transfer, at }: { transfer: Transfer; at: Date },
): Promise<boolean> {
  if (transfer.state === 'refunded') return true;
  if (complaint.payoutMinor != null && !(await wasPaidAgain(em, complaint))) return false;
  if (complaint.operationId) return (await findOperation(em, complaint.operationId))?.status === 'succeeded';
  if (complaint.remedy !== 'pay_again' || transfer.state !== 'completed') return false;
  return (await returnFee(em, complaint, { transfer, at })) === 'nothing to return';
}

/** Whether the bank made the second payout that corrects a report. */
async function wasPaidAgain(em: EntityManager, { id, transferId }: Complaint): Promise<boolean> {
  const payouts = await findOperations(em, transferId, 'payout');
  return payouts.some(({ complaintId, status }) => complaintId === id && status === 'succeeded');
}

/** After the payout, refunds the fee if the law requires it; if that is impossible, opens a case. */
async function returnFee(
  em: EntityManager,
  complaint: Complaint,
  { transfer, at }: { transfer: Transfer; at: Date },
): Promise<'nothing to return' | 'under way' | 'not now'> {
  const { amountMinor } = complaint;
  if (!owesFee(complaint) || amountMinor == null) return 'nothing to return';
  const { leftMinor, busy } = await readRemedyFacts(em, transfer, complaint);
  if (leftMinor < amountMinor || !(await stillOwesFee(em, complaint, transfer))) return 'nothing to return';
  if (busy) return 'not now';
  const operation = await openCorrection(em, transfer, { amountMinor, at });
  await changeComplaint(em, complaint, { operationId: operation.id }, at);
  return 'under way';
}

/** Whether the fee is still owed in addition to the remedy: not once a refund of any report has returned it. */
export async function stillOwesFee(
  em: EntityManager,
  complaint: Complaint,
  { returnedMinor, feeMinor }: Transfer,
): Promise<boolean> {
  return owesFee(complaint) && returnedMinor < feeMinor && !(await wasReturned(em, complaint));
}

/** Whether a refund was already made for a report: of the fee, in addition to a payout that the bank returned later. */
export async function wasReturned(em: EntityManager, { operationId }: Complaint): Promise<boolean> {
  return operationId ? (await findOperation(em, operationId))?.status === 'succeeded' : false;
}

/** The refund that corrects a report before the payout: opened by the move that gave the payout up. */
export async function findCorrection(em: EntityManager, transferId: string): Promise<string | null> {
  return (await findOpenOperation(em, transferId, 'refund'))?.id ?? null;
}
