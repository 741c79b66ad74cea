import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { type ClockFacts, nextClock, type ReminderStage, reminderDue } from '#core/complaints/clocks';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { addPush } from '#platform/outbox/outbox';
import { Complaint, ComplaintLetter, ComplaintNote, ComplaintReminder } from './complaint.entity.ts';

export type { Complaint, ComplaintLetter, ComplaintNote, ComplaintReminder } from './complaint.entity.ts';

/** The facts of a report that determine its deadlines. */
export function clockFactsOf(complaint: Complaint): ClockFacts {
  const { regime, paidFrom: from, state, reportedAt } = complaint;
  const { heldAt = null, foundAt = null, toldAt = null, remedy = null, closedAt = null } = complaint;
  return { regime, from, state, reportedAt, heldAt, foundAt, toldAt, remedy, closedAt };
}

type Reported = Pick<
  Complaint,
  'transferId' | 'senderId' | 'reason' | 'wants' | 'description' | 'paidFrom' | 'regime' | 'inTime' | 'reportedAt'
>;

/** Inserts a new report. Null, with nothing written, when the transfer already has an open one with the same reason. */
export async function insertComplaint(em: EntityManager, reported: Reported): Promise<Complaint | null> {
  const fresh = { id: randomUUID(), ...reported, state: 'investigating', version: 1 } as const;
  const clocks = await clockColumns(em, { ...fresh, ...noResult } as Complaint, reported.reportedAt);
  const inserted = await em
    .createQueryBuilder(Complaint)
    .insert({ ...fresh, ...clocks })
    .onConflict()
    .ignore()
    .execute();
  if (inserted.affectedRows === 0) return null;
  addPush(em, 'complaint-changed', { complaintId: fresh.id });
  return em.findOneOrFail(Complaint, { id: fresh.id });
}

const noResult = { heldAt: null, foundAt: null, toldAt: null, remedy: null, closedAt: null };

type Changes = Partial<
  Pick<
    Complaint,
    | 'state'
    | 'assignedToId'
    | 'heldAt'
    | 'holdReason'
    | 'finding'
    | 'explanation'
    | 'remedy'
    | 'amountMinor'
    | 'payoutMinor'
    | 'payoutTarget'
    | 'foundById'
    | 'foundAt'
    | 'approvedById'
    | 'toldAt'
    | 'operationId'
    | 'closedAt'
  >
>;

/** Changes a locked report, with its next deadline, a new version and a push. Returns the changed report. */
export async function changeComplaint(
  em: EntityManager,
  locked: Complaint,
  changes: Changes,
  at: Date,
): Promise<Complaint> {
  const changed = { ...locked, ...changes } as Complaint;
  const clocks = await clockColumns(em, changed, at);
  const columns = { ...changes, ...clocks, version: locked.version + 1 };
  await em.nativeUpdate(Complaint, { id: locked.id }, columns);
  addPush(em, 'complaint-changed', { complaintId: locked.id });
  await em.flush();
  return em.findOneOrFail(Complaint, { id: locked.id }, { refresh: true });
}

/** Deadlines stored in the row, so that lists and the sweep can use an index. */
async function clockColumns(em: EntityManager, complaint: Complaint, at: Date) {
  const facts = clockFactsOf(complaint);
  const next = nextClock(facts);
  const { stage, nextAt } = reminderDue(facts, next ? await sentStages(em, complaint.id, next) : [], at);
  return { nextDueAt: next?.dueAt ?? null, remindAt: stage ? at : nextAt };
}

async function sentStages(
  em: EntityManager,
  complaintId: string,
  { name, dueAt }: { name: ComplaintReminder['clock']; dueAt: Date },
): Promise<ReminderStage[]> {
  const sent = await em.find(ComplaintReminder, { complaintId, clock: name, dueAt });
  return sent.map(({ stage }) => stage);
}

/** A report as the database has it now, or null. */
export function findComplaint(em: EntityManager, id: string): Promise<Complaint | null> {
  return em.findOne(Complaint, { id }, { refresh: true });
}

/** Reports by their ids; unknown ids are left out. */
export function findComplaints(em: EntityManager, ids: readonly string[]): Promise<Complaint[]> {
  return em.find(Complaint, { id: { $in: [...ids] } });
}

