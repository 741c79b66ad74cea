import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { useLogout } from '../data/session.ts';
import { draftEntry, storeSession } from '../lib/storage.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { adminSession, renderApp, senderSession } from '../testing/render-app.tsx';
import SignedIn from './signed-in.tsx';

const api = installFakeApi();

const routes = ['senders-only', 'admins-only'].map((id) => ({
  id,
  element: <SignedIn />,
  children: [{ path: `/${id}`, element: <h1>Una página</h1> }],
}));

test.each([
  ['a sender', senderSession, 'senders-only', 'Una página'],
  ['a sender', senderSession, 'admins-only', 'No tienes permiso para ver esta página'],
  ['an admin', adminSession, 'admins-only', 'Una página'],
])('to %s (%#) the guard shows only the pages that routes.ts gives them', async (_, session, id, heading) => {
  storeSession(session);
  api.answer({ me: () => session });
  const { screen } = await renderApp(routes, `/${id}`);
  await expect.element(screen.getByRole('heading', { level: 1 })).toHaveTextContent(heading);
});

function SignOut() {
  const logout = useLogout();
  return (
    <button type="button" onClick={() => void logout()}>
      Salir
    </button>
  );
}

test('nothing that a person typed stays on the computer once they sign out', async () => {
  storeSession(senderSession);
  api.answer({ me: () => senderSession, logout: () => undefined });
  const draft = { state: { userId: senderSession.user.id, draft: { amount: '250' } }, version: 0 };
  window.localStorage.setItem(draftEntry, JSON.stringify(draft));
  await renderApp([{ path: '/', element: <SignOut /> }]);
  await page.getByRole('button', { name: 'Salir' }).click();
  await expect.poll(() => api.calls.some(({ name }) => name === 'logout')).toBe(true);
  expect(window.localStorage.getItem(draftEntry)).toBeNull();
});
