import { expect, test } from 'vitest';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { cardForm, senderRow } from './pages.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

// Cancellation at every other moment: worker/cancellation-races.test.ts; the texts for the sender:
// web/src/features/transfers and receipt.

const browser = useBrowser();
const app = useApp();

const intentOf = async (paymentIntentId: string | null) =>
  (await app.sandbox.intents()).find(({ id }) => id === paymentIntentId);

test('a sender cancels a transfer in review, reads what happens to the money, and the authorization is voided', async () => {
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
