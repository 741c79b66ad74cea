import { holdableUntil } from '#core/complaints/clocks';
import {
  type Finding,
  isPayable,
  owesFee,
  possibleFindings,
  possibleRemedies,
  type Remedy,
} from '#core/complaints/complaint';
import { Failure } from '#core/contracts/failures';
import type { AdminComplaintView } from '#core/contracts/http/complaints';
import { invalidInput } from '#core/contracts/invalid-input';
import { needsTwoPersons } from '#core/operations/desk-action';
import { openStatuses } from '#core/operations/operation';
import type { Database, EntityManager } from '#platform/database/database';
import type { PageQuery } from '#platform/database/pages';
import { findRequests } from '../operations/desk-request.repository.ts';
import { findOperation } from '../operations/operation.repository.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import {
  addComplaintNote,
  type Complaint,
  changeComplaint,
  clockFactsOf,
  findComplaint,
  findComplaintPage,
  findComplaintsOf,
  lockComplaint,
} from './complaint.repository.ts';
import { toAdminComplaintView, toAdminComplaintViews } from './complaint-views.ts';
import { closeCorrected, findCorrection, openCorrection, readRemedyFacts } from './correct.ts';
import { askForApproval, explainDelay, tellResult } from './letters.ts';

/** Who does something about a report, and when. */
interface Act {
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

/** Takes a report, also from a colleague, or leaves it. @throws Failure `not_found`, and `complaint_overtaken` once it is closed. */
export function assignComplaint(database: Database, act: Act & { mine: boolean }): Promise<AdminComplaintView> {
  return withComplaint(database, act, async (em, { complaint }) => {
    if (complaint.closedAt) throw new Failure('complaint_overtaken');
    await changeComplaint(em, complaint, { assignedToId: act.mine ? act.adminId : null }, act.at);
  });
}

/** Writes a note for colleagues. @throws Failure `not_found`. */
export function noteComplaint(database: Database, act: Act & { text: string }): Promise<AdminComplaintView> {
  const { complaintId, adminId: authorId, text, at } = act;
  return withComplaint(database, act, (em) => addComplaintNote(em, { complaintId, authorId, text, at }));
}

/** Writes the sender why the answer takes longer, which moves its deadline; once. @throws Failure `not_found`, `own_transfer`, `complaint_overtaken`. */
export function holdComplaint(database: Database, act: Act & { reason: string }): Promise<AdminComplaintView> {
  return withComplaint(database, act, async (em, { complaint, transfer }) => {
    refuseOwn(transfer, act);
    const { at, reason: holdReason } = act;
    const until = holdableUntil(clockFactsOf(complaint));
    if (!until || at > until) throw new Failure('complaint_overtaken');
    const held = await changeComplaint(em, complaint, { heldAt: at, holdReason }, at);
    await explainDelay(em, { complaint: held, transfer, at });
  });
}

/** What an admin found out. */
export interface Result {
  readonly finding: Finding;
  /** What the sender reads. */
  readonly explanation: string;
  readonly remedy?: Remedy | undefined;
  /** What goes back to the card, in minor units; with the remedy `refund` only. */
  readonly amount?: bigint | undefined;
}

/**
 * Ends the investigation with its result. The sender is written at once and the correction begins, unless so much money goes back that a second
 * person has to agree, or money of the transfer was moved for a report or by hand before.
 * @throws Failure `not_found`, `own_transfer`, `invalid_input`, `complaint_overtaken`, `action_not_possible`, `amount_differs`, `request_pending`.
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
    const amountMinor = remedy && amountOf(complaint, transfer, { remedy, amount: act.amount });
    if (remedy) await checkRemedy(em, transfer, { complaint, remedy, amountMinor });
    const waits = needsTwoPersons({
      movesMoney: amountMinor !== null,
      usdMinor: amountMinor === null ? 0n : inUsd(transfer, amountMinor),
      limitUsdMinor: twoPersonsUsdMinor,
      movedBefore: await wasMovedBefore(em, complaint),
    });
    const result = { finding, explanation, remedy, amountMinor, foundById: adminId, foundAt: at };
    if (!waits) return conclude(em, { complaint, result, transfer, adminId, at });
    const waiting = await changeComplaint(em, complaint, { ...result, state: 'awaiting_approval' }, at);
    await askForApproval(em, { complaint: waiting, transfer, at });
  });
}

/**
 * The second person agrees with a result, which is told and carried out now if that still can be; or sends it back with a note.
 * @throws Failure `not_found`, `own_transfer`, `own_request`, `invalid_input` without a note, `complaint_overtaken`, `action_not_possible`.
 */
export function approveComplaint(
  database: Database,
  act: Act & { approve: boolean; note: string },
): Promise<AdminComplaintView> {
  return withComplaint(database, act, async (em, { complaint, transfer }) => {
    refuseOwn(transfer, act);
    const { complaintId, adminId, at, approve, note } = act;
    if (complaint.state !== 'awaiting_approval') throw new Failure('complaint_overtaken');
    if (complaint.foundById === adminId) throw new Failure('own_request');
    if (!approve && note === '') throw invalidInput({ note: 'reason_required' });
    if (note !== '') await addComplaintNote(em, { complaintId, authorId: adminId, text: note, at });
    const noted = (await lockComplaint(em, complaintId)) as Complaint;
    if (!approve) return sendBack(em, noted, at);
    const { remedy = null, amountMinor = null } = noted;
    if (remedy) await checkRemedy(em, transfer, { complaint: noted, remedy, amountMinor });
    return conclude(em, { complaint: noted, result: { approvedById: adminId }, transfer, adminId, at });
  });
}

/** What was found is kept as a note of who found it. */
async function sendBack(em: EntityManager, complaint: Complaint, at: Date): Promise<void> {
  const { id: complaintId, foundById, explanation, foundAt } = complaint;
  if (foundById && explanation) {
    await addComplaintNote(em, { complaintId, authorId: foundById, text: explanation, at: foundAt ?? at });
  }
  const noted = (await lockComplaint(em, complaintId)) as Complaint;
  const nothing = { finding: null, explanation: null, remedy: null, amountMinor: null, foundById: null, foundAt: null };
  await changeComplaint(em, noted, { ...nothing, state: 'investigating' }, at);
}

/** Returns the money again that a card did not take. @throws Failure `not_found`, `own_transfer`, `complaint_overtaken`, `action_not_possible`. */
export function correctComplaint(database: Database, act: Act): Promise<AdminComplaintView> {
  return withComplaint(database, act, async (em, { complaint, transfer }) => {
    refuseOwn(transfer, act);
    const { state, operationId, amountMinor } = complaint;
    if (state !== 'correcting' || !operationId || amountMinor == null) throw new Failure('complaint_overtaken');
    const last = await findOperation(em, operationId);
    if (!last || last.status === 'succeeded' || openStatuses.includes(last.status)) {
      throw new Failure('complaint_overtaken');
    }
    const { state: where, disputed, busy, leftMinor } = await readRemedyFacts(em, transfer);
    if (where !== 'completed' || disputed || busy || leftMinor < amountMinor) throw new Failure('action_not_possible');
    const operation = await openCorrection(em, transfer, { amountMinor, at: act.at });
    await changeComplaint(em, complaint, { operationId: operation.id }, act.at);
  });
}

type Conclusion = Parameters<typeof changeComplaint>[2];

/** Tells the sender the result and begins the correction. */
async function conclude(
  em: EntityManager,
  input: { complaint: Complaint; result: Conclusion; transfer: Transfer; adminId: string; at: Date },
): Promise<void> {
  const { result, transfer, adminId, at } = input;
  const { remedy, amountMinor } = { ...input.complaint, ...result };
  const moves = remedy != null && remedy !== 'none';
  const operationId = moves
    ? await begin(em, transfer, { remedy, amountMinor: amountMinor ?? null, adminId, at })
    : null;
  const end = moves ? ({ state: 'correcting' } as const) : ({ state: 'closed', closedAt: at } as const);
  const complaint = await changeComplaint(em, input.complaint, { ...result, ...end, operationId, toldAt: at }, at);
  await tellResult(em, { complaint, transfer, at });
  // Paying again may be done already.
  const now = moves && (await lockTransfer(em, transfer.id));
  if (now) await closeCorrected(em, now, at);
}

/** Begins what corrects an error. Returns the refund by which, where there is one. @throws Failure `action_not_possible`. */
async function begin(
  em: EntityManager,
  transfer: Transfer,
  { remedy, amountMinor, adminId, at }: { remedy: Remedy; amountMinor: bigint | null; adminId: string; at: Date },
): Promise<string | null> {
  // The account is corrected by its sender, or the payout attempted again from its case; the fee follows.
  if (remedy === 'pay_again') return null;
  if (amountMinor === null) throw new Failure('action_not_possible');
  if (transfer.state === 'completed') return (await openCorrection(em, transfer, { amountMinor, at })).id;
  const moved = await moveTransfer(em, transfer.id, 'give_up_payout', { at, actorId: adminId });
  if (!moved) throw new Failure('action_not_possible');
  return findCorrection(em, transfer.id);
}

/** What goes back to the card with a remedy, in minor units; null when nothing does. */
function amountOf(
  complaint: Complaint,
  transfer: Transfer,
  { remedy, amount }: { remedy: Remedy; amount: bigint | undefined },
): bigint | null {
  switch (remedy) {
    case 'refund':
      return amount ?? null;
    case 'fee_refund':
      return transfer.feeMinor;
    case 'pay_again':
      return owesFee(complaint) ? transfer.feeMinor : null;
    case 'none':
      return null;
  }
}

/** @throws Failure when a remedy cannot be decided on now. */
async function checkRemedy(
  em: EntityManager,
  transfer: Transfer,
  { complaint, remedy, amountMinor }: { complaint: Complaint; remedy: Remedy; amountMinor: bigint | null },
): Promise<void> {
  const facts = await readRemedyFacts(em, transfer);
  const requests = await findRequests(em, [transfer.id]);
  if (requests.some(({ outcome }) => !outcome)) throw new Failure('request_pending');
  if (!possibleRemedies(complaint, facts).includes(remedy)) throw new Failure('action_not_possible');
  const figures = { ...facts, feeMinor: transfer.feeMinor, feeOwed: owesFee(complaint) };
  if (!isPayable(remedy, amountMinor, figures)) throw new Failure('amount_differs');
}

/** The value of a part of the charge in US cents, rounded up. */
function inUsd({ usdMinor, amountMinor }: Transfer, partMinor: bigint): bigint {
  return (usdMinor * partMinor + amountMinor - 1n) / amountMinor;
}

/** Whether money of the transfer was moved by hand, or for another report, before. */
async function wasMovedBefore(em: EntityManager, { id, transferId }: Complaint): Promise<boolean> {
  const others = await findComplaintsOf(em, transferId);
  if (others.some((one) => one.id !== id && one.operationId != null)) return true;
  const requests = await findRequests(em, [transferId]);
  return requests.some(({ movesMoney, outcome }) => movesMoney && (outcome === 'done' || outcome === 'approved'));
}

function refuseOwn(transfer: Transfer, { adminId }: Act): void {
  if (transfer.userId === adminId) throw new Failure('own_transfer');
}

/**
 * Does something under the locks of the transfer's and the report's row, and shows the report as it is then. A refusal because it moved on
 * brings it as it is now.
 */
async function withComplaint(
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
