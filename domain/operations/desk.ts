import { Failure } from '#core/contracts/failures';
import type { DeskCaseView } from '#core/contracts/http/operations';
import { Database, type EntityManager } from '#platform/database/database';
import type { PageQuery } from '#platform/database/pages';
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
  query: PageQuery & { status: 'open' | 'resolved' },
  viewer: Viewer,
): Promise<{ items: DeskCaseView[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await findCasePage(em, query);
  return { items: await toDeskCaseViews(em, rows, viewer), nextCursor };
}

/** One case. @throws Failure `not_found`. */
export async function viewCase(em: EntityManager, id: string, viewer: Viewer): Promise<DeskCaseView> {
  return toDeskCaseView(em, await mustFind(em, id), viewer);
}

/** Takes a case, also from a colleague, or leaves it. @throws Failure `not_found`, `case_resolved`. */
export async function takeCase(
  database: Database,
  { caseId, mine, ...viewer }: Viewer & { caseId: string; mine: boolean },
): Promise<DeskCaseView> {
  return database.transaction(async (em) => {
    await mustFind(em, caseId);
    if (!(await assignCase(em, caseId, mine ? viewer.viewerId : null))) throw new Failure('case_resolved');
    return viewCase(em, caseId, viewer);
  });
}

/** Writes a note about a case. @throws Failure `not_found`. */
export async function noteCase(
  database: Database,
  { caseId, text, ...viewer }: Viewer & { caseId: string; text: string },
): Promise<DeskCaseView> {
  return database.transaction(async (em) => {
    await mustFind(em, caseId);
    await addNote(em, { caseId, authorId: viewer.viewerId, text, at: viewer.at });
    return viewCase(em, caseId, viewer);
  });
}

async function mustFind(em: EntityManager, id: string): Promise<DeskCase> {
  const found = await findCase(em, id);
  if (!found) throw new Failure('not_found');
  return found;
}
