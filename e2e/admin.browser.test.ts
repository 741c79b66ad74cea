import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { useBrowser } from '../infra/testing/browser.ts';
import { openPayment, payWithCard, signUp } from './api-client.ts';
import { covers } from './conformance/coverage.ts';
import { adminRow, confirmDecision, decideInBrowser, enterAsAdmin } from './pages.ts';
import { useApp } from './test-app.ts';

const browser = useBrowser();
const app = useApp();

test('an admin approves and rejects pending transactions and sees the details of each', async () => {
  const page = await browser.newPage();
  await enterAsAdmin(page, app.url());
  await page.getByRole('heading', { name: 'Panel de Administración' }).waitFor();
  covers('route /admin');
  const sender = await signUp(app);
  const { email } = await sender.call(endpoints.me).then(({ user }) => user);
  for (const decision of ['approve', 'reject'] as const) {
    const { recipientId = undefined } = (await sender.call(endpoints.listTransfers)).items[0] ?? {};
    const payment = await openPayment(sender, { currency: 'usd', ...(recipientId && { recipientId }) });
    await payWithCard(app.stack.sandboxUrl, payment);
    if (decision === 'approve') await approveByKeys(page, payment.transferId);
    else await decideInBrowser(page, email, decision);
    await adminRow(page, email, decision === 'approve' ? 'completed' : 'rejected').waitFor();
  }
  covers(
    'rule admin approves',
    'rule admin rejects',
    'call POST /api/admin/transactions/{id}/approve',
    'call POST /api/admin/transactions/{id}/reject',
    'call GET /api/admin/transactions',
  );
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

/** The decision is in sight without scrolling, on a phone and on a small laptop, and needs no pointer. */
async function approveByKeys(page: Page, transferId: string) {
  const lines = page.getByTestId('review-line');
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await lines.first().waitFor();
    const box = await lines.first().boundingBox();
    expect(box && box.y + box.height, `end of the first line, ${width} px wide`).toBeLessThan(height);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  }
  // Transfers of other tests may wait before this one, also more than stand above the list of all.
  await page.getByTestId('admin-view-to_decide').press('Enter');
  const line = page.locator(`[data-testid=review-line][data-row-id="${transferId}"]`);
  await line.waitFor();
  await lines.first().focus();
  const isFocused = () => line.evaluate((row) => row === document.activeElement);
  for (let left = await lines.count(); left > 0 && !(await isFocused()); left -= 1) await page.keyboard.press('j');
  expect(await isFocused()).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-timeline').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('admin-timeline').waitFor({ state: 'detached' });
  await expect.poll(isFocused).toBe(true);
  await page.keyboard.press('a');
  await confirmDecision(page);
  await page.getByTestId('admin-view-all').click();
}
