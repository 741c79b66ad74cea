import { randomUUID } from 'node:crypto';
import { kindOfReason } from '#core/operations/desk-action';
import { type CaseOutcome, type CaseReason, isSettled } from '#core/operations/desk-case';
import type { TransferState } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { addPush } from '#platform/outbox/outbox';
import { findOperationsOf, type Operation } from '../provider-calls/operation.repository.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { emailOpenedCase } from './case-emails.ts';
import { DeskCase, DeskNote } from './desk-case.entity.ts';
import { endWaitingRequests } from './desk-request.repository.ts';

export type { DeskCase, DeskNote } from './desk-case.entity.ts';

/**
 * Opens a case in the transaction of `em` and notifies the people concerned. If one with the same reason is open for
 * the transfer, it continues with the newer operation and details.
 */
export async function openCase(
  em: EntityManager,
  input: { transferId: string; operationId?: string; reason: CaseReason; details?: string | null; at: Date },
): Promise<void> {
  const { at, transferId, operationId = null, reason, details = null } = input;
  const [row] = await em.execute<{ id: string; version: number }[]>(
    `insert into desk_case (id, transfer_id, operation_id, reason, details, opened_at, version) values (?, ?, ?, ?, ?, ?, 1)
     on conflict (transfer_id, reason) where resolved_at is null do update
       set operation_id = coalesce(excluded.operation_id, desk_case.operation_id), details = excluded.details,
         version = desk_case.version + 1
     returning id, version`,
    [randomUUID(), transferId, operationId, reason, details, at],
  );
  if (!row) return;
  addPush(em, 'case-changed', { caseId: row.id });
  // Admins open reservations on purpose; colleagues are only reminded of those that stay open.
  if (row.version === 1 && reason !== 'settlement_by_hand')
    await emailOpenedCase(em, { id: row.id, transferId, reason, at });
  await em.flush();
}

/** The outcome of a case that closes automatically, by the state of its transfer. */
const outcomes: Partial<Record<TransferState, CaseOutcome>> = {
  captured: 'account_corrected',
  payout_failed: 'bank_could_not_pay',
  completed: 'paid',
  refunding: 'refunding',
  refunded: 'refunded',
};

/**
 * Closes the open cases of a locked transfer that its current state settles. `personId`: who caused the state, if it
 * was a person.
 */
export async function closeSettledCases(
  em: EntityManager,
  transfer: Pick<Transfer, 'id' | 'state' | 'authorizationVoidedAt'>,
  { at, personId = null }: { at: Date; personId?: string | null },
): Promise<void> {
  const open = await em.find(DeskCase, { transferId: transfer.id, resolvedAt: null }, { refresh: true });
  if (open.length === 0) return;
  const operations = new Map((await findOperationsOf(em, [transfer.id])).map((one) => [one.id, one]));
  const facts = { state: transfer.state, voided: transfer.authorizationVoidedAt != null };
  const outcome = outcomes[transfer.state] ?? 'uncharged';
  for (const one of open) {
    const about = one.operationId ? operations.get(one.operationId) : undefined;
    // Cases about a second payout or the rest close with its result (domain/corrections/second-payout.ts, rest.ts).
    const isOrdered = about?.complaintId != null || about?.restRequestId != null;
    if (isOrdered && one.reason !== 'payout_returned_in_part') continue;
    const kind = about?.kind ?? kindOfReason[one.reason];
    if (isSettled(one.reason, kind, facts)) await closeCase(em, one, { outcome, personId, at });
  }
}

/** Whether a case about a transfer is open. */
export async function hasOpenCase(em: EntityManager, transferId: string): Promise<boolean> {
  return (await em.count(DeskCase, { transferId, resolvedAt: null })) > 0;
}

/** The open cases about a transfer, oldest first. */
export function findOpenCases(em: EntityManager, transferId: string): Promise<DeskCase[]> {
  return em.find(DeskCase, { transferId, resolvedAt: null }, { orderBy: { openedAt: 'asc' } });
}

