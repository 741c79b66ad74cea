import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { type ClockFacts, nextClock, type ReminderStage, reminderDue } from '#core/complaints/clocks';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { addPush } from '#platform/outbox/outbox';
import { Complaint, ComplaintLetter, ComplaintNote, ComplaintReminder } from './complaint.entity.ts';

export type { Complaint, ComplaintLetter, ComplaintNote, ComplaintReminder } from './complaint.entity.ts';

/** What of a report decides about its clocks. */
export function clockFactsOf(complaint: Complaint): ClockFacts {
  const { regime, paidFrom: from, state, reportedAt } = complaint;
  const { heldAt = null, foundAt = null, toldAt = null, remedy = null, closedAt = null } = complaint;
  return { regime, from, state, reportedAt, heldAt, foundAt, toldAt, remedy, closedAt };
}

type Reported = Pick<
  Complaint,
  'transferId' | 'senderId' | 'reason' | 'wants' | 'description' | 'paidFrom' | 'regime' | 'inTime' | 'reportedAt'
>;

/** Writes a new report. Null, with nothing written, when one about the same transfer with the same reason is open. */
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

/** Changes a report whose row is locked: with its next deadline, a new version and a push. Returns it as it is then. */
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

/** What the row says of its clocks, so that lists and the sweep find it by an index. */
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

/** Locks a report until the transaction of `em` ends and reads it anew; null when there is none. */
export function lockComplaint(em: EntityManager, id: string): Promise<Complaint | null> {
  return em.findOne(Complaint, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** The reports about a transfer, the newest first. */
export function findComplaintsOf(em: EntityManager, transferId: string, limit?: number): Promise<Complaint[]> {
  const orderBy = { reportedAt: 'desc', id: 'desc' } as const;
  return em.find(Complaint, { transferId }, { orderBy, refresh: true, ...(limit && { limit }) });
}

/** The reports of transfers whose result waits for a second person. */
export function findResultsToApprove(em: EntityManager, transferIds: readonly string[]): Promise<Complaint[]> {
  const where = { transferId: { $in: [...transferIds] }, state: 'awaiting_approval' } as const;
  return em.find(Complaint, where, { refresh: true });
}

/** The reports whose result a person wrote and a second one has not agreed with yet. */
export function findResultsOf(em: EntityManager, foundById: string): Promise<Complaint[]> {
  const where = { foundById, state: 'awaiting_approval' } as const;
  return em.find(Complaint, where, { orderBy: { transferId: 'asc', id: 'asc' }, refresh: true });
}

/** The reports of a transfer by which the family is paid a second time, once a second person agrees. */
export function findPayoutsToApprove(em: EntityManager, transferId: string): Promise<Complaint[]> {
  const where = { transferId, state: 'awaiting_approval', payoutMinor: { $ne: null } } as const;
  return em.find(Complaint, where, { orderBy: { id: 'asc' }, refresh: true });
}

/** Whether an operation corrects what a sender reported. */
export async function isCorrection(em: EntityManager, operationId: string): Promise<boolean> {
  return (await em.count(Complaint, { operationId })) > 0;
}

/** Locks the report that a refund corrects, or null. */
export function lockReportRefundedBy(em: EntityManager, operationId: string): Promise<Complaint | null> {
  return em.findOne(Complaint, { operationId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** A correction goes on as another operation. */
export async function followCorrection(em: EntityManager, fromId: string, toId: string): Promise<void> {
  if (fromId === toId) return;
  await em.execute('update complaint set operation_id = ?, version = version + 1 where operation_id = ?', [
    toId,
    fromId,
  ]);
}

/** Locks those reports of a transfer whose correction is under way. */
export function lockCorrecting(em: EntityManager, transferId: string): Promise<Complaint[]> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  return em.find(Complaint, { transferId, state: 'correcting' }, { orderBy: { id: 'asc' }, lockMode, refresh: true });
}

/**
 * Locks those closed reports of a transfer whose refund failed after all. Left out is one with the same reason as an open one, by which the
 * sender says the same.
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

/** Transfers on which a report's correction seems to be done, by ids of the transfers. */
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

/** A page of a sender's own reports, the newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findOwnComplaintPage(em: EntityManager, senderId: string, query: PageQuery) {
  const options = { orderBy: { reportedAt: 'desc', id: 'desc' }, ...pageOptions(query, 'created') } as const;
  return toPage(await em.findByCursor(Complaint, { where: { senderId }, ...options }));
}

/** A page of reports: open ones from the next deadline on, closed ones from the last closed. @throws Failure `invalid_input` for a foreign cursor. */
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

/** Raises the version of a report and tells browsers, where something was added to it. */
export async function touchComplaint(em: EntityManager, complaintId: string): Promise<void> {
  await em.execute('update complaint set version = version + 1 where id = ?', [complaintId]);
  addPush(em, 'complaint-changed', { complaintId });
  await em.flush();
}

/** Writes a note about a report, open or closed. */
export async function addComplaintNote(
  em: EntityManager,
  note: { complaintId: string; authorId: string; text: string; at: Date },
): Promise<void> {
  em.persist(em.create(ComplaintNote, { id: randomUUID(), ...note }));
  await touchComplaint(em, note.complaintId);
}

/** The notes of reports, the oldest first. */
export function findComplaintNotes(em: EntityManager, complaintIds: readonly string[]): Promise<ComplaintNote[]> {
  return em.find(ComplaintNote, { complaintId: { $in: [...complaintIds] } }, { orderBy: { at: 'asc', id: 'asc' } });
}

/** Keeps a letter as it was sent. Returns which of its kind it is, from 1; the caller has the lock of the report. */
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

/** When documents or explanations were last given that the sender of a transfer had asked for; null: never. */
export async function findDocumentsGiven(em: EntityManager, transferId: string): Promise<Date | null> {
  const where = { transferId, reason: 'information', finding: { $ne: null }, toldAt: { $ne: null } } as const;
  return (await em.findOne(Complaint, where, { orderBy: { toldAt: 'desc' } }))?.toldAt ?? null;
}

/** Takes the reports that admins are to be written about, what is due first; locked until the transaction ends. */
export function takeToRemind(em: EntityManager, { at, limit }: { at: Date; limit: number }): Promise<Complaint[]> {
  const options = { orderBy: { remindAt: 'asc' }, limit, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE } as const;
  return em.find(Complaint, { remindAt: { $lte: at } }, options);
}

/** What is to be written about a locked report now. */
export async function reminderOf(em: EntityManager, complaint: Complaint, at: Date) {
  const facts = clockFactsOf(complaint);
  const next = nextClock(facts);
  return reminderDue(facts, next ? await sentStages(em, complaint.id, next) : [], at);
}

/** Writes down whom we wrote about a deadline, and when the report is to be looked at again. */
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

/** Writes down when a report is to be looked at again. */
export async function putOffReminder(em: EntityManager, id: string, remindAt: Date | null): Promise<void> {
  await em.nativeUpdate(Complaint, { id }, { remindAt });
}

/** Whom we wrote about deadlines of reports, the first first. */
export function findReminders(em: EntityManager, complaintIds: readonly string[]): Promise<ComplaintReminder[]> {
  return em.find(ComplaintReminder, { complaintId: { $in: [...complaintIds] } }, { orderBy: { at: 'asc' } });
}
