import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { expectAccessibleAtAnyWidth } from './accessibility.ts';
import { fillLogin, hold, lastingOf, live, password, refusal, stored, useAccountFixture } from './account-fixture.ts';
import { signIn } from './api-client.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { enterAsSender } from './pages.ts';
import { freeze, lastsAbout, pass, passUntil, type SeenToast, watchToasts } from './toasts.ts';
import { until } from './until.ts';

const newPassword = 'otra-clave-mas-larga';

vi.setConfig({ testTimeout: 180_000 });

const { browser, app, open, account } = useAccountFixture();

test('a person asks for a password reset link; an address without an account gets the same answer', async () => {
  const page = await browser.newPage({ ownContext: true });
  const seen = await watchToasts(page);
  await page.goto(`${app.url()}/login`);
  await page.getByTestId('login-forgot').click();
  await page.getByTestId('recovery-submit').click();
  await expectText(page, 'message recovery: required');
  const email = page.getByTestId('recovery-email');
  expect(await email.evaluate((field) => field === document.activeElement)).toBe(true);
  await email.fill('juana@example');
  await page.getByTestId('recovery-submit').click();
  await expectText(page, 'message recovery: format');
  await page.getByTestId('recovery-back').click();
  await page.getByTestId('login-password').waitFor();
  expect(await page.getByTestId('login-email').inputValue()).toBe('juana@example');
  covers('rule recovery panel');
  await page.getByTestId('login-forgot').click();

  await email.fill('nadie@example.com');
  const letGo = await hold(page, '/api/auth/recover');
  await page.getByTestId('recovery-submit').click();
  await expectText(page, 'message recovery: busy');
  await freeze(page);
  letGo();
  await passUntil(page, () => page.getByText('Correo enviado').isVisible());
  await expectText(page, 'message recovery: sent');
  await page.getByText('Si hay una cuenta con nadie@example.com').waitFor();
  await pass(page, 1500);
  await expectText(page, 'message recovery: next step');
  await page.getByTestId('login-password').waitFor();
  await pass(page, 7000);

  const { toasts } = await seen();
  const sent = toasts.find(({ text }) => text.includes('Correo enviado')) as SeenToast;
  const next = toasts.find(({ text }) => text.includes('Siguiente paso')) as SeenToast;
  expect(lastsAbout(1000, next.shownAt - sent.shownAt), `after ${next.shownAt - sent.shownAt} ms`).toBe(true);
  expect(lastsAbout(6000, lastingOf(toasts, 'Siguiente paso'))).toBe(true);
  covers('constant recovery follow-up 1 s, 6 s');
});

/** Asks for a link as the person does, and reads it from the mailbox. */
async function linkFromMail(page: Page, email: string, expected = 1): Promise<string> {
  await page.goto(`${app.url()}/login?recover=true`);
  await page.getByTestId('recovery-email').fill(email);
  await page.getByTestId('recovery-submit').click();
  await page.getByText(`Si hay una cuenta con ${email}`).waitFor();
  const [mail] = await until(`${expected} links arrive`, async () => {
    const mails = (await app.sandbox.mails(email)).filter(({ subject }) => subject.includes('Cambia tu contraseña'));
    return mails.length >= expected && mails;
  });
  return /http\S+\/recuperar#\S+/.exec(mail?.text ?? '')?.[0] ?? '';
}

test('a password reset link sets a new password once and signs other open browsers out', async () => {
  const elsewhere = await browser.newPage(refusal(401));
  const email = await enterAsSender(elsewhere, app.url());
  await live(elsewhere);
  const page = await browser.newPage({ expectedErrors: [/status of 410/] });
  const older = await linkFromMail(page, email);
  const link = await linkFromMail(page, email, 2);
  const token = link.split('#')[1] ?? '';
  expect(token).toMatch(/^[\w-]{43}$/);

  await page.goto(older);
  await page.getByText('Pediste un enlace más nuevo').waitFor();
  // Only what follows the "#" changes: the page stays and takes the other link.
  await page.goto(link);
  await page.getByText(email).waitFor();
  expect(page.url()).toBe(`${app.url()}/recuperar`);
  await page.getByTestId('new-password').fill('corta');
  await page.getByTestId('new-password-submit').click();
  await page.getByText('La contraseña debe tener al menos 8 caracteres').waitFor();
  await page.getByTestId('new-password').fill(newPassword);
  await page.getByTestId('new-password-confirm').fill(`${newPassword}x`);
  await page.getByTestId('new-password-submit').click();
  await page.getByText('Las contraseñas no coinciden').first().waitFor();
  await page.getByTestId('new-password-confirm').fill(newPassword);
  await page.getByTestId('new-password-submit').click();
  await page.getByText('Contraseña cambiada').waitFor();
  await page.waitForURL('**/login');

  await elsewhere.waitForURL('**/login?next=%2Fdashboard');
  expect(await stored(elsewhere)).toEqual([null, null]);
  await page.goto(link);
  await page.getByText('Este enlace ya se usó').waitFor();
  await page.getByTestId('dead-link-new').click();
  await page.getByTestId('recovery-email').waitFor();

  await expect(signIn(app.url, email, password)).rejects.toMatchObject({ code: 'invalid_credentials' });
  await page.goto(`${app.url()}/login`);
  await fillLogin(page, email, newPassword);
  await page.getByTestId('login-submit').click();
  await page.waitForURL('**/dashboard');
  const notice = await until('the notice arrives', async () =>
    (await app.sandbox.mails(email)).find(({ subject }) => subject === 'Tu contraseña cambió'),
  );
  expect(notice.text).not.toContain(token);
  for (const name of ['api', 'worker'] as const) {
    expect(app.stack.log(name)).not.toContain(token);
    expect(app.stack.log(name)).not.toContain(email);
  }
});

test('a missing or broken password reset link is named and a new one offered', async () => {
  const page = await open('/recuperar');
  await page.getByText('Falta el enlace').waitFor();
  const broken = await open('/recuperar#medio-enlace', refusal(400));
  await broken.getByText('El enlace está incompleto').waitFor();
  await broken.getByTestId('dead-link-new').click();
  await broken.waitForURL('**/login?recover=true');
});

test('sign-in, sign-up and password reset have no accessibility violations when a field is missing', async () => {
  const email = await account();
  const page = await browser.newPage({ expectedErrors: [/status of 4\d\d/] });
  const look = (state: string) => expectAccessibleAtAnyWidth(page, state);
  await page.goto(`${app.url()}/login`);
  await page.getByTestId('login-submit').click();
  await page.getByText('Campos incompletos').waitFor();
  await look('login');
  await page.getByTestId('signup-tab').click();
  await page.getByTestId('signup-terms').check();
  await page.getByTestId('signup-submit').click();
  await page.getByText('Por favor completa al menos').waitFor();
  await look('sign-up');
  const link = await linkFromMail(page, email);
  await page.getByText('Siguiente paso').waitFor();
  await page.goto(`${app.url()}/login?recover=true`);
  await page.getByTestId('recovery-submit').click();
  await page.getByText('Campo requerido').waitFor();
  await look('recovery');
  await page.goto(link);
  await page.getByTestId('new-password-submit').click();
  await page.getByText('Contraseña requerida').waitFor();
  await look('new password');
});
