import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { testEnvironment } from '../infra/testing/environment.ts';
import { plain } from '../web/src/testing/plain.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { fillSignUp, onrampForm, typeEmailedCode } from './pages.ts';
import { useApp } from './test-app.ts';

const wallet = testEnvironment.CRYPTO_WALLET_ADDRESS;
const address = '/stripe-integration-crypto';
// A declined card, a refusal, a lost answer and orders without webhooks: api/crypto, worker/sync-crypto-order.test.ts and
// web/src/features/crypto.
const browser = useBrowser();
const app = useApp();

async function payWith(page: Page, card: string): Promise<void> {
  const form = onrampForm(page);
  await form.getByTestId('card-number').fill(card);
  await form.getByTestId('card-expiry').fill('1240');
  await form.getByTestId('card-cvc').fill('123');
  await form.getByTestId('onramp-pay').click();
}

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
  const email = await fillSignUp(page);
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
