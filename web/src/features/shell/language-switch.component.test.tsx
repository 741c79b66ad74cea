import { beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { useSession } from '../../data/session.ts';
import { documentLoader } from '../../lib/document.ts';
import { chosenLanguage } from '../../lib/language.ts';
import { storeSession } from '../../lib/storage.ts';
import { showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp, senderSession } from '../../testing/render-app.tsx';
import { LanguageSwitch } from './language-switch.tsx';

let reload: MockInstance;
beforeEach(() => {
  reload = vi.spyOn(documentLoader, 'reload').mockReturnValue();
});

const api = installFakeApi();

function Page() {
  return (
    <>
      <output>{useSession().data?.user.name ?? 'nobody'}</output>
      <LanguageSwitch />
    </>
  );
}

async function choose(signedInAs: string) {
  const { screen } = await renderApp([{ path: '/dashboard', element: <Page /> }], '/dashboard');
  await expect.element(screen.getByRole('status')).toHaveTextContent(signedInAs);
  await screen.getByRole('button', { name: 'English' }).click();
}
const saved = () => api.calls.filter(({ name }) => name === 'setLocale').map(({ body }) => body);

test('the language that a signed-in person chooses is saved on the server before the page is loaded in it', async () => {
  storeSession(senderSession);
  const answer = Promise.withResolvers<typeof senderSession>();
  api.answer({ me: () => senderSession, setLocale: () => answer.promise });
  await choose(senderSession.user.name);
  await expect.poll(saved).toEqual([{ locale: 'en' }]);
  expect(reload).not.toHaveBeenCalled();
  answer.resolve({ ...senderSession, user: { ...senderSession.user, locale: 'en' } });
  await expect.poll(() => reload.mock.calls).toHaveLength(1);
  expect(chosenLanguage()).toBe('en');
});

test('the language that a signed-in person chooses holds in this browser when it cannot be saved', async () => {
  storeSession(senderSession);
  api.answer({ me: () => senderSession, setLocale: () => 'no connection' });
  await choose(senderSession.user.name);
  await expect.poll(() => reload.mock.calls).toHaveLength(1);
  expect(chosenLanguage()).toBe('en');
});

test('the language that a visitor chooses is kept in this browser alone', async () => {
  await choose('nobody');
  await expect.poll(() => reload.mock.calls).toHaveLength(1);
  expect(chosenLanguage()).toBe('en');
  expect(saved()).toEqual([]);
});

test('Spanish begins at the front page for who reads the page that is English for everybody', async () => {
  await showEnglish();
  const open = vi.spyOn(documentLoader, 'open').mockReturnValue();
  const { screen } = await renderApp([{ path: '/fixed-stripe', element: <Page /> }], '/fixed-stripe');
  await screen.getByRole('button', { name: 'Español' }).click();
  await expect.poll(() => open.mock.calls).toEqual([['/']]);
  expect(chosenLanguage()).toBe('es');
  expect(reload).not.toHaveBeenCalled();
});
