import { expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../infra/testing/browser.ts';
import { enterAsSender } from './pages.ts';
import { changeRate, useApp } from './test-app.ts';
import { until } from './until.ts';

const browser = useBrowser();
const app = useApp();

test('a new rate fires a sender’s rate alert: a toast on every open page, the list and an e-mail', async () => {
  const page = await browser.newPage();
  const email = await enterAsSender(page, app);
  await page.getByTestId('rate-alert-currency').selectOption('EUR');
  await page.getByTestId('rate-alert-rate').fill('13,40');
  await page.getByTestId('rate-alert-submit').click();
  await page.locator('[data-testid=rate-alert][data-fired=false]').waitFor();
  const elsewhere = await browser.newPage({ storageState: await page.context().storageState() });
  await elsewhere.goto(`${app.url()}/rate-tester`);
  for (const one of [page, elsewhere]) await one.locator('[data-testid=live-status][data-state=connected]').waitFor();

  onTestFinished(() => changeRate(app, 'EUR', '13.38'));
  await changeRate(app, 'EUR', '13.41');

  for (const one of [page, elsewhere]) await one.getByText('Pediste el aviso para 13,40').waitFor();
  await page.locator('[data-testid=rate-alert][data-fired=true]').filter({ hasText: '13,41' }).waitFor();
  // The code that confirms the address may arrive before or after it.
  const mail = await until('the e-mail arrives', async () =>
    (await app.sandbox.mails(email)).find(({ subject }) => subject.startsWith('La tasa')),
  );
  expect(mail.subject).toBe('La tasa llegó a tu valor: 1 EUR = 13,41 Bs');
  expect(mail.text).toContain(`${app.url()}/dashboard`);
  expect(app.stack.log()).not.toContain(email);
});
