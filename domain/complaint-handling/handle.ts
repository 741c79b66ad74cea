import { holdableUntil } from '#core/complaints/clocks';
import { Failure } from '#core/contracts/failures';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import type { PayableAccount } from '#core/contracts/http/operations';
import type { Database, EntityManager } from '#platform/database/database';
import type { PageQuery } from '#platform/database/pages';
import { writeAudit } from '../audit/audit.repository.ts';
import {
  addComplaintNote,
  type Complaint,
  changeComplaint,
  clockFactsOf,
  findComplaint,
  findComplaintPage,
  lockComplaint,
} from '../complaints/complaint.repository.ts';
import { explainDelay } from '../complaints/letters.ts';
import { listPayableAccounts } from '../payouts/payable-accounts.ts';
import { findTransfer, lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { toAdminComplaintView, toAdminComplaintViews } from './complaint-views.ts';

/** The admin acting on a report, and the time. */
export interface Act {
  readonly complaintId: string;
  readonly adminId: string;
  readonly at: Date;
}

/** A page of the reports. @throws Failure `invalid_input` for a foreign cursor. */
export async function listComplaints(
  em: EntityManager,
  query: PageQuery & { status: 'open' | 'resolved' },
  viewer: { viewerId: string; at: Date },
): Promise<{ items: AdminComplaintView[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await findComplaintPage(em, query);
  return { items: await toAdminComplaintViews(em, rows, viewer), nextCursor };
}

/** One report. @throws Failure `not_found`. */
export async function viewComplaint(em: EntityManager, { complaintId, adminId, at }: Act): Promise<AdminComplaintView> {
  const found = await findComplaint(em, complaintId);
  if (!found) throw new Failure('not_found');
  return toAdminComplaintView(em, found, { viewerId: adminId, at });
}

/**
 * The accounts that a second payout can pay: the account that was paid, and the sender's own recipients with another
 * one.
 * @throws Failure `not_found`.
 */
export async function listAccounts(em: EntityManager, complaintId: string): Promise<PayableAccount[]> {
  const complaint = await findComplaint(em, complaintId);
  const transfer = complaint && (await findTransfer(em, complaint.transferId));
  if (!transfer) throw new Failure('not_found');
  return listPayableAccounts(em, transfer);
}

/**
 * Claims a report, also from a colleague, or releases it.
 * @throws Failure `not_found`, and `complaint_overtaken` once it is closed.
 */
export function assignComplaint(database: Database, act: Act & { mine: boolean }): Promise<AdminComplaintView> {
  return withComplaint(database, act, async (em, { complaint }) => {
    if (complaint.closedAt) throw new Failure('complaint_overtaken');
    await changeComplaint(em, complaint, { assignedToId: act.mine ? act.adminId : null }, act.at);
    await writeAudit(em, 'complaint_assigned', { subject: act.complaintId, detail: { mine: act.mine } });
  });
}

/** Adds an internal note. @throws Failure `not_found`. */
export function noteComplaint(database: Database, act: Act & { text: string }): Promise<AdminComplaintView> {
  const { complaintId, adminId: authorId, text, at } = act;
  return withComplaint(database, act, async (em) => {
    await addComplaintNote(em, { complaintId, authorId, text, at });
    await writeAudit(em, 'complaint_noted', { subject: complaintId });
  });
}

/**
 * Explains to the sender why the answer takes longer, which extends its deadline; once.
 * @throws Failure `not_found`, `own_transfer`, `complaint_overtaken`.
 */
export function holdComplaint(database: Database, act: Act & { reason: string }): Promise<AdminComplaintView> {
  return withComplaint(database, act, async (em, { complaint, transfer }) => {
    refuseOwn(transfer, act);
    const { at, reason: holdReason } = act;
    const until = holdableUntil(clockFactsOf(complaint));
    if (!until || at > until) throw new Failure('complaint_overtaken');
    const held = await changeComplaint(em, complaint, { heldAt: at, holdReason }, at);
    await explainDelay(em, { complaint: held, transfer, at });
    await writeAudit(em, 'complaint_held', { subject: act.complaintId });
  });
}

/** @throws Failure `own_transfer` when the admin is the transfer's sender. */
export function refuseOwn(transfer: Transfer, { adminId }: Act): void {
  if (transfer.userId === adminId) throw new Failure('own_transfer');
}

/**
 * Acts under the locks of the transfer's and the report's row, and returns the changed report. A failure because it has
 * changed carries the current report.
 */
export async function withComplaint(
  database: Database,
  act: Act,
  work: (em: EntityManager, locked: { complaint: Complaint; transfer: Transfer }) => Promise<void>,
): Promise<AdminComplaintView> {
  const done = database.transaction(async (em) => {
    const seen = await findComplaint(em, act.complaintId);
    const transfer = seen && (await lockTransfer(em, seen.transferId));
    const complaint = transfer && (await lockComplaint(em, act.complaintId));
    if (!complaint) throw new Failure('not_found');
    await work(em, { complaint, transfer });
    return viewComplaint(em, act);
  });
  return done.catch(async (error) => {
    if (!(error instanceof Failure) || error.code !== 'complaint_overtaken') throw error;
    throw new Failure('complaint_overtaken', { complaint: await viewComplaint(database.fork(), act) });
  });
}
