import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../infra/testing/browser.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { payInBrowser, senderRow, startSending } from './pages.ts';
import { goodCard } from './payment-fixture.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

const browser = useBrowser();
const app = useApp();

const password = 'una-clave-larga';
/** What a browser logs when the server no longer knows the session, or its connection is closed with it. */
const signedOut = [/status of 401/, /WebSocket/];

/** A new sender whose card form for 88 EUR is open in the dashboard. */
async function senderAtCardForm(expectedErrors: RegExp[]) {
  const sender = await senderAtPanel(app, browser.newPage, { expectedErrors });
  await sender.addRecipient();
  await sender.open();
  await startSending(sender.page, '88');
  return sender;
}

/** Ends the session on the server without notifying this browser, as when it runs out. */
const endSession = (page: Page) => page.context().clearCookies();

const signIn = async (page: Page, email: string) => {
  await page.getByTestId('login-email').fill(email);
  await page.getByTestId('login-password').fill(password);
  await page.getByTestId('login-submit').click();
};

describe('when the session ends during a payment', () => {
  test('the outcome of a payment whose card accepted stays on screen and leads to its transfer', async () => {
    const { page, email } = await senderAtCardForm(signedOut);
    await endSession(page);
    await payInBrowser(page, goodCard);
    const ended = page.getByTestId('pay-session-ended');
    await ended.getByText('tu envío está a salvo').waitFor();
    await ended.getByText('No pagues otra vez').waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    await page.getByTestId('pay-sign-in').click();
    await page.getByText('Tu sesión terminó').waitFor();
    await signIn(page, email);
    const detail = page.getByTestId('transfer-detail');
    await detail.waitFor();
    await detail.getByText('88,00').first().waitFor();
    await until('the transfer is in review', async () => (await detail.getAttribute('data-state')) === 'in_review');
  });

  test('a session that ended before paying is named, and the form is as it was after signing in again', async () => {
    const sender = await senderAtPanel(app, browser.newPage, { expectedErrors: signedOut });
    const { page, email } = sender;
    await sender.addRecipient();
    await sender.open();
    await page.getByTestId('send-recipient').selectOption({ index: 1 });
    await page.getByTestId('send-currency').getByText('EUR').click();
    await page.getByTestId('send-amount').fill('77');
    await page.getByTestId('send-birth-date').fill('1990-05-17');
    const recipient = await page.getByTestId('send-recipient').inputValue();
    await endSession(page);
    await page.getByTestId('send-submit').click();
    await page.waitForURL('**/login?*');
    await page.getByText('Tu sesión terminó').waitFor();
    await expect.poll(() => page.getByText('Error en el pago').count()).toBe(0);
    await signIn(page, email);
    await page.waitForURL('**/dashboard*');
    await until(
      'the recipient is chosen again',
      async () => (await page.getByTestId('send-recipient').inputValue()) === recipient,
    );
    expect(await page.getByTestId('send-amount').inputValue()).toBe('77');
    expect(await page.getByTestId('send-currency').locator('input:checked').inputValue()).toBe('EUR');
    expect(await page.getByTestId('send-birth-date').inputValue()).toBe('1990-05-17');
  });
});

describe('when the connection is lost while the card is asked', () => {
  test('a payment whose answer was lost is not called uncharged, and its outcome is shown once there is a connection', async () => {
    const { page } = await senderAtCardForm([/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/, /WebSocket/]);
    // The card is held, but neither Stripe's answer nor ours comes through.
    await page.route('**/v1/payment_intents/*/confirm', async (route) => {
      await route.fetch();
      await page.context().setOffline(true);
      await route.abort('internetdisconnected');
    });
    await payInBrowser(page, goodCard);
    await page.getByTestId('pay-checking').getByText('No pagues otra vez').waitFor();
    expect(await page.getByText('No se cobró nada').count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByTestId('pay-success').waitFor();
  });

  test('a card that was never asked is offered again, and the page says that nothing was charged', async () => {
    const { page } = await senderAtCardForm([/ERR_FAILED/]);
    await page.route('**/v1/payment_intents/*/confirm', (route) => route.abort('failed'), { times: 1 });
    await payInBrowser(page, goodCard);
    await page.getByTestId('pay-error').getByText('Ocurrió un error inesperado. No se cobró nada.').waitFor();
    await page.getByTestId('pay-submit').click();
    await page.getByTestId('pay-success').waitFor();
  });
});

test('a payment that was closed unpaid is gone on with from the list, and is one transfer in the end', async () => {
  const { page } = await senderAtCardForm([]);
  const available = page.getByTestId('summary-balance');
  const before = await available.textContent();
  await page.getByTestId('pay-dialog').getByRole('button', { name: 'Cerrar' }).click();
  await senderRow(page, 'awaiting_payment').waitFor();
  expect(await available.textContent()).toBe(before);
  await senderRow(page, 'awaiting_payment').getByTestId('transfer-pay').click();
  await page.getByTestId('card-number').waitFor();
  await page.getByTestId('pay-dialog').getByText('88,00').first().waitFor();
  await payInBrowser(page, goodCard);
  await page.getByTestId('pay-success').waitFor();
  await page.getByTestId('pay-done').click();
  await senderRow(page, 'pending').waitFor();
  expect(await page.getByTestId('transfer-row').count()).toBe(1);
});
