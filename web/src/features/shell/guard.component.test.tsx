import { Outlet } from 'react-router';
import { expect, test } from 'vitest';
import { queryClient } from '../../data/query-client.ts';
import { sessionKey } from '../../data/query-keys.ts';
import { useSession } from '../../data/session.ts';
import { storeSession } from '../../lib/storage.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { adminSession, renderApp, senderSession } from '../../testing/render-app.tsx';
import { Guard } from './guard.tsx';

const api = installFakeApi();

function SessionStatus() {
  return (
    <>
      <output>{useSession().status}</output>
      <Outlet />
    </>
  );
}

const routes = [
  {
    element: <SessionStatus />,
    children: [
      { element: <Guard admin={false} />, children: [{ path: '/dashboard', element: <input aria-label="Monto" /> }] },
    ],
  },
];

for (const failure of ['unavailable', 'no connection'] as const) {
  test(`a guarded page and what is typed in it survive a session refetch that fails with "${failure}"`, async () => {
    storeSession(senderSession);
    api.answer({ me: () => senderSession });
    const { screen } = await renderApp(routes, '/dashboard');
    const field = screen.getByLabelText('Monto');
    await field.fill('250');
    api.answer({ me: () => (failure === 'no connection' ? failure : { failure }) });
    await queryClient.refetchQueries({ queryKey: sessionKey });
    await expect.element(screen.getByRole('status')).toHaveTextContent('error');
    await expect.element(field).toHaveValue('250');
  });
}

test('a guarded page offers a retry when the session could not be loaded at all', async () => {
  storeSession(senderSession);
  api.answer({ me: () => ({ failure: 'unavailable' }) });
  const { screen } = await renderApp(routes, '/dashboard');
  const retry = screen.getByRole('button', { name: 'Reintentar' });
  await expect.element(retry).toBeVisible();
  api.answer({ me: () => senderSession });
  await retry.click();
  await expect.element(screen.getByLabelText('Monto')).toBeVisible();
});

test('an admin who has yet to set up the second factor is led to it from every page', async () => {
  const session = { ...adminSession, mustSetUp: 'second_factor' as const };
  storeSession(session);
  api.answer({ me: () => session });
  const guarded = [
    { path: '/admin', element: <h1>Panel</h1> },
    { path: '/cuenta', element: <h1>Cuenta</h1> },
  ];
  const { screen, router } = await renderApp([{ element: <Guard admin />, children: guarded }], '/admin');
  await expect.element(screen.getByRole('heading', { name: 'Cuenta' })).toBeVisible();
  expect(router.state.location).toMatchObject({ pathname: '/cuenta', hash: '#seguridad' });
});
