import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { testEnvironment } from '../infra/testing/environment.ts';
import { plain } from '../web/src/testing/plain.ts';
import { expectAccessibleAtAnyWidth } from './accessibility.ts';
import { type ApiClient, CallFailed, signUp } from './api-client.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { beginAsSender, onrampForm, typeEmailedCode } from './pages.ts';
import { useApp } from './test-app.ts';

const wallet = testEnvironment.CRYPTO_WALLET_ADDRESS;
const address = '/stripe-integration-crypto';
const browser = useBrowser();
const app = useApp();
afterEach(async () => {
  await app.sandbox.deliver({});
  await app.sandbox.onrampMode({});
});
/** A signed-in sender on the page, with a live connection. */
async function buyer(options: Parameters<typeof browser.newPage>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await beginAsSender(page, app);
  await page.goto(`${app.url()}${address}`);
  await page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });
  return page;
}

async function openPurchase(page: Page, amount: string): Promise<void> {
  await page.getByTestId('crypto-amount').fill(amount);
  await page.getByTestId('crypto-continue').click();
  await onrampForm(page).getByTestId('onramp-pay').waitFor();
}

async function payWith(page: Page, card: string): Promise<void> {
  const form = onrampForm(page);
  await form.getByTestId('card-number').fill(card);
  await form.getByTestId('card-expiry').fill('1240');
  await form.getByTestId('card-cvc').fill('123');
  await form.getByTestId('onramp-pay').click();
}

describe('crypto orders in the browser', () => {
  test('a visitor signs up while buying USDC, returns to the same amount, and the order completes without a reload', async () => {
    const page = await browser.newPage({ viewport: viewports.phone });
    await page.goto(`${app.url()}${address}`);
    await expectText(page, 'message crypto: title');
    covers('route /stripe-integration-crypto');
    expect(await page.getByTestId('crypto-wallet').textContent()).toBe(wallet);
    await page.getByTestId('crypto-amount').fill('62,5');
    await page.getByTestId('crypto-continue').click();
    await page.waitForURL(/\/login\?next=/);
    await page.getByTestId('signup-tab').click();
    await page.getByTestId('signup-name').fill('Carmen Rojas');
    const email = `carmen-${randomUUID()}@example.com`;
    await page.getByTestId('signup-email').fill(email);
    await page.getByTestId('signup-password').fill('una-clave-larga');
    await page.getByTestId('signup-confirm').fill('una-clave-larga');
    await page.getByTestId('signup-terms').check();
    await page.getByTestId('signup-submit').click();
    await page.waitForURL(`${app.url()}${address}?amount=62.5`);
    expect(await page.getByTestId('crypto-amount').inputValue()).toBe('62,5');

    await page.getByTestId('crypto-continue').click();
    await typeEmailedCode(page, app, email);
    await onrampForm(page).getByTestId('onramp-pay').waitFor();
    covers('call POST /api/create-onramp-session');
    expect(await onrampForm(page).getByTestId('onramp-pay').textContent()).toBe('Pagar $ 63,45');
    await payWith(page, '4242424242424242');
    const summary = page.getByTestId('crypto-success');
    await summary.waitFor();
    const text = plain(await summary.textContent());
    for (const part of ['62,50 USDC', 'Solana', 'Chas…1111', '$ 62,50', '$ 0,95', String(new Date().getFullYear())]) {
      expect(text).toContain(part);
    }
    await page.locator('[data-testid=crypto-row][data-status=fulfillment_complete]').waitFor();
    await page.reload();
    await summary.waitFor();
    covers('rule crypto steps');
    await page.getByTestId('crypto-again').click();
    await page.getByTestId('crypto-amount').waitFor();
  });

  test('a crypto order that could not be opened is tried again, takes another card after a declined one, and completes without any webhook', async () => {
    // A browser logs every 402 and 502 as an error of its own.
    const page = await buyer({ expectedErrors: [/status of (402|502)/] });
    await app.sandbox.fault({ kind: 'error', method: 'POST', path: '^/v1/crypto/onramp_sessions$', times: 3 });
    await page.getByTestId('crypto-continue').click();
    await expectText(page, 'message payment: not initialized');
    await app.sandbox.clearFaults();
    await app.sandbox.deliver({ mode: 'drop' });
    await page.getByTestId('crypto-retry').click();
    await openPurchase(page, '20');
    await expectAccessibleAtAnyWidth(page, 'onramp');
    await payWith(page, '4000000000009995');
    await onrampForm(page).getByTestId('onramp-error').filter({ hasText: 'fondos' }).waitFor();
    await page.locator('[data-testid=crypto-order][data-status=requires_payment]').waitFor();
    await payWith(page, '4242424242424242');
    // Nothing but the form's own event says so.
    await page.getByTestId('crypto-success').waitFor();

    await page.getByTestId('crypto-again').click();
    await openPurchase(page, '21');
    await payWith(page, '4100000000000019');
    await page.getByTestId('crypto-rejected').waitFor();
    await page.locator('[data-testid=crypto-row][data-status=rejected]').waitFor();
  });
});

describe('crypto orders through the api', () => {
  const order = (sender: ApiClient, amount = '25.00') =>
    sender.call(endpoints.createOnrampSession, {
      body: {
        amount,
        currency: 'usd',
        destinationCurrency: 'usdc',
        destinationNetwork: 'solana',
        walletAddress: wallet,
      },
      headers: { 'idempotency-key': randomUUID() },
    });
  test('a crypto order refused by Stripe has a code, and a lost answer leads to the same session', async () => {
    const sender = await signUp(app);
    await app.sandbox.onrampMode({ disabled: true });
    const refused = await order(sender).catch((error: CallFailed) => error);
    expect(refused).toBeInstanceOf(CallFailed);
    expect(refused).toMatchObject({ status: 503, code: 'crypto_unavailable' });
    await app.sandbox.onrampMode({});
    await app.sandbox.fault({ kind: 'do_then_drop', method: 'POST', path: '^/v1/crypto/onramp_sessions$' });
    const { orderId } = await order(sender);
    expect((await app.sandbox.onramps()).filter((one) => one.orderId === orderId)).toHaveLength(1);
  });
});
