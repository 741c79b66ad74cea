import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { useBrowser } from '../infra/testing/browser.ts';
import { openPayment, payWithCard, signUp } from './api-client.ts';
import { covers } from './conformance/coverage.ts';
import { adminRow, decideInBrowser, enterAsAdmin } from './pages.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

const browser = useBrowser();
const app = useApp();

// An approval: main-job.test.ts.
test('an admin rejects a pending transaction, sees the details of another, and finds its sender and the queues', async () => {
  const page = await browser.newPage();
  await enterAsAdmin(page, app.url());
  await page.getByRole('heading', { name: 'Panel de Administración' }).waitFor();
  covers('route /admin');
  const sender = await signUp(app);
  const { email } = await sender.call(endpoints.me).then(({ user }) => user);
  const pay = async (recipientId?: string) => {
    const payment = await openPayment(sender, { currency: 'usd', ...(recipientId && { recipientId }) });
    await payWithCard(app.stack.sandboxUrl, payment);
    await adminRow(page, email, 'pending').waitFor();
    return payment.transferId;
  };
  const id = await pay();
  await until('it is approved', () => app.admin.call(endpoints.approve, { params: { id } }));
  await adminRow(page, email, 'completed').waitFor();
  const [approved] = (await sender.call(endpoints.listTransfers)).items;
  await pay(approved?.recipientId ?? undefined);
  await decideInBrowser(page, email, 'reject');
  await adminRow(page, email, 'rejected').waitFor();
  covers('rule admin rejects', 'call POST /api/admin/transactions/{id}/reject', 'call GET /api/admin/transactions');
  await adminRow(page, email, 'completed').getByTestId('admin-detail').click();
  await page.getByTestId('admin-drawer').getByText('Rosa Mamani').first().waitFor();
  await page
    .getByTestId('transfer-links')
    .getByRole('link', { name: /simulador/ })
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('admin-drawer').waitFor({ state: 'hidden' });
  const completed = page.getByTestId('admin-stats-pending').getByText(/[1-9]\d* completadas, [1-9]\d* rechazadas/);
  await completed.waitFor();
  covers('call GET /api/admin/stats');
  await page.getByTestId('admin-refresh').click();
  await page.getByText('Datos actualizados').waitFor();
  covers('call POST /api/admin/refresh');
  await page.getByTestId('admin-tab-users').click();
  const person = page.getByTestId('admin-user-row').filter({ hasText: email });
  await person.waitFor();
  await expect.poll(async () => (await person.textContent())?.replace(/\s/g, ' ')).toContain('$ 100,00');
  covers('call GET /api/admin/users');
  await person.getByTestId('admin-user-open').click();
  await page.getByTestId('user-transfer').first().waitFor();
  // The queues in our look: its page would fail this test with an error in the console.
  await page.goto(`${app.url()}/ops/queues`);
  await page.getByText('Chasqui · colas').first().waitFor();
});
