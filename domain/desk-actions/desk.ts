import { Failure, type FailureCode } from '#core/contracts/failures';
import type { CaseFilter, DeskCaseView, PayableAccount } from '#core/contracts/http/operations';
import { hourMs } from '#core/time/time';
import { Database, type EntityManager } from '#platform/database/database';
import type { PageQuery } from '#platform/database/pages';
import { writeAudit } from '../audit/audit.repository.ts';
import {
  addNote,
  assignCase,
  bumpCaseVersions,
  type DeskCase,
  findCase,
  findCasePage,
} from '../desk/desk-case.repository.ts';
import { type CaseRequest, findRequest } from '../desk/desk-request.repository.ts';
import { listPayableAccounts } from '../payouts/payable-accounts.ts';
import { lockTransfer, rereadTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { toDeskCaseView, toDeskCaseViews } from './desk-views.ts';

/** The admin who views the desk, and the time. */
interface Viewer {
  readonly viewerId: string;
  readonly at: Date;
}

/** A page of the operations desk. @throws Failure `invalid_input` for a foreign cursor. */
export async function listCases(
  em: EntityManager,
  { reason, older_than_hours: hours, assigned, ...query }: PageQuery & CaseFilter & { status: 'open' | 'resolved' },
  viewer: Viewer,
): Promise<{ items: DeskCaseView[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await findCasePage(em, {
    ...query,
    reason,
    openedBefore: hours && new Date(viewer.at.getTime() - Number(hours) * hourMs),
    assignedToId: assigned && (assigned === 'me' ? viewer.viewerId : null),
  });
  return { items: await toDeskCaseViews(em, rows, viewer), nextCursor };
}

/** One case. @throws Failure `not_found`. */
export async function viewCase(em: EntityManager, id: string, viewer: Viewer): Promise<DeskCaseView> {
  return toDeskCaseView(em, await mustFind(em, id), viewer);
}

/**
 * The accounts that `pay_rest` can pay: the account that was paid, and the sender's own recipients with another one.
 * @throws Failure `not_found`.
 */
export async function listCaseAccounts(em: EntityManager, id: string): Promise<PayableAccount[]> {
  const { transferId } = await mustFind(em, id);
  return listPayableAccounts(em, await rereadTransfer(em, transferId));
}

/**
 * Claims a case, also from a colleague, or releases it.
 * @throws Failure `not_found`, and `case_resolved` with the current case.
 */
export async function takeCase(
  database: Database,
  { caseId, mine, ...viewer }: Viewer & { caseId: string; mine: boolean },
): Promise<DeskCaseView> {
  const taken = database.transaction(async (em) => {
    await mustFind(em, caseId);
    if (!(await assignCase(em, caseId, mine ? viewer.viewerId : null))) throw new Failure('case_resolved');
    await writeAudit(em, 'case_assigned', { subject: caseId, detail: { mine } });
    return viewCase(em, caseId, viewer);
  });
  return taken.catch((error) => refusedWithCase(database, error, { caseId, ...viewer }));
}

/** Adds a note to a case. @throws Failure `not_found`. */
export async function noteCase(
  database: Database,
  { caseId, text, ...viewer }: Viewer & { caseId: string; text: string },
): Promise<DeskCaseView> {
  return database.transaction(async (em) => {
    await mustFind(em, caseId);
    await addNote(em, { caseId, authorId: viewer.viewerId, text, at: viewer.at });
    await writeAudit(em, 'case_noted', { subject: caseId });
    return viewCase(em, caseId, viewer);
  });
}

/** Errors that mean that the case is no longer as the admin saw it. */
const overtakenCodes: readonly FailureCode[] = [
  'case_resolved',
  'request_pending',
  'request_ended',
  'action_not_possible',
  'amount_differs',
  'already_decided',
];

/** The caller acting on a request, and the time. */
export interface RequestCall {
  readonly requestId: string;
  readonly adminId: string;
  readonly at: Date;
}

/**
 * Acts on a waiting request under the lock of its transfer's row, and returns its case afterwards.
 * @throws Failure `not_found`, `own_transfer`, and with the current case `already_decided` and `request_ended`.
 */
export async function withRequest(
  database: Database,
  { requestId, adminId, at }: RequestCall,
  work: (em: EntityManager, locked: { request: CaseRequest; transfer: Transfer }) => Promise<void>,
): Promise<DeskCaseView> {
  const viewer = { viewerId: adminId, at };
  const caseId = (await findRequest(database.fork(), requestId))?.caseId;
  const done = database.transaction(async (em) => {
    const seen = await findRequest(em, requestId);
    const transfer = seen && (await lockTransfer(em, seen.transferId));
    const request = transfer && (await findRequest(em, requestId));
    if (!request) throw new Failure('not_found');
    if (transfer.userId === adminId) throw new Failure('own_transfer');
    if (request.outcome === 'obsolete') throw new Failure('request_ended');
    if (request.outcome) throw new Failure('already_decided', { request: request.id });
    await work(em, { request, transfer });
    await bumpCaseVersions(em, transfer.id);
    return viewCase(em, request.caseId, viewer);
  });
  return done.catch((error) => refusedWithCase(database, error, { caseId, ...viewer }));
}

/** Throws the failure of a call about a case, with the current case if it has changed. */
export async function refusedWithCase(
  database: Database,
  error: unknown,
  { caseId, ...viewer }: Viewer & { caseId: string | undefined },
): Promise<never> {
  if (!(error instanceof Failure) || !overtakenCodes.includes(error.code) || !caseId) throw error;
  throw new Failure(error.code, { ...error.details, case: await viewCase(database.fork(), caseId, viewer) });
}

async function mustFind(em: EntityManager, id: string): Promise<DeskCase> {
  const found = await findCase(em, id);
  if (!found) throw new Failure('not_found');
  return found;
}
