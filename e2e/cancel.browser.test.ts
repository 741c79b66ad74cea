import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { cardForm, senderRow } from './pages.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

// What becomes of money that is cancelled at every other moment: worker/cancellation-races.test.ts; what the sender reads then:
// web/src/features/transfers and receipt.

const browser = useBrowser();
const app = useApp();

const intentOf = async (paymentIntentId: string | null) =>
  (await app.sandbox.intents()).find(({ id }) => id === paymentIntentId);

test('a sender cancels a transfer in review, reads what becomes of the money, and the authorization is voided', async () => {
  const { page, ...person } = await senderAtPanel(app, browser.newPage, { viewport: viewports.phone });
  const recipientId = await person.addRecipient();
  const { id, paymentIntentId } = await person.pay(recipientId);
  await person.open();
  const detail = (state: string) => page.locator(`[data-testid=transfer-detail][data-state=${state}]`);
  await page.getByTestId('under-way-row').filter({ hasText: 'Lo estamos revisando' }).click();
  expect(new URL(page.url()).searchParams.get('envio')).toBe(id);
  expect(await page.getByTestId('cancel-countdown').count()).toBe(0);
  await page.getByTestId('transfer-cancel').click();
  const dialog = page.getByTestId('cancel-dialog');
  await dialog.getByText(/100,00\sEUR están reservados.*no cobrados/).waitFor();
  await page.getByTestId('cancel-keep').click();
  await detail('in_review').waitFor();
  await page.getByTestId('transfer-cancel').click();
  await page.getByTestId('cancel-confirm').click();
  await detail('cancelled').waitFor();
  await page.getByText('Cancelado por ti: no se cobró nada').first().waitFor();
  expect(await page.getByTestId('transfer-cancel').count()).toBe(0);
  await until('the authorization is voided', async () => (await intentOf(paymentIntentId))?.status === 'canceled');
  await page.keyboard.press('Escape');
  await page.getByTestId('under-way').waitFor({ state: 'detached' });
  await page.getByTestId('tab-transfers').click();
  await senderRow(page, 'cancelled').waitFor();
  expect(new URL(page.url()).search).toBe('');

  await senderRow(page, 'cancelled').click();
  await page.getByTestId('transfer-repeat').click();
  await page.getByTestId('transfer-detail').waitFor({ state: 'detached' });
  expect(await page.getByTestId('send-recipient').inputValue()).toBe(recipientId);
  expect(await page.getByTestId('send-amount').inputValue()).toMatch(/^100/);
  await page.getByTestId('send-submit').click();
  await cardForm(page).getByTestId('card-number').waitFor();
});

test('a receipt follows its transfer without a reload and prints in both languages on two sheets', async () => {
  const { page, ...person } = await senderAtPanel(app, browser.newPage, { viewport: viewports.phone });
  const { id } = await person.pay(await person.addRecipient());
  await page.goto(`${app.url()}/recibo/${id}`);
  const receipt = page.getByTestId('receipt');
  await receipt.getByText('Cuenta terminada en 5678').waitFor();
  await page.getByTestId('receipt-language').getByText('English').click();
  await page.reload();
  await page.locator('[data-testid=receipt][lang=en]').waitFor();
  await page.getByTestId('receipt-language').getByText('Español').click();
  await app.admin.call(endpoints.approve, { params: { id } });
  await page.locator('[data-testid=receipt][data-state=completed]').waitFor();
  await page.getByText(/Depositado en Bolivia el/).waitFor();
  expect(await receipt.textContent()).toMatch(/BO\d{10}/);
  await page.emulateMedia({ media: 'print' });
  for (const hidden of ['receipt-print', 'live-status']) expect(await page.getByTestId(hidden).isVisible()).toBe(false);
  expect(await page.locator('footer').isVisible()).toBe(false);
  // On paper both languages, one after the other.
  for (const sheet of ['receipt', 'receipt-other']) expect(await page.getByTestId(sheet).isVisible()).toBe(true);
  expect(await page.getByTestId('receipt-other').textContent()).toContain('Deposited in Bolivia');
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
});
