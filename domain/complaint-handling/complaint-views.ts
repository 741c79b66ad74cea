import { clocksOf, holdableUntil, nextClock } from '#core/complaints/clocks';
import { owesFee, possibleFindings, possibleRemedies, type RemedyFacts } from '#core/complaints/complaint';
import {
  type AdminComplaintView,
  type ComplaintAction,
  type ComplaintView,
  type LetterView,
  letterKinds,
} from '#core/contracts/http/complaints';
import type { HoldFacts } from '#core/holds/holds';
import { formatMinor } from '#core/money/money';
import { openStatuses } from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import { findUsersById } from '../accounts/account.repository.ts';
import { findAttachments } from '../attachments/attachment.repository.ts';
import {
  type Complaint,
  type ComplaintLetter,
  clockFactsOf,
  findComplaintNotes,
  findLetters,
  findReminders,
} from '../complaints/complaint.repository.ts';
import { remedyFactsOf } from '../corrections/correct.ts';
import { toOperationView } from '../desk-actions/desk-views.ts';
import { readHoldFactsOf } from '../holds/holds.repository.ts';
import { findOperationsOf, type Operation } from '../provider-calls/operation.repository.ts';
import { toAdminTransferViews } from '../transfer-views/transfer-views.ts';
import { findTransfersById } from '../transfers/transfer.repository.ts';

/** A report as its sender sees it. */
export async function toComplaintView(em: EntityManager, complaint: Complaint): Promise<ComplaintView> {
  const [view] = await toComplaintViews(em, [complaint]);
  return view as ComplaintView;
}

/** Reports as their senders see them: no result before the letter about it was sent. One query for all of each kind. */
export async function toComplaintViews(em: EntityManager, complaints: readonly Complaint[]): Promise<ComplaintView[]> {
  const letters = await lettersOf(em, complaints);
  const files = await filesOf(em, complaints);
  const transfers = await findTransfersById(em, [...new Set(complaints.map(({ transferId }) => transferId))]);
  const currencies = new Map(transfers.map(({ id, currency }) => [id, currency]));
  return complaints.map((one) => {
    const isNotified = one.toldAt != null;
    const next = nextClock(clockFactsOf(one));
    return {
      ...reportedOf(one),
      transferId: one.transferId,
      inTime: one.inTime,
      reportedAt: one.reportedAt.toISOString(),
      state: one.state === 'awaiting_approval' ? 'investigating' : one.state,
      nextDue: next && { clock: next.name, at: next.dueAt.toISOString() },
      finding: isNotified ? (one.finding ?? null) : null,
      explanation: isNotified ? (one.explanation ?? null) : null,
      remedy: isNotified ? (one.remedy ?? null) : null,
      amount: isNotified ? amountOf(one) : null,
      currency: currencies.get(one.transferId) ?? 'USD',
      payout: isNotified ? ownPayoutOf(one) : null,
      closedAt: one.closedAt?.toISOString() ?? null,
      letters: letters(one),
      files: files.get(one.id) ?? [],
    };
  });
}

interface Viewer {
  readonly viewerId: string | null;
  readonly at: Date;
}

/** A report as an admin sees it at a moment. */
export async function toAdminComplaintView(
  em: EntityManager,
  complaint: Complaint,
  viewer: Viewer,
): Promise<AdminComplaintView> {
  const [view] = await toAdminComplaintViews(em, [complaint], viewer);
  return view as AdminComplaintView;
}

/**
 * Reports as an admin sees them at a moment; without a viewer, as any admin other than their senders. One query for all
 * of each kind.
 */
