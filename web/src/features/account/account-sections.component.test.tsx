import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type AccountView, accountEndpoints, type DeviceSession } from '#core/contracts/http/account';
import { queryClient } from '../../data/query-client.ts';
import { sessionKey } from '../../data/query-keys.ts';
import { accountKeys } from '../../data/sender-query-keys.ts';
import { expectAccessible, expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { pressTwice } from '../../testing/keyboard-dialog.ts';
import { adminSession, renderApp, senderSession } from '../../testing/render-app.tsx';
import { AccountSections } from './account-sections.tsx';
import Proofs from './proofs.tsx';

const api = installFakeApi();
const field = (testid: string) => page.getByTestId(testid);
const sent = (name: keyof typeof accountEndpoints) =>
  api.calls.filter((one) => one.name === name).map(({ body, params }) => body ?? params);

const account: AccountView = {
  ...{
    email: 'carmen@example.com',
    name: 'Carmen Rojas',
    phone: '+34 600 000 000',
    city: null,
    occupation: 'empleado',
  },
  ...{ birthDate: '1990-05-17', createdAt: '2026-11-01T12:00:00.000Z' },
};
const device = (n: number, browser: string | null, system: string | null): DeviceSession => ({
  ...{ id: `0b7f3f7a-2a55-4f43-9c19-2c8f3a1d7b0${n}`, browser, system },
  ...{ createdAt: '2026-11-20T12:00:00.000Z', lastSeenAt: '2026-11-21T15:30:00.000Z' },
});
const current = device(1, 'Chrome', 'Windows');
const phone = device(2, 'Safari', 'iPhone');

beforeEach(() => {
  queryClient.removeQueries({ queryKey: accountKeys.details });
  queryClient.setQueryData(sessionKey, senderSession);
});

async function open(section: string) {
  await renderApp([{ path: '/cuenta', element: <AccountSections languageSwitch={null} /> }], `/cuenta#${section}`);
}

test('the account page is a list of sections that open one at a time by keyboard, and fit the screen of a phone', async () => {
  api.answer({ getAccount: () => account, listSessions: () => ({ current, items: [], nextCursor: null }) });
  await renderApp([{ path: '/', element: <AccountSections languageSwitch={null} /> }]);
  await expect.element(field('account-datos')).toBeVisible();
  expect(api.calls.filter(({ name }) => name in accountEndpoints)).toEqual([]);
  (field('account-datos').element() as HTMLElement).focus();
  (field('account-datos').element() as HTMLElement).click();
  await expect.element(field('account-name')).toHaveValue('Carmen Rojas');
  await expectAccessibleAtAnyWidth();
  expect(document.body.scrollHeight).toBeLessThan(3000);
  await field('account-sesiones').click();
  await expect.element(field('session-current')).toBeVisible();
  await expect.element(field('account-name')).not.toBeInTheDocument();
});

test('own data are checked as at sign-up, saved once, and shown in the frame of the page at once', async () => {
  api.answer({ getAccount: () => account, updateAccount: ({ body }) => ({ ...account, ...(body as object) }) });
  await open('datos');
  await field('account-name').fill('C');
  await field('account-save').click();
  await expect.element(page.getByText('Nombre debe tener al menos 2 caracteres')).toBeVisible();
  await expect.element(field('account-name')).toHaveFocus();
  await field('account-name').fill('Carmen Rojas Choque');
  await field('account-city').fill('Madrid');
  await field('account-occupation').selectOptions('');
  pressTwice('account-save');
  await expect.element(page.getByText('Guardado')).toBeVisible();
  expect(sent('updateAccount')).toEqual([{ name: 'Carmen Rojas Choque', phone: '+34 600 000 000', city: 'Madrid' }]);
  expect(queryClient.getQueryData(sessionKey)).toMatchObject({ user: { name: 'Carmen Rojas Choque', city: 'Madrid' } });
});

test('a name that is on a transfer under way is refused at its field, and what was typed stays when nothing could be saved', async () => {
  const message = 'Tu nombre está en un envío en curso.';
  api.answer({ getAccount: () => account, updateAccount: () => ({ failure: 'name_in_use', status: 409, message }) });
  await open('datos');
  await field('account-name').fill('Otra Persona');
  await field('account-save').click();
  await expect.element(field('account-name')).toHaveAccessibleDescription(message);
  api.answer({ updateAccount: () => 'no connection' });
  await field('account-save').click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('No hay conexión con Chasqui');
  await expect.element(field('account-name')).toHaveValue('Otra Persona');
});

test('typing while own data are saved loses neither a refusal nor what was typed', async () => {
  const answer = Promise.withResolvers<void>();
  const message = 'Tu nombre está en un envío en curso.';
  api.answer({
    getAccount: () => account,
    updateAccount: async () => {
      await answer.promise;
      return { failure: 'name_in_use', status: 409, message };
    },
  });
  await open('datos');
  await field('account-name').fill('Otra Persona');
  await field('account-save').click();
  await field('account-city').fill('Oruro');
  await expect.element(field('account-save')).toBeDisabled();
  answer.resolve();
  await expect.element(field('account-name')).toHaveAccessibleDescription(message);
  await expect.element(field('account-city')).toHaveValue('Oruro');
  const saved = Promise.withResolvers<void>();
  api.answer({
    updateAccount: async ({ body }) => {
      await saved.promise;
      return { ...account, ...(body as object) };
    },
  });
  await field('account-name').fill('Carmen Choque');
  await field('account-save').click();
  await field('account-city').fill('Sucre');
  saved.resolve();
  // The last city is not saved yet: nothing says that it is.
  await expect.element(field('account-save')).toBeEnabled();
  await expect.element(page.getByText('Guardado')).not.toBeInTheDocument();
  await field('account-save').click();
  await expect.element(page.getByText('Guardado')).toBeVisible();
  expect(sent('updateAccount').at(-1)).toMatchObject({ city: 'Sucre' });
});

test('own data that could not be loaded are asked for again on demand', async () => {
  api.answer({ getAccount: () => 'no connection' });
  await open('datos');
  const retry = page.getByRole('button', { name: 'Reintentar' });
  await expect.element(retry).toBeVisible();
  api.answer({ getAccount: () => account });
  await retry.click();
  await expect.element(field('account-name')).toBeVisible();
});

test('the password is changed once with the current one, and its fields are empty afterwards', async () => {
  api.answer({ changePassword: () => undefined });
  await open('clave');
  await field('password-current').fill('una-clave-larga');
  await field('new-password').fill('corta');
  await field('new-password-confirm').fill('otra');
  await field('password-save').click();
  await expect.element(page.getByText('La contraseña debe tener al menos 8 caracteres')).toBeVisible();
  await expect.element(field('new-password')).toHaveFocus();
  await expectAccessible();
  await field('new-password').fill('otra-clave-mas-larga');
  await field('password-save').click();
  await expect.element(page.getByText('Las contraseñas no coinciden')).toBeVisible();
  await field('new-password-confirm').fill('otra-clave-mas-larga');
  pressTwice('password-save');
  await expect.element(page.getByText('Contraseña cambiada.', { exact: false })).toBeVisible();
  expect(sent('changePassword')).toEqual([{ current: 'una-clave-larga', password: 'otra-clave-mas-larga' }]);
  for (const each of ['password-current', 'new-password', 'new-password-confirm'])
    await expect.element(field(each)).toHaveValue('');
});

test('a wrong current password is refused at its field, and too many of them above the button', async () => {
  const message = 'Esa no es tu contraseña actual.';
  api.answer({ changePassword: () => ({ failure: 'wrong_password', status: 422, message }) });
  await open('clave');
  await field('password-current').fill('mala');
  await field('new-password').fill('otra-clave-mas-larga');
  await field('new-password-confirm').fill('otra-clave-mas-larga');
  await field('password-save').click();
  await expect.element(field('password-current')).toHaveAccessibleDescription(message);
  api.answer({
    changePassword: () => ({ failure: 'too_many_requests', status: 429, message: 'Demasiados intentos.' }),
  });
  await field('password-save').click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('Demasiados intentos');
});

test('a session on another device is ended by its button, and the list says when it is the only one left', async () => {
  let items = [phone, device(3, null, null)];
  api.answer({
    listSessions: () => ({ current, items, nextCursor: null }),
    endSession: ({ params }) => {
      items = items.filter(({ id }) => id !== params.id);
      return undefined;
    },
    endOtherSessions: () => {
      items = [];
      return undefined;
    },
  });
  await open('sesiones');
  await expect.element(field('session-current')).toMatchTextContent(/Chrome en Windows\s*Este equipo/);
  await expect.element(field('session').nth(0)).toMatchTextContent(/Safari en iPhone.*Última vez/);
  await expect.element(field('session').nth(1)).toMatchTextContent('Equipo desconocido');
  await expectAccessibleAtAnyWidth();
  await page.getByRole('button', { name: 'Cerrar la sesión de Safari en iPhone' }).click();
  await expect.element(page.getByText('Sesión cerrada.')).toBeVisible();
  await expect.element(page.getByText('Safari en iPhone')).not.toBeInTheDocument();
  expect(sent('endSession')).toEqual([{ id: phone.id }]);
  // The button is gone, and the keyboard goes on in the list.
  const list = field('session-current').element().parentElement;
  await expect.poll(() => list?.contains(document.activeElement)).toBe(true);
  pressTwice('sessions-end-others');
  await expect.element(page.getByText('No tienes la sesión abierta en ningún otro equipo.')).toBeVisible();
  expect(sent('endOtherSessions')).toHaveLength(1);
});

test('a session that could not be ended stays in the list, with the reason', async () => {
  api.answer({
    listSessions: () => ({ current, items: [phone], nextCursor: null }),
    endSession: () => 'no connection',
  });
  await open('sesiones');
  await page.getByRole('button', { name: 'Cerrar la sesión de Safari en iPhone' }).click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('No hay conexión con Chasqui');
  await expect.element(page.getByText('Safari en iPhone')).toBeVisible();
});

test('the currency of the next transfer is kept as soon as it is chosen, and goes back when it could not be', async () => {
  api.answer({
    setCurrency: ({ body }) => ({
      ...senderSession,
      user: { ...senderSession.user, preferredCurrency: (body as { currency: 'EUR' | null }).currency },
    }),
  });
  await open('idioma');
  await expect.element(field('account-currency')).toHaveValue('');
  await field('account-currency').selectOptions('EUR');
  await expect.element(page.getByText('Guardado')).toBeVisible();
  expect(queryClient.getQueryData(sessionKey)).toMatchObject({ user: { preferredCurrency: 'EUR' } });
  api.answer({ setCurrency: () => 'no connection' });
  await field('account-currency').selectOptions('');
  await expect.element(page.getByRole('alert')).toMatchTextContent('No hay conexión con Chasqui');
  await expect.element(field('account-currency')).toHaveValue('EUR');
  expect(sent('setCurrency')).toEqual([{ currency: 'EUR' }, { currency: null }]);
  await expectAccessible();
});

test('own data are downloaded once per press, and a refusal says what to do', async () => {
  const message = 'Demasiados intentos.';
  api.answer({ exportData: () => ({ failure: 'too_many_requests', status: 429, message }) });
  await open('descarga');
  await expect.element(field('download-exportData')).toBeVisible();
  pressTwice('download-exportData');
  await expect.element(page.getByRole('alert')).toMatchTextContent(message);
  expect(api.calls.filter(({ name }) => name === 'exportData')).toHaveLength(1);
  await expectAccessible();
  api.answer({ exportData: () => 'no connection' });
  await field('download-exportData').click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('No hay conexión con Chasqui');
  api.answer({ exportData: () => undefined });
  await field('download-exportData').click();
  await expect.element(page.getByText('Descargado.', { exact: false })).toBeVisible();
});

test('own data are downloaded once the password was typed again, where the server asks for it', async () => {
  api.answer({
    exportData: () => ({ failure: 'second_factor_stale', status: 403, app: false, passkey: false, message: '' }),
    proveSecondFactor: () => {
      api.answer({ exportData: () => undefined });
      return undefined;
    },
  });
  const sections = (
    <>
      <AccountSections languageSwitch={null} />
      <Proofs />
    </>
  );
  await renderApp([{ path: '/cuenta', element: sections }], '/cuenta#descarga');
  await field('download-exportData').click();
  await field('factor-password').fill('una-clave-larga');
  await field('factor-change').click();
  await expect.element(page.getByText('Descargado.', { exact: false })).toBeVisible();
  expect(api.calls.filter(({ name }) => name === 'proveSecondFactor').map(({ body }) => body)).toEqual([
    { password: 'una-clave-larga' },
  ]);
});

test('an account that cannot be closed yet says why, and a wrong password is refused at its field', async () => {
  const message = 'Todavía no puedes cerrar tu cuenta: tienes un envío en curso.';
  api.answer({
    closeAccount: () => ({ failure: 'account_busy', status: 409, message, transfers: 1, complaints: 0, cases: 0 }),
  });
  await open('cierre');
  await field('close-submit').click();
  await expect.element(page.getByText('Contraseña requerida')).toBeVisible();
  await expect.element(field('close-password')).toHaveFocus();
  await field('close-password').fill('una-clave-larga');
  await field('close-submit').click();
  await expect.element(page.getByRole('alert')).toMatchTextContent(message);
  await expectAccessibleAtAnyWidth();
  api.answer({ closeAccount: () => ({ failure: 'wrong_password', status: 422, message: 'Esa no es.' }) });
  await field('close-submit').click();
  await expect.element(field('close-password')).toHaveAccessibleDescription('Esa no es.');
});

test('an account is closed once, and its person is on the front page and signed out', async () => {
  api.answer({ closeAccount: () => undefined });
  const { router } = await renderApp(
    [
      { path: '/cuenta', element: <AccountSections languageSwitch={null} /> },
      { path: '/', element: <h1>Inicio</h1> },
    ],
    '/cuenta#cierre',
  );
  await field('close-password').fill('una-clave-larga');
  pressTwice('close-submit');
  await expect.element(page.getByText('Cerramos tu cuenta')).toBeVisible();
  expect(router.state.location.pathname).toBe('/');
  expect(queryClient.getQueryData(sessionKey)).toBeNull();
  expect(sent('closeAccount')).toEqual([{ password: 'una-clave-larga' }]);
});

test('the account of an admin offers no closing', async () => {
  queryClient.setQueryData(sessionKey, adminSession);
  await open('cierre');
  await expect.element(page.getByText('la cierra quien opera el servicio', { exact: false })).toBeVisible();
  await expect.element(field('close-submit')).not.toBeInTheDocument();
});

test('an address that is not proven yet is proven in its section, which then asks no more', async () => {
  const user = { ...senderSession.user, emailProven: false };
  queryClient.setQueryData(sessionKey, { ...senderSession, user });
  api.answer({ getAccount: () => account, me: () => ({ ...senderSession, user }), proveEmail: () => senderSession });
  api.answer({ paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'test' }) });
  await open('correo');
  await field('email-code').fill('1234');
  await field('email-code-submit').click();
  await expect.element(field('email-code')).toHaveAccessibleDescription(/Escribe los 6 números del correo/);
  await field('email-code').fill('123456');
  await expect.element(field('email-code')).not.toBeInTheDocument();
  await expect.element(field('email-new')).toBeVisible();
});

test('another address is asked for with the password, and what is wrong stands at its field', async () => {
  const message = 'Esa no es tu contraseña actual.';
  api.answer({ getAccount: () => account, changeEmail: () => ({ failure: 'wrong_password', status: 422, message }) });
  await open('correo');
  await expect.element(page.getByText('carmen@example.com')).toBeVisible();
  await field('email-save').click();
  await expect.element(field('email-new')).toHaveFocus();
  await field('email-new').fill('nueva@example.com');
  await field('email-password').fill('equivocada');
  await field('email-save').click();
  await expect.element(field('email-password')).toHaveAccessibleDescription(message);
  api.answer({ changeEmail: () => undefined });
  pressTwice('email-save');
  await expect.element(page.getByText('Enviamos un enlace a nueva@example.com.', { exact: false })).toBeVisible();
  expect(sent('changeEmail')).toHaveLength(2);
  expect(sent('changeEmail').at(-1)).toEqual({ email: 'nueva@example.com', password: 'equivocada' });
});
