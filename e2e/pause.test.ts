import { expect, test } from 'vitest';
import { failureResponses as failures } from '../api/http/failure-responses.ts';
import { useBrowser } from '../infra/testing/browser.ts';
import { enterAsAdmin, enterWithRecipient } from './pages.ts';
import { adminAccount, busySweeps, changeRate, secondAdminAccount, useApp } from './test-app.ts';
import { until } from './until.ts';

const browser = useBrowser();
// Nobody answers at that address, so no market reference updates a rate.
const app = useApp({
  env: { ...busySweeps, RATE_PAUSE_SECONDS: '20', RATE_SOURCES_URL: 'http://127.0.0.1:9/prices' },
});

test('a rate without updates pauses payments in open browsers and is e-mailed to the admins, and a new rate ends the pause', async () => {
  const sender = await browser.newPage();
  await enterWithRecipient(sender, app.url());
  const admin = await browser.newPage();
  await enterAsAdmin(admin, app.url());

  await sender.getByTestId('send-paused').filter({ hasText: failures.payments_paused.message }).waitFor();
  expect(await sender.getByTestId('send-submit').isDisabled()).toBe(true);
  for (const currency of ['USD', 'EUR']) {
    await sender.getByTestId(`rate-paused-${currency}`).waitFor();
    await admin.getByTestId(`admin-paused-${currency}`).waitFor();
  }
  const subjects = async (to: string) => (await app.sandbox.mails(to)).map(({ subject }) => subject);
  const paused = 'Envíos en USD en pausa: falta una tasa reciente';
  for (const { email } of [adminAccount, secondAdminAccount]) {
    await until('the admin has an e-mail', async () => (await subjects(email)).includes(paused));
    expect((await subjects(email)).filter((subject) => subject === paused)).toHaveLength(1);
  }

  await changeRate(app, 'USD', '11.56');
  await sender.getByTestId('send-paused').waitFor({ state: 'detached' });
  await admin.getByTestId('admin-paused-USD').waitFor({ state: 'detached' });
  expect(await sender.getByTestId('rate-paused-EUR').isVisible()).toBe(true);
  const resumed = 'Envíos en USD otra vez en marcha';
  await until('the admin has the other e-mail', async () => (await subjects(adminAccount.email)).includes(resumed));
});
