import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { pressTwice } from '../testing/keyboard-dialog.ts';
import { renderApp } from '../testing/render-app.tsx';
import NewPasswordPage from './new-password.tsx';

const api = installFakeApi();
const token = 'a'.repeat(43);
const password = 'otra-clave-mas-larga';

async function open(hash: string) {
  const { router } = await renderApp(
    [
      { path: '/recuperar', element: <NewPasswordPage /> },
      { path: '/login', element: <h1>Iniciar Sesión</h1> },
    ],
    `/recuperar${hash}`,
  );
  return router;
}

const field = (testid: string) => page.getByTestId(testid);

for (const [link, hash, code, message] of [
  ['without a token', '', null, 'Falta el enlace.'],
  ['that was cut', '#medio-enlace', 'recovery_link_unknown', 'El enlace está incompleto'],
  ['that was used', `#${token}`, 'recovery_link_used', 'Este enlace ya se usó'],
  ['with a newer one after it', `#${token}`, 'recovery_link_replaced', 'Pediste un enlace más nuevo'],
] as const) {
  test(`a password reset link ${link} says so and leads to a new one`, async () => {
    if (code) api.answer({ recoveryLink: () => ({ failure: code, status: 410, message }) });
    await open(hash);
    await expect.element(field('dead-link')).toMatchTextContent(message);
    await expect.element(field('dead-link-new')).toHaveAttribute('href', '/login?recover=true');
  });
}

test('a new password is checked, saved once, and leads to the sign-in page; the token leaves the address', async () => {
  api.answer({
    recoveryLink: () => ({ email: 'carmen@example.com', factorsChanged: false }),
    resetPassword: () => undefined,
  });
  const router = await open(`#${token}`);
  await expect.element(page.getByText('carmen@example.com')).toBeVisible();
  expect(router.state.location.hash).toBe('');
  await field('new-password').fill('corta');
  await field('new-password-submit').click();
  await expect.element(page.getByText('La contraseña debe tener al menos 8 caracteres')).toBeVisible();
  await expectAccessibleAtAnyWidth();
  await field('new-password').fill(password);
  await field('new-password-confirm').fill(`${password}x`);
  await field('new-password-submit').click();
  await expect.element(page.getByText('Las contraseñas no coinciden').first()).toBeVisible();
  await field('new-password-confirm').fill(password);
  pressTwice('new-password-submit');
  await expect.element(page.getByText('Contraseña cambiada')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Iniciar Sesión' })).toBeVisible();
  expect(api.calls.filter(({ name }) => name === 'resetPassword').map(({ body }) => body)).toEqual([
    { token, password },
  ]);
});

test('who resets a password says whether recent second factors are theirs', async () => {
  api.answer({
    recoveryLink: () => ({ email: 'carmen@example.com', factorsChanged: true }),
    resetPassword: () => undefined,
  });
  await open(`#${token}`);
  await field('new-password').fill(password);
  await field('new-password-confirm').fill(password);
  await field('new-password-submit').click();
  await expect.element(page.getByText('Elige una respuesta')).toBeVisible();
  expect(api.calls.filter(({ name }) => name === 'resetPassword')).toEqual([]);
  await expectAccessibleAtAnyWidth();
  await field('reset-factors-not-mine').click();
  await field('new-password-submit').click();
  await expect.element(page.getByText('Contraseña cambiada')).toBeVisible();
  expect(api.calls.filter(({ name }) => name === 'resetPassword').map(({ body }) => body)).toEqual([
    { token, password, undoFactors: true },
  ]);
});

test('a new password that could not be saved stays in its fields, and a link that died meanwhile says so', async () => {
  api.answer({
    recoveryLink: () => ({ email: 'carmen@example.com', factorsChanged: false }),
    resetPassword: () => 'no connection',
  });
  await open(`#${token}`);
  await field('new-password').fill(password);
  await field('new-password-confirm').fill(password);
  await field('new-password-submit').click();
  await expect.element(page.getByText('No se pudo cambiar la contraseña')).toBeVisible();
  await expect.element(field('new-password')).toHaveValue(password);
  api.answer({
    resetPassword: () => ({
      failure: 'recovery_link_expired',
      status: 410,
      message: 'Este enlace ya venció',
      validForSeconds: 3600,
    }),
  });
  await field('new-password-submit').click();
  await expect.element(field('dead-link')).toMatchTextContent('Este enlace ya venció');
});

test('a password reset link that could not be checked is checked again on demand', async () => {
  api.answer({ recoveryLink: () => 'no connection' });
  await open(`#${token}`);
  const retry = page.getByRole('button', { name: 'Reintentar' });
  await expect.element(retry).toBeVisible();
  api.answer({ recoveryLink: () => ({ email: 'carmen@example.com', factorsChanged: false }) });
  await retry.click();
  await expect.element(field('new-password')).toBeVisible();
});
