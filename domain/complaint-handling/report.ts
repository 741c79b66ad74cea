import { reportableUntil } from '#core/complaints/clocks';
import { paidFrom, regimeOf } from '#core/complaints/complaint';
import { Failure } from '#core/contracts/failures';
import type { ComplaintInput, ComplaintView } from '#core/contracts/http/complaints';
import type { Database, EntityManager } from '#platform/database/database';
import {
  changeComplaint,
  findComplaint,
  findComplaintsOf,
  findDocumentsGiven,
  insertComplaint,
  lockComplaint,
} from '../complaints/complaint.repository.ts';
import { acknowledge, confirmWithdrawal } from '../complaints/letters.ts';
import { noResult, noteFinding } from '../corrections/correct.ts';
import { closeCasesOf } from '../desk/desk-case.repository.ts';
import { resumeHeldOperations } from '../provider-calls/operation.repository.ts';
import { findOwnTransfer, lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { toComplaintView, toComplaintViews } from './complaint-views.ts';

/** Maximum reports shown with a transfer; a separate page lists all. */
const shownLimit = 50;

/**
 * Records a problem reported by the sender, with its acknowledgement, and notifies admins.
 * @throws Failure `not_found`, also for another user's transfer and one that was never paid, and `complaint_open` when
 * one with the same reason is open.
 */
export async function reportComplaint(
  database: Database,
  { userId, transferId, at, ...input }: ComplaintInput & { userId: string; transferId: string; at: Date },
): Promise<ComplaintView> {
  return database.transaction(async (em) => {
    await findPaidTransfer(em, userId, transferId);
    const transfer = await lockTransfer(em, transferId);
    if (!transfer) throw new Failure('not_found');
    const { from, until } = await reportingOf(em, transfer);
    const inTime = at < until;
    const regime = regimeOf({ from, reason: input.reason, inTime });
    const reported = { transferId, senderId: userId, ...input, paidFrom: from, regime, inTime, reportedAt: at };
    const complaint = await insertComplaint(em, reported);
    if (!complaint) throw new Failure('complaint_open');
    await acknowledge(em, { complaint, transfer, at });
    return toComplaintView(em, complaint);
  });
}

/**
 * Withdraws a report for its sender, until a result is decided: its deadlines end, and a letter confirms it. A result
 * awaiting a second person is kept as a note. Idempotent.
 * @throws Failure `not_found`, also for another user's report, and `complaint_decided`.
 */
export async function withdrawComplaint(
  database: Database,
  { userId, complaintId, at }: { userId: string; complaintId: string; at: Date },
): Promise<ComplaintView> {
  return database.transaction(async (em) => {
    const seen = await findComplaint(em, complaintId);
    const transfer = seen?.senderId === userId ? await lockTransfer(em, seen.transferId) : null;
    const locked = transfer && (await lockComplaint(em, complaintId));
    if (!locked) throw new Failure('not_found');
    if (locked.state === 'withdrawn') return toComplaintView(em, locked);
    if (locked.state !== 'investigating' && locked.state !== 'awaiting_approval')
      throw new Failure('complaint_decided');
    const noted = await noteFinding(em, locked, at);
    const complaint = await changeComplaint(em, noted, { ...noResult, state: 'withdrawn', closedAt: at }, at);
    await resumeHeldOperations(em, transfer.id, at);
    await confirmWithdrawal(em, { complaint, transfer, at });
    await closeCasesOf(em, { transferId: transfer.id, complaintId }, { outcome: 'complaint_decided', at });
    return toComplaintView(em, complaint);
  });
}

/**
 * The sender's reports about a transfer, and the rules for further ones.
 * @throws Failure `not_found`, also for a transfer that was never paid.
 */
export async function viewReports(
  em: EntityManager,
  { userId, transferId, at }: { userId: string; transferId: string; at: Date },
) {
  const transfer = await findPaidTransfer(em, userId, transferId);
  const { from, until } = await reportingOf(em, transfer);
  const items = await toComplaintViews(em, await findComplaintsOf(em, transferId, shownLimit));
  const regime = regimeOf({ from, reason: 'not_received', inTime: at < until });
  return { inTimeUntil: until.toISOString(), regime, items };
}

async function findPaidTransfer(em: EntityManager, userId: string, transferId: string): Promise<Transfer> {
  const transfer = await findOwnTransfer(em, userId, transferId);
  if (!transfer.paidAt) throw new Failure('not_found');
  return transfer;
}

async function reportingOf(em: EntityManager, transfer: Transfer) {
  const from = paidFrom({ currency: transfer.currency, cardCountry: transfer.cardCountry ?? null });
  const documentsGivenAt = await findDocumentsGiven(em, transfer.id);
  return { from, until: reportableUntil({ availableAt: transfer.estimatedDelivery, documentsGivenAt, from }) };
}
