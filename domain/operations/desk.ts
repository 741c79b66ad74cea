import { Failure, type FailureCode } from '#core/contracts/failures';
import type { CaseFilter, DeskCaseView } from '#core/contracts/http/operations';
import { hourMs } from '#core/time/time';
import { Database, type EntityManager } from '#platform/database/database';
import type { PageQuery } from '#platform/database/pages';
import { writeAudit } from '../audit/audit.repository.ts';
import { addNote, assignCase, type DeskCase, findCase, findCasePage } from './desk-case.repository.ts';
import { toDeskCaseView, toDeskCaseViews } from './desk-views.ts';

/** Who looks at the desk, and when. */
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

/** Takes a case, also from a colleague, or leaves it. @throws Failure `not_found`, and `case_resolved` with the case as it is now. */
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

/** Writes a note about a case. @throws Failure `not_found`. */
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

/** Refusals after which a case is not what the admin saw. */
const overtakenCodes: readonly FailureCode[] = [
  'case_resolved',
  'request_pending',
  'action_not_possible',
  'amount_differs',
  'already_decided',
];

/** Throws what a call about a case failed with; where the case has changed meanwhile, with the case as it is now. */
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
