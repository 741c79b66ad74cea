import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { failureResponses as failures } from '../api/http/failure-responses.ts';
import { useBrowser } from '../infra/testing/browser.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { senderAtPanel } from './dashboard-fixture.ts';

import { cardForm, fillSending, payInBrowser, senderRow, startSending } from './pages.ts';

import { useApp } from './test-app.ts';

const browser = useBrowser();
const app = useApp();

const goodCard = '4242424242424242';

/** Mocks a failure of the next such call. */
async function fail(page: Page, path: string, method: string, code: keyof typeof failures): Promise<void> {
  const { status, message } = failures[code];
  let left = 1;
  await page.route(`${app.url()}${path}`, (route) => {
    if (route.request().method() !== method || left === 0) return route.fallback();
    left -= 1;
    return route.fulfill({ status, json: { code, message } });
  });
}

test('a payment that could not be prepared is tried again and paid; one that was not recorded asks not to pay again', async () => {
  const { page, ...person } = await senderAtPanel(app, browser.newPage, {
    expectedErrors: [/status of 502/, /status of 409/],
  });
  await person.addRecipient();
  await person.open();
  await fail(page, '/api/new-account/create-payment-intent', 'POST', 'payment_not_started');
  await fillSending(page);
  await expectText(page, 'message payment: title');
  await expectText(page, 'message payment: not started');
  await expectText(page, 'message payment: form missing');
  await expectText(page, 'message payment: card error');
  await page.getByTestId('pay-retry').click();
  await cardForm(page).getByTestId('card-number').waitFor();
  await payInBrowser(page, goodCard);
  await expectText(page, 'message payment: received');
  await page.getByText(/El destinatario recibirá los fondos en Bolivia hacia el/).waitFor();
  covers('message payment: delivery', 'constant delivery estimate');
  await page.getByTestId('pay-done').click();
  await senderRow(page, 'pending').waitFor();

  // A second payment, whose card is held but which is not recorded.
  await startSending(page);
  await fail(page, '/api/new-account/confirm-transaction', 'POST', 'payment_not_completed');
  await payInBrowser(page, goodCard);
  await expectText(page, 'message payment: not recorded');
  await page.getByRole('button', { name: 'Volver al panel' }).click();
  await page.locator('[data-testid=transfer-row][data-status=pending]').nth(1).waitFor();
});
