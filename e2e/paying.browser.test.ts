import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { referenceOf } from '#core/transfers/reference';
import { viewports } from '../infra/testing/browser.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import {
  addRecipient,
  adminRow,
  bankQuestion,
  cardForm,
  chooseSending,
  decideInBrowser,
  enterAsAdmin,
  payInBrowser,
  senderRow,
  startSending,
} from './pages.ts';
import { goodCard, usePaymentFixture } from './payment-fixture.ts';
import { until } from './until.ts';

// Paying through the whole product. Each state of a payment, and what every page says in it, is shown by component tests
// (web/src/features/payment, web/src/routes).
const { browser, app, sender, open, continueToCard, newestTransfer, paidWithoutRecipient } = usePaymentFixture();

const emptyCard = '4000000000009995';
const challengeCard = '4000002760003184';

/** A page of every way to ask a card, with the card that pays there in the end. */
const pages = [
  ['/stripe-pago', goodCard],
  ['/payment-demo', goodCard],
  ['/stripe-simple', goodCard],
  ['/stripe-direct', goodCard],
  ['/stripe-redirect', challengeCard],
  ['/simple-stripe', challengeCard],
] as const;

test('a page of every way to ask a card pays 100 dollars after a declined card and shows what the server recorded', async () => {
  // A browser logs every 402 of Stripe's as an error of its own.
  const { page } = await sender({ expectedErrors: [/status of 402/], viewport: viewports.phone });
  let calls: string[] = [];
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  for (const [path, card] of pages) {
    calls = [];
    await open(page, path);
    await continueToCard(page);
    await payInBrowser(page, emptyCard);
    await expectText(page, 'message payment: processing error');
    expect(await page.getByTestId('pay-error').textContent()).toMatch(/fondos.*No se cobró nada/);
    const declined = await newestTransfer(page);
    expect(declined.state).toBe('awaiting_payment');

    await payInBrowser(page, card);
    if (card === challengeCard) await bankQuestion(page).getByTestId('3ds-complete').click();
    if (path === '/stripe-redirect') {
      await page.locator('[data-testid=return][data-outcome=succeeded]').waitFor();
      expect(new URL(page.url()).pathname).toBe('/payment-success');
      expect(page.url()).not.toContain('secret');
    } else {
      await page.getByTestId('pay-success').waitFor();
    }
    await expectText(page, 'message payment: succeeded');
    const transfer = await paidWithoutRecipient(page);
    expect(transfer.id).toBe(declined.id);
    expect(await page.getByTestId('pay-reference').textContent()).toBe(referenceOf(transfer.id));
    const opened = path === '/payment-demo' ? '/api/create-payment-intent' : '/api/new-account/create-payment-intent';
    expect(calls.filter((call) => call.endsWith('create-payment-intent'))).toEqual([`POST ${opened}`]);
    expect(calls.includes('POST /api/new-account/confirm-transaction')).toBe(path !== '/stripe-direct');
  }
  covers('call POST /api/create-payment-intent', 'call POST /api/new-account/create-payment-intent');
}, 180_000);

test('a transfer paid without a recipient can be approved once its sender has chosen one', async () => {
  const { page, email } = await sender();
  const admin = await browser.newPage({ expectedErrors: [/status of 422/] });
  await enterAsAdmin(admin, app.url());
  await open(page, '/stripe-pago');
  await continueToCard(page);
  await payInBrowser(page, goodCard);
  await page.getByTestId('pay-success').waitFor();
  await adminRow(admin, email, 'pending').waitFor();
  expect(await adminRow(admin, email, 'pending').textContent()).toContain('Sin destinatario');
  await page.getByTestId('pay-choose-recipient').getByRole('link').click();
  await page.getByTestId('waiting').waitFor();
  await addRecipient(page);
  await page.getByTestId('waiting-choose').click();
  await page.getByTestId('waiting-row').getByText('Elige un destinatario').last().waitFor();
  await page.getByTestId('waiting-recipient').selectOption({ index: 1 });
  await page.getByTestId('waiting-choose').click();
  await page.getByTestId('waiting').waitFor({ state: 'detached' });
  await adminRow(admin, email, 'pending').getByText('Rosa Mamani').waitFor();
  await decideInBrowser(admin, email, 'approve');
  await senderRow(page, 'completed').waitFor();
});

const password = 'una-clave-larga';
/** What a browser logs when the server no longer knows the session, or its connection is closed with it. */
const signedOut = [/status of 401/, /WebSocket/];

/** Ends the session on the server without notifying this browser, as when it runs out. */
const endSession = (page: Page) => page.context().clearCookies();

const signIn = async (page: Page, email: string) => {
  await page.getByTestId('login-email').fill(email);
  await page.getByTestId('login-password').fill(password);
  await page.getByTestId('login-submit').click();
};

test('a session that ends before and during a payment loses neither the form nor the outcome', async () => {
  const { page, email, ...sender } = await senderAtPanel(app, browser.newPage, { expectedErrors: signedOut });
  const recipientId = await sender.addRecipient();
  await sender.open();
  await chooseSending(page, '88');
  await endSession(page);
  await page.getByTestId('send-submit').click();
  await page.getByText('Tu sesión terminó').waitFor();
  expect(await page.getByText('Error en el pago').count()).toBe(0);
  await signIn(page, email);
  await page.waitForURL('**/dashboard*');
  const value = (field: string) => page.getByTestId(`send-${field}`).inputValue();
  await until('the recipient is chosen again', async () => (await value('recipient')) === recipientId);
  expect([await value('amount'), await value('birth-date')]).toEqual(['88', '1990-05-17']);
  expect(await page.getByTestId('send-currency').locator('input:checked').inputValue()).toBe('EUR');

  await page.getByTestId('send-submit').click();
  await cardForm(page).getByTestId('card-number').waitFor();
  await endSession(page);
  await payInBrowser(page, goodCard);
  await page.getByTestId('pay-session-ended').getByText('tu envío está a salvo').waitFor();
  expect(new URL(page.url()).pathname).toBe('/dashboard');
  await page.getByTestId('pay-sign-in').click();
  await signIn(page, email);
  const detail = page.getByTestId('transfer-detail');
  await detail.getByText('88,00').first().waitFor();
  await until('the transfer is in review', async () => (await detail.getAttribute('data-state')) === 'in_review');
});

test('a payment that was closed unpaid, gone on with and reloaded while its answer was lost is one transfer in the end', async () => {
  const expectedErrors = [/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/, /WebSocket/];
  const { page, ...sender } = await senderAtPanel(app, browser.newPage, { expectedErrors });
  await sender.addRecipient();
  await sender.open();
  await startSending(page, '88');
  await page.getByTestId('pay-dialog').getByRole('button', { name: 'Cerrar' }).click();
  await senderRow(page, 'awaiting_payment').getByTestId('transfer-pay').click();
  await page.getByTestId('pay-dialog').getByText('88,00').first().waitFor();
  await cardForm(page).getByTestId('card-number').waitFor();
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
  await page.reload();
  await page.waitForURL('**/payment-success?*');
  await expectText(page, 'message payment: succeeded');
  await page.getByRole('link', { name: 'Ir al panel' }).click();
  await senderRow(page, 'pending').waitFor();
  expect(await page.getByTestId('transfer-row').count()).toBe(1);
});
