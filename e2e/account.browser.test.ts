import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { defaultPasswordCost } from '#domain/accounts/passwords';
import { type PageOptions, useBrowser } from '../infra/testing/browser.ts';
import { signUp } from './api-client.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { query } from './ledger.ts';
import { useApp } from './test-app.ts';

const password = 'una-clave-larga';

const browser = useBrowser();
const app = useApp();

const refusal = (status: number): PageOptions => ({ expectedErrors: [new RegExp(`status of ${status}`)] });

async function fillLogin(page: Page, email: string, secret = password) {
  await page.getByTestId('login-email').fill(email);
  await page.getByTestId('login-password').fill(secret);
}

const stored = (page: Page) =>
  page.evaluate(() => ['auth_token', 'user_data'].map((name) => window.localStorage.getItem(name)));

const live = (page: Page) =>
  page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });

test('a person signs in after a wrong password, stays for 30 days on request, turns two-step verification on, signs out, enters in two steps and by a passkey, and is notified while the product is not in front', async () => {
  const client = await signUp(app);
  const { email } = (await client.request('GET', '/api/auth/me')).body.user;
  const sql = 'select password_hash from app_user where email = $1';
  const [account] = await query<{ password_hash: string }>(app.databaseUrl, sql, [email]);
  const { memory, passes } = defaultPasswordCost;
  expect(account?.password_hash).toMatch(new RegExp(`^\\$argon2id\\$v=19\\$m=${memory},t=${passes},`));
  const page = await browser.newPage(refusal(401));
  await page.goto(`${app.url()}/login`);
  await fillLogin(page, email, 'equivocada');
  await page.getByTestId('login-submit').click();
  await expectText(page, 'message login: failed');

  await fillLogin(page, email);
  await page.getByTestId('login-remember').check();
  await page.getByTestId('login-submit').click();
  await page.waitForURL('**/dashboard');
  covers('call POST /api/auth/login');
  const [token, user] = await stored(page);
  expect(token).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(user ?? '')).toEqual({ email, name: 'Carmen Rojas', phone: null, city: null, role: 'user' });
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'chasqui_session');
  const days = ((cookie?.expires ?? 0) * 1000 - Date.now()) / (24 * 3_600_000);
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30.1);
  covers('rule remember me');

  await live(page);
  await page.goto(`${app.url()}/cuenta#seguridad`);
  await page.getByTestId('factor-setup').click();
  await page.getByTestId('factor-password').fill(password);
  await page.getByTestId('factor-change').click();
  const secret = ((await page.getByTestId('factor-secret').textContent()) ?? '').replaceAll(' ', '');
  await page.getByTestId('factor-code').fill(generateSync({ secret }));
  await page.getByTestId('factor-confirm').click();
  const recoveryCode = (await page.getByTestId('recovery-codes').locator('li pre').first().textContent()) ?? '';
  await page.getByTestId('recovery-kept').click();
  await page.getByTestId('factor-on').waitFor();
  await addAuthenticator(page);
  await page.getByTestId('passkey-add').click();
  await page.getByTestId('passkey-name').fill('Mi portátil');
  await page.getByTestId('factor-password').fill(password);
  await page.getByTestId('factor-change').click();
  await page.getByTestId('factor').filter({ hasText: 'Mi portátil' }).waitFor();

  await page.getByTestId('nav-avatar').click();
  const signedOut = page.waitForResponse('**/api/auth/logout');
  await page.getByTestId('nav-logout').click();
  await signedOut;
  await page.getByTestId('home-rates').waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await expect.poll(() => stored(page)).toEqual([null, null]);

  await page.goto(`${app.url()}/login`);
  await fillLogin(page, email);
  await page.getByTestId('login-submit').click();
  await page.getByTestId('factor-swap').click();
  await page.getByTestId('factor-code').fill(recoveryCode);
  await page.getByTestId('second-step-submit').click();
  await page.waitForURL('**/dashboard');

  await page.request.post(`${app.url()}/api/auth/logout`);
  await page.goto(`${app.url()}/login`);
  await page.getByTestId('login-passkey').click();
  await page.waitForURL('**/dashboard');
  await page.request.post(`${app.url()}/api/auth/logout`);
  await page.goto(`${app.url()}/login`);
  await fillLogin(page, email);
  await page.getByTestId('login-submit').click();
  await page.getByTestId('factor-passkey').click();
  await page.waitForURL('**/dashboard');

  const device = await deviceOf(page);
  await device.deliver('seen');
  // Another origin.
  await page.goto(`${app.url().replace('localhost', '127.0.0.1')}/mark.svg`);
  await device.deliver('later');
  await expect.poll(device.shown).toEqual(['later /dashboard?envio=1']);
});

/** Gives the page's browser a device with a fingerprint that always fits. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}

/**
 * The page's browser with the file that shows notifications; headless browsers show none, so the requests are recorded.
 */
async function deviceOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on(
      'ServiceWorker.workerRegistrationUpdated',
      ({ registrations: [one] }) => one && resolve(one.registrationId),
    );
  });
  await session.send('ServiceWorker.enable');
  const started = page.context().waitForEvent('serviceworker');
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js');
    await navigator.serviceWorker.ready;
  });
  const worker = await started;
  await worker.evaluate(() => {
    const scope = Object.assign(globalThis, { shown: [] as string[] });
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) =>
      void scope.shown.push(`${title} ${options?.data.address}`);
  });
  const registrationId = await registered;
  return {
    /** As a push service hands a message over. */
    deliver: (title: string) => {
      const data = JSON.stringify({ title, body: '', lang: 'es', tag: title, address: '/dashboard?envio=1', at: 0 });
      return session.send('ServiceWorker.deliverPushMessage', { origin: app.url(), registrationId, data });
    },
    shown: () => worker.evaluate(() => Reflect.get(globalThis, 'shown') as string[]),
  };
}