/** Locks a report until the transaction of `em` ends and re-reads it; null if not found. */
export function lockComplaint(em: EntityManager, id: string): Promise<Complaint | null> {
  return em.findOne(Complaint, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** The reports about a transfer, newest first. */
export function findComplaintsOf(em: EntityManager, transferId: string, limit?: number): Promise<Complaint[]> {
  const orderBy = { reportedAt: 'desc', id: 'desc' } as const;
  return em.find(Complaint, { transferId }, { orderBy, refresh: true, ...(limit && { limit }) });
}

/** The reports of transfers whose result awaits a second person. */
export function findResultsToApprove(em: EntityManager, transferIds: readonly string[]): Promise<Complaint[]> {
  const where = { transferId: { $in: [...transferIds] }, state: 'awaiting_approval' } as const;
  return em.find(Complaint, where, { refresh: true });
}

/** The reports whose result this admin wrote and that still await a second person. */
export function findResultsOf(em: EntityManager, foundById: string): Promise<Complaint[]> {
  const where = { foundById, state: 'awaiting_approval' } as const;
  return em.find(Complaint, where, { orderBy: { transferId: 'asc', id: 'asc' }, refresh: true });
}

/** The reports of a transfer whose second payout awaits approval by a second person. */
export function findPayoutsToApprove(em: EntityManager, transferId: string): Promise<Complaint[]> {
  const where = { transferId, state: 'awaiting_approval', payoutMinor: { $ne: null } } as const;
  return em.find(Complaint, where, { orderBy: { id: 'asc' }, refresh: true });
}

/** Whether an operation corrects a reported problem. */
export async function isCorrection(em: EntityManager, operationId: string): Promise<boolean> {
  return (await em.count(Complaint, { operationId })) > 0;
}

/** Locks the report that a refund corrects, or null. */
export function lockReportRefundedBy(em: EntityManager, operationId: string): Promise<Complaint | null> {
  return em.findOne(Complaint, { operationId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** Moves a correction to the operation that continues it. */
export async function followCorrection(em: EntityManager, fromId: string, toId: string): Promise<void> {
  if (fromId === toId) return;
  await em.execute('update complaint set operation_id = ?, version = version + 1 where operation_id = ?', [
    toId,
    fromId,
  ]);
}

/** Locks the reports of a transfer whose correction is under way. */
export function lockCorrecting(em: EntityManager, transferId: string): Promise<Complaint[]> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  return em.find(Complaint, { transferId, state: 'correcting' }, { orderBy: { id: 'asc' }, lockMode, refresh: true });
}

/**
 * Locks the closed reports of a transfer whose refund failed after all. Skips those with the same reason as an open
 * one, which covers them.
 */
export async function lockUncorrected(em: EntityManager, transferId: string): Promise<Complaint[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select closed.id from complaint as closed join operation on operation.id = closed.operation_id
     where closed.transfer_id = ? and closed.state = 'closed' and operation.status = 'failed' and not exists (
       select from complaint as open where open.transfer_id = closed.transfer_id and open.reason = closed.reason
         and open.closed_at is null
     ) order by closed.closed_at desc limit 1`,
    [transferId],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  return em.find(Complaint, { id: { $in: ids } }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** Transfers with a report whose correction seems complete, by transfer id. */
export async function findCorrected(em: EntityManager, limit: number): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select distinct complaint.transfer_id as id from complaint
       join transfer on transfer.id = complaint.transfer_id
       left join operation on operation.id = complaint.operation_id
     where complaint.state = 'correcting' and (transfer.state = 'refunded'
       or (operation.status = 'succeeded' and complaint.payout_minor is null)
       or (complaint.remedy = 'pay_again' and complaint.payout_minor is null and complaint.operation_id is null
         and transfer.state = 'completed')
       or (complaint.payout_minor is not null and coalesce(operation.status, 'succeeded') = 'succeeded' and exists (
         select from operation as payout where payout.complaint_id = complaint.id and payout.status = 'succeeded'))) limit ?`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** A page of a sender's own reports, newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findOwnComplaintPage(em: EntityManager, senderId: string, query: PageQuery) {
  const options = { orderBy: { reportedAt: 'desc', id: 'desc' }, ...pageOptions(query, 'created') } as const;
  return toPage(await em.findByCursor(Complaint, { where: { senderId }, ...options }));
}

/**
 * A page of reports: open ones by next deadline, closed ones by closing time, latest first.
 * @throws Failure `invalid_input` for a foreign cursor.
 */
export async function findComplaintPage(
  em: EntityManager,
  { status, ...query }: PageQuery & { status: 'open' | 'resolved' },
): Promise<Page<Complaint>> {
  const options = pageOptions(query, 'created');
  const found =
    status === 'open'
      ? await em.findByCursor(Complaint, {
          where: { closedAt: null },
          orderBy: { nextDueAt: 'asc', id: 'asc' },
          ...options,
        })
      : await em.findByCursor(Complaint, {
          where: { closedAt: { $ne: null } },
          orderBy: { closedAt: 'desc', id: 'desc' },
          ...options,
        });
  return toPage(found);
}

/** Increments the version of a report and notifies browsers after something was added to it. */
export async function bumpComplaintVersion(em: EntityManager, complaintId: string): Promise<void> {
  await em.execute('update complaint set version = version + 1 where id = ?', [complaintId]);
  addPush(em, 'complaint-changed', { complaintId });
  await em.flush();
}

/** Adds a note to a report, open or closed. */
export async function addComplaintNote(
  em: EntityManager,
  note: { complaintId: string; authorId: string; text: string; at: Date },
): Promise<void> {
  em.persist(em.create(ComplaintNote, { id: randomUUID(), ...note }));
  await bumpComplaintVersion(em, note.complaintId);
}

/** The notes of reports, oldest first. */
export function findComplaintNotes(em: EntityManager, complaintIds: readonly string[]): Promise<ComplaintNote[]> {
  return em.find(ComplaintNote, { complaintId: { $in: [...complaintIds] } }, { orderBy: { at: 'asc', id: 'asc' } });
}

/** Stores a letter as sent. Returns its number among its kind, from 1; the caller holds the report's lock. */
export async function insertLetter(em: EntityManager, letter: Omit<ComplaintLetter, 'id' | 'number'>): Promise<number> {
  const { complaintId, kind } = letter;
  const number = 1 + (await em.count(ComplaintLetter, { complaintId, kind }));
  await em
    .createQueryBuilder(ComplaintLetter)
    .insert({ id: randomUUID(), number, ...letter })
    .execute();
  return number;
}

/** A letter by its id, or null. */
export function findLetter(em: EntityManager, id: string): Promise<ComplaintLetter | null> {
  return em.findOne(ComplaintLetter, { id });
}

/** The letters of reports. */
export function findLetters(em: EntityManager, complaintIds: readonly string[]): Promise<ComplaintLetter[]> {
  return em.find(ComplaintLetter, { complaintId: { $in: [...complaintIds] } });
}

/** When the sender of a transfer was last given documents or explanations on request; null: never. */
export async function findDocumentsGiven(em: EntityManager, transferId: string): Promise<Date | null> {
  const where = { transferId, reason: 'information', finding: { $ne: null }, toldAt: { $ne: null } } as const;
  return (await em.findOne(Complaint, where, { orderBy: { toldAt: 'desc' } }))?.toldAt ?? null;
}

/** Reports whose reminder is due, earliest first. */
export function findToRemind(em: EntityManager, { at, limit }: { at: Date; limit: number }): Promise<Complaint[]> {
  return em.find(Complaint, { remindAt: { $lte: at } }, { orderBy: { remindAt: 'asc' }, limit });
}

/** Locks a report whose reminder is due until the transaction of `em` ends; null if it no longer is. */
export function lockToRemind(em: EntityManager, id: string, at: Date): Promise<Complaint | null> {
  return em.findOne(Complaint, { id, remindAt: { $lte: at } }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** The reminder that is due for a locked report now. */
export async function reminderOf(em: EntityManager, complaint: Complaint, at: Date) {
  const facts = clockFactsOf(complaint);
  const next = nextClock(facts);
  return reminderDue(facts, next ? await sentStages(em, complaint.id, next) : [], at);
}

/** Records a reminder and its recipients, and when to check the report again. */
export async function insertReminder(
  em: EntityManager,
  reminder: ComplaintReminder,
  nextAt: Date | null,
): Promise<void> {
  em.persist(em.create(ComplaintReminder, reminder));
  await putOffReminder(em, reminder.complaintId, nextAt);
  await em.execute('update complaint set version = version + 1 where id = ?', [reminder.complaintId]);
  addPush(em, 'complaint-changed', { complaintId: reminder.complaintId });
  await em.flush();
}

/** Sets when to check a report again. */
export async function putOffReminder(em: EntityManager, id: string, remindAt: Date | null): Promise<void> {
  await em.nativeUpdate(Complaint, { id }, { remindAt });
}

/** The reminders of reports, oldest first. */
export function findReminders(em: EntityManager, complaintIds: readonly string[]): Promise<ComplaintReminder[]> {
  return em.find(ComplaintReminder, { complaintId: { $in: [...complaintIds] } }, { orderBy: { at: 'asc' } });
}