/** Transfers that changed since a moment and have an open case. */
export async function findTransfersWithCases(em: EntityManager, changedSince: Date): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id from transfer where changed_at > ? and id in (select transfer_id from desk_case where resolved_at is null)`,
    [changedSince],
  );
  return rows.map(({ id }) => id);
}

/**
 * Closes an open case in the transaction of `em`. Closing the last one ends requests that await a second person, except
 * reports of money already sent.
 */
export async function closeCase(
  em: EntityManager,
  { id, transferId }: DeskCase,
  { personId, at, ...how }: { personId: string | null; at: Date } & ({ resolution: string } | { outcome: CaseOutcome }),
): Promise<void> {
  await em.execute(
    `update desk_case set resolved_at = ?, resolved_by_id = ?, resolution = ?, outcome = ?, version = version + 1
     where id = ? and resolved_at is null`,
    [at, personId, 'resolution' in how ? how.resolution : null, 'outcome' in how ? how.outcome : null, id],
  );
  addPush(em, 'case-changed', { caseId: id });
  const left = await em.count(DeskCase, { transferId, resolvedAt: null });
  if (left === 0) await endWaitingRequests(em, transferId, { event: 'cases_closed', at });
  await em.flush();
}

/** Closes a transfer's open cases with one of these reasons, when something other than its state settled them. */
export async function closeCasesAbout(
  em: EntityManager,
  {
    transferId,
    reasons,
    outcome,
    at,
  }: { transferId: string; reasons: readonly CaseReason[]; outcome: CaseOutcome; at: Date },
): Promise<void> {
  const open = await em.find(
    DeskCase,
    { transferId, reason: { $in: [...reasons] }, resolvedAt: null },
    { refresh: true },
  );
  for (const one of open) await closeCase(em, one, { outcome, personId: null, at });
}

/**
 * Closes the open cases about operations, current or earlier, ordered by a report or by a request about the rest. The
 * case about the rest itself stays open for as long as the recipient is owed something.
 */
export async function closeCasesOf(
  em: EntityManager,
  {
    transferId,
    complaintId,
    refundId,
    restRequestId,
  }: { transferId: string; complaintId?: string | null; refundId?: string | null; restRequestId?: string | null },
  { outcome, at }: { outcome: CaseOutcome; at: Date },
): Promise<void> {
  const ids = (await findOperationsOf(em, [transferId])).filter(
    (one) =>
      (complaintId && one.complaintId === complaintId) ||
      (refundId && one.id === refundId) ||
      (restRequestId && one.restRequestId === restRequestId),
  );
  const reason = restRequestId ? { reason: { $ne: 'payout_returned_in_part' as const } } : {};
  const about = { operationId: { $in: ids.map(({ id }) => id) }, resolvedAt: null, ...reason };
  for (const one of await em.find(DeskCase, about, { refresh: true })) {
    await closeCase(em, one, { outcome, personId: null, at });
  }
}

/** Closes the open cases about the missing effect of an operation, once it has taken effect. */
export async function closeCasesOfDone(
  em: EntityManager,
  { id: operationId }: Pick<Operation, 'id'>,
  { outcome, at }: { outcome: CaseOutcome; at: Date },
): Promise<void> {
  const reason = { $in: ['operation_slow', 'operation_abandoned', 'operation_refused'] as const };
  for (const one of await em.find(DeskCase, { operationId, reason, resolvedAt: null }, { refresh: true }))
    await closeCase(em, one, { outcome, personId: null, at });
}

/** The last opened case about a transfer with this reason, or null. */
export function findLastCase(
  em: EntityManager,
  about: { transferId: string; reason: CaseReason; operationId?: string },
): Promise<DeskCase | null> {
  return em.findOne(DeskCase, about, { orderBy: { openedAt: 'desc', id: 'desc' }, refresh: true });
}

/** The reasons of a transfer's open cases. */
export async function findOpenReasons(em: EntityManager, transferId: string): Promise<CaseReason[]> {
  return (await em.find(DeskCase, { transferId, resolvedAt: null }, { refresh: true })).map(({ reason }) => reason);
}

/** The reasons of several transfers' open cases, by transfer id, with the case ids. */
export async function findOpenReasonsOf(
  em: EntityManager,
  transferIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<CaseReason, string>>> {
  const open = await em.find(DeskCase, { transferId: { $in: [...transferIds] }, resolvedAt: null }, { refresh: true });
  const byTransfer = Map.groupBy(open, ({ transferId }) => transferId);
  return new Map([...byTransfer].map(([id, cases]) => [id, new Map(cases.map((one) => [one.reason, one.id]))]));
}

/** Notifies browsers of a change to the open cases of a transfer. */
export async function bumpCaseVersions(em: EntityManager, transferId: string): Promise<void> {
  const rows = await em.execute<{ id: string }[]>(
    'update desk_case set version = version + 1 where transfer_id = ? and resolved_at is null returning id',
    [transferId],
  );
  for (const { id } of rows) addPush(em, 'case-changed', { caseId: id });
  if (rows.length > 0) await em.flush();
}

/** Assigns an open case, or clears its assignee (null). Returns false when it is closed. */
export async function assignCase(em: EntityManager, id: string, personId: string | null): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    'update desk_case set assigned_to_id = ?, version = version + 1 where id = ? and resolved_at is null returning id',
    [personId, id],
  );
  if (rows.length > 0) addPush(em, 'case-changed', { caseId: id });
  await em.flush();
  return rows.length > 0;
}

/** Adds a note to a case, open or closed. */
export async function addNote(
  em: EntityManager,
  { caseId, ...note }: { caseId: string; authorId: string; text: string; at: Date },
): Promise<void> {
  em.persist(em.create(DeskNote, { id: randomUUID(), caseId, ...note }));
  await em.execute('update desk_case set version = version + 1 where id = ?', [caseId]);
  addPush(em, 'case-changed', { caseId });
  await em.flush();
}

/** The notes of cases, oldest first. */
export function findNotes(em: EntityManager, caseIds: readonly string[]): Promise<DeskNote[]> {
  return em.find(DeskNote, { caseId: { $in: [...caseIds] } }, { orderBy: { at: 'asc', id: 'asc' } });
}

/** The current case, or null. */
export function findCase(em: EntityManager, id: string): Promise<DeskCase | null> {
  return em.findOne(DeskCase, { id }, { refresh: true });
}

/** Cases by their ids; unknown ids are left out. */
export function findCases(em: EntityManager, ids: readonly string[]): Promise<DeskCase[]> {
  return em.find(DeskCase, { id: { $in: [...ids] } });
}

/**
 * A page of the cases that match a filter: open ones oldest first, closed ones latest first.
 * @throws Failure `invalid_input` for a foreign cursor.
 */
export async function findCasePage(
  em: EntityManager,
  query: PageQuery & {
    status: 'open' | 'resolved';
    reason?: CaseReason | undefined;
    openedBefore?: Date | undefined;
    /** Null for unassigned cases. */
    assignedToId?: string | null | undefined;
  },
): Promise<Page<DeskCase>> {
  const { status, reason, openedBefore, assignedToId, ...page } = query;
  const options = pageOptions(page, 'created');
  const wanted = {
    ...(reason && { reason }),
    ...(openedBefore && { openedAt: { $lte: openedBefore } }),
    ...(assignedToId !== undefined && { assignedToId }),
  };
  const found =
    status === 'open'
      ? await em.findByCursor(DeskCase, {
          where: { ...wanted, resolvedAt: null },
          orderBy: { openedAt: 'asc', id: 'asc' },
          ...options,
        })
      : await em.findByCursor(DeskCase, {
          where: { ...wanted, resolvedAt: { $ne: null } },
          orderBy: { resolvedAt: 'desc', id: 'desc' },
          ...options,
        });
  return toPage(found);
}

/** Open cases about which admins were notified before `openedBefore` and not reminded yet, oldest first. */
export function findCasesToRemind(
  em: EntityManager,
  { openedBefore, limit }: { openedBefore: Date; limit: number },
): Promise<DeskCase[]> {
  return em.find(
    DeskCase,
    { resolvedAt: null, remindedAt: null, openedAt: { $lte: openedBefore } },
    { orderBy: { openedAt: 'asc' }, limit },
  );
}

/** Records that admins are reminded of an open case, in the transaction of `em`. Returns false if they already were. */
export async function markReminded(em: EntityManager, id: string, at: Date): Promise<boolean> {
  return (await em.nativeUpdate(DeskCase, { id, resolvedAt: null, remindedAt: null }, { remindedAt: at })) === 1;
}
