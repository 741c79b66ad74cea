import type { DeskCaseView } from '#core/contracts/http/operations';
import { storeSession } from '../../../lib/storage.ts';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { adminSession, renderApp } from '../../../testing/render-app.tsx';
import { DeskTab } from './desk-tab.tsx';

/** Opens the desk as an admin who has nothing to do with the sample case, with a case open when its id is given. */
export async function openDesk(api: FakeApi, cases: DeskCaseView[], caseId?: string) {
  storeSession(adminSession);
  api.answer({
    me: () => adminSession,
    deskCases: () => ({ items: cases, nextCursor: null }),
    deskCase: () => ({ case: cases.find(({ id }) => id === caseId) as DeskCaseView }),
  });
  const { screen, router } = await renderApp([{ path: '/', element: <DeskTab /> }], caseId ? `/?case=${caseId}` : '/');
  return { screen, router };
}