export async function toAdminComplaintViews(
  em: EntityManager,
  complaints: readonly Complaint[],
  { viewerId, at }: Viewer,
): Promise<AdminComplaintView[]> {
  const ids = complaints.map(({ id }) => id);
  const transferIds = [...new Set(complaints.map(({ transferId }) => transferId))];
  const transfers = await findTransfersById(em, transferIds);
  const adminViews = await toAdminTransferViews(em, transfers);
  const operations = Map.groupBy(await findOperationsOf(em, transferIds), ({ transferId }) => transferId);
  const holdFacts = await readHoldFactsOf(em, transfers);
  const letters = await lettersOf(em, complaints);
  const files = await filesOf(em, complaints);
  const notes = Map.groupBy(await findComplaintNotes(em, ids), ({ complaintId }) => complaintId);
  const reminders = Map.groupBy(await findReminders(em, ids), ({ complaintId }) => complaintId);
  const people = await findUsersById(em, [
    ...new Set(
      [
        ...complaints.flatMap((one) => [one.senderId, one.assignedToId, one.foundById, one.approvedById]),
        ...[...notes.values()].flat().map(({ authorId }) => authorId),
        ...[...reminders.values()].flat().flatMap(({ told }) => told),
      ].filter((id) => id != null),
    ),
  ]);
  const users = new Map(people.map((user) => [user.id, user]));
  const nameOf = (id: string | null | undefined) => (id == null ? null : (users.get(id)?.name ?? ''));
  return complaints.map((one) => {
    const index = transfers.findIndex(({ id }) => id === one.transferId);
    const transfer = transfers[index];
    const transaction = adminViews[index];
    if (!transfer || !transaction) throw new Error('a report without its transfer');
    const ofTransfer = operations.get(transfer.id) ?? [];
    const facts = remedyFactsOf(transfer, {
      operations: ofTransfer,
      holds: holdFacts.get(transfer.id) as HoldFacts,
      complaintId: one.id,
    });
    const operation = ofTransfer.find(({ id }) => id === one.operationId);
    const second = ofTransfer.findLast(({ complaintId }) => complaintId === one.id);
    const clocks = clockFactsOf(one);
    const next = nextClock(clocks);
    return {
      ...reportedOf(one),
      in_time: one.inTime,
      reported_at: one.reportedAt.toISOString(),
      state: one.state,
      clocks: clocksOf(clocks).map(({ name, dueAt, doneAt, begun }) => {
        return { name, due_at: dueAt.toISOString(), done_at: doneAt?.toISOString() ?? null, begun };
      }),
      next_due: next && { clock: next.name, at: next.dueAt.toISOString() },
      held_at: one.heldAt?.toISOString() ?? null,
      hold_reason: one.holdReason ?? null,
      assigned_to: nameOf(one.assignedToId),
      assigned_to_id: one.assignedToId ?? null,
      language: users.get(one.senderId)?.locale ?? 'es',
      transaction,
      left: formatMinor(facts.leftMinor),
      repayable: formatMinor(facts.repayableMinor),
      owes_fee: owesFee(one),
      findings: [...possibleFindings(one.reason)],
      remedies: [...possibleRemedies(one, facts)],
      actions: one.senderId === viewerId ? [] : actionsOf(one, { facts, operation, viewerId, at }),
      finding: one.finding ?? null,
      explanation: one.explanation ?? null,
      remedy: one.remedy ?? null,
      amount: amountOf(one),
      payout: payoutOf(one),
      found_by: nameOf(one.foundById),
      found_by_id: one.foundById ?? null,
      found_at: one.foundAt?.toISOString() ?? null,
      approved_by: nameOf(one.approvedById),
      told_at: one.toldAt?.toISOString() ?? null,
      closed_at: one.closedAt?.toISOString() ?? null,
      operation: operation ? toOperationView(operation) : null,
      second_payout: second ? toOperationView(second) : null,
      notes: (notes.get(one.id) ?? []).map(({ text, authorId, at }) => {
        return { text, author: nameOf(authorId) ?? '', at: at.toISOString() };
      }),
      letters: letters(one),
      files: files.get(one.id) ?? [],
      reminders: (reminders.get(one.id) ?? []).map(({ clock, stage, dueAt, at, told }) => {
        const names = told.map((id) => nameOf(id) ?? '');
        return { clock, stage, due_at: dueAt.toISOString(), at: at.toISOString(), told: names };
      }),
    };
  });
}

/** The actions possible on a report now, for an admin who is not its sender. */
export function actionsOf(
  complaint: Complaint,
  input: { facts: RemedyFacts; operation: Operation | undefined; viewerId: string | null; at: Date },
): ComplaintAction[] {
  const { facts, operation, viewerId, at } = input;
  const holdable = holdableUntil(clockFactsOf(complaint));
  const isStopped =
    operation !== undefined && operation.status !== 'succeeded' && !openStatuses.includes(operation.status);
  const possible: Readonly<Record<ComplaintAction, boolean>> = {
    hold: holdable !== null && at <= holdable,
    conclude: complaint.state === 'investigating',
    approve: complaint.state === 'awaiting_approval' && complaint.foundById !== viewerId,
    correct: complaint.state === 'correcting' && isStopped && facts.state === 'completed' && !facts.busy,
  };
  return (Object.keys(possible) as ComplaintAction[]).filter((action) => possible[action]);
}

function reportedOf({ id, version, reason, wants, description, regime }: Complaint) {
  return { id, version, reason, wants, description, regime };
}

function amountOf({ amountMinor }: Complaint): string | null {
  return amountMinor == null ? null : formatMinor(amountMinor);
}

function payoutOf({ payoutMinor, payoutTarget }: Complaint): AdminComplaintView['payout'] {
  if (payoutMinor == null || !payoutTarget) return null;
  const { name, bankName, bankAccount } = payoutTarget;
  return { amount: formatMinor(payoutMinor), name, bank_name: bankName, bank_account: bankAccount };
}

function ownPayoutOf({ payoutMinor, payoutTarget }: Complaint): ComplaintView['payout'] {
  if (payoutMinor == null || !payoutTarget) return null;
  const { bankName, bankAccount } = payoutTarget;
  return { amount: formatMinor(payoutMinor), bankName, accountEnding: bankAccount.slice(-4) };
}

const filesOf = (em: EntityManager, complaints: readonly Complaint[]) =>
  findAttachments(
    em,
    'complaintId',
    complaints.map(({ id }) => id),
  );

/** The letters sent to the sender of each report. */
async function lettersOf(
  em: EntityManager,
  complaints: readonly Complaint[],
): Promise<(of: Complaint) => LetterView[]> {
  const found = await findLetters(
    em,
    complaints.map(({ id }) => id),
  );
  const letters = Map.groupBy(found, ({ complaintId }) => complaintId);
  // Letters of the same time in the order in which they are written.
  const orderOf = ({ kind, number }: ComplaintLetter) => number * letterKinds.length + letterKinds.indexOf(kind);
  const inOrder = (a: ComplaintLetter, b: ComplaintLetter) =>
    a.at.getTime() - b.at.getTime() || orderOf(a) - orderOf(b);
  return ({ id }) => (letters.get(id) ?? []).sort(inOrder).map(toLetterView);
}

function toLetterView({ id, kind, at, texts }: ComplaintLetter): LetterView {
  return { id, kind, at: at.toISOString(), texts };
}
