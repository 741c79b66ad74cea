import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { payInBrowser } from './pages.ts';
import { answer, failure, goodCard, usePaymentFixture } from './payment-fixture.ts';

const { browser, sender, open, continueToCard, newestTransfer, paidWithoutRecipient } = usePaymentFixture();

describe('payment pages when the provider or the server fails or is not done', () => {
  const pay = async (page: Page, path: string) => {
    await open(page, path);
    await continueToCard(page);
    await payInBrowser(page, goodCard);
  };

  test('a payment page says that a payment is processing and asks for its status every two seconds', async () => {
    const { page } = await sender();
    let asked: number[] = [];
    page.on('request', (request) => request.url().includes('/payment-status/') && asked.push(performance.now()));
    for (const [status, path, message] of [
      ['processing', '/fixed-stripe', 'message payment page: polling'],
      ['requires_action', '/stripe-pago', 'message payment: processing'],
    ] as const) {
      asked = [];
      await answer(page, '/api/new-account/payment-status/*', 200, { status, providerStatus: status }, 2);
      await pay(page, path);
      await expectText(page, message);
      await page.getByTestId('pay-success').waitFor();
      expect(asked).toHaveLength(3);
      for (const [index, at] of asked.entries()) if (index) expect(at - (asked[index - 1] ?? 0)).toBeGreaterThan(1800);
    }
    covers('constant polling 2 s');
  });

  test('a payment page names any other status and offers to try again', async () => {
    const { page } = await sender();
    const status = 'requires_payment_method';
    await answer(page, '/api/new-account/payment-status/*', 200, { status, providerStatus: status }, 1);
    await pay(page, '/fixed-stripe');
    await page.getByText(`Payment ${status}: Please try again`).waitFor();
    await expectText(page, 'message payment page: other status');
    await expectText(page, 'message payment page: failed');
  });

  test('a payment whose status or confirmation fails is named on the page and recorded by the webhook', async () => {
    const { page } = await sender({ expectedErrors: [/status of 409/] });
    for (const [path, call, message] of [
      ['/fixed-stripe', '/api/new-account/payment-status/*', 'message payment page: status failed'],
      ['/fixed-stripe', '/api/new-account/confirm-transaction', 'message payment page: confirm failed'],
      ['/stripe-pago', '/api/new-account/confirm-transaction', 'message payment: not recorded'],
    ] as const) {
      await answer(page, call, 409, failure('payment_not_completed'));
      await pay(page, path);
      await expectText(page, message);
      await paidWithoutRecipient(page);
      await page.unrouteAll();
    }
  });

  test('a payment that cannot be prepared shows an error whose button reloads the page', async () => {
    const { page } = await sender({ expectedErrors: [/status of 502/] });
    const failed = failure('payment_not_started');
    await answer(page, '/api/new-account/create-payment-intent', 502, failed, 2);
    await open(page, '/stripe-pago?amount=40&currency=EUR');
    await page.getByTestId('pay-birth-date').fill('1990-05-17');
    await page.getByTestId('pay-continue').click();
    await expectText(page, 'message payment: not initialized');
    await expectText(page, 'message payment: not started');
    await expectText(page, 'message payment: card error');
    const reloaded = page.waitForEvent('load');
    await page.getByTestId('pay-retry').click();
    await reloaded;
    expect(await page.getByTestId('pay-amount').inputValue()).toBe('40');
    await open(page, '/fixed-stripe');
    await page.getByTestId('pay-birth-date').fill('1990-05-17');
    await page.getByTestId('pay-continue').click();
    await expectText(page, 'message payment page: intent failed');
    await expectText(page, 'message payment page: not initialized');
  });

  test('a payment page names an unexpected failure of the provider', async () => {
    const { page } = await sender({ expectedErrors: [/status of 500/] });
    const confirm = '/v1/payment_intents/*/confirm';
    await answer(page, confirm, 500, { error: { type: 'api_error', message: 'boom' } });
    await pay(page, '/fixed-stripe');
    await expectText(page, 'message payment page: unexpected');
    await pay(page, '/stripe-pago');
    await expectText(page, 'message payment: unexpected');
  });

  test('a payment page says that the provider’s script did not load or broke while paying', async () => {
    const { page } = await sender({ expectedErrors: [/stripe\.js|ERR_FAILED/] });
    await page.route('**/stripe.js', (route) => route.abort(), { times: 1 });
    await open(page, '/stripe-pago');
    await page.getByTestId('pay-birth-date').fill('1990-05-17');
    await page.getByTestId('pay-continue').click();
    await expectText(page, 'message payment: service not initialized');
    await page.route('**/stripe.js', async (route) => {
      const response = await route.fetch();
      const breaks = `
;{const real = window.Stripe; const broken = (...given) => ({...real(...given),
        confirmPayment() { throw new Error('broken'); }}); window.Stripe = Object.assign(broken, {version: real.version});}`;
      await route.fulfill({ response, body: `${await response.text()}${breaks}` });
    });
    await pay(page, '/stripe-pago');
    await expectText(page, 'message payment: unexpected, try again');
  });

  test('a sender accepts a rate that changed between the quote and the payment before the card form opens', async () => {
    const { page } = await sender();
    // The page is shown an older quote than the one the server freezes.
    await page.route('**/api/quote', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), rate: '11.70', bs: '1129.05' } });
    });
    await open(page, '/stripe');
    await page.getByText('Bs 1.129,05').waitFor();
    await page.getByTestId('pay-birth-date').fill('1990-05-17');
    await page.getByTestId('pay-continue').click();
    await page.getByTestId('pay-rate-changed').getByText('Bs 1.114,57').waitFor();
    await page.getByTestId('pay-accept-rate').click();
    await page.getByTestId('card-number').waitFor();
    await page.getByText('Bs 1.114,57').first().waitFor();
  });
});

describe('/payment-success', () => {
  test('/payment-success shows the status that the server knows, whatever the address claims', async () => {
    const { page } = await sender();
    for (const [status, outcome, message] of [
      ['processing', 'processing', 'message payment: processing'],
      ['requires_action', 'processing', 'message payment: processing'],
      ['requires_payment_method', 'failed', 'message payment: try again'],
      ['canceled', 'wrong', 'message payment: went wrong'],
    ] as const) {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await answer(page, '/api/new-account/payment-status/*', 200, { status, providerStatus: status });
      const asked = page.waitForResponse('**/payment-status/*');
      await open(page, '/payment-success?payment_intent=pi_1&redirect_status=succeeded&from=%2Fstripe-redirect');
      await asked;
      await page.locator(`[data-testid=return][data-outcome=${outcome}]`).waitFor();
      await expectText(page, message);
      if (status !== 'requires_action') await expectAccessible(page, status);
      const again = page.getByTestId('return-again');
      if (outcome === 'failed') expect(await again.getAttribute('href')).toBe('/stripe-redirect');
      else expect(await again.count()).toBe(0);
    }
  });

  test('a payment that is still processing becomes a success without a reload, and another sender sees nothing of it', async () => {
    const { page } = await sender();
    await open(page, '/stripe-pago');
    await continueToCard(page);
    await payInBrowser(page, goodCard);
    await page.getByTestId('pay-success').waitFor();
    const { paymentIntentId } = await newestTransfer(page);
    const status = 'processing';
    let seen = false;
    await page.route('**/api/new-account/payment-status/*', (route) =>
      seen ? route.fallback() : route.fulfill({ json: { status, providerStatus: status } }),
    );
    await open(page, `/payment-success?payment_intent_client_secret=${paymentIntentId}_secret_x`);
    await page.getByText('Tu pago está siendo procesado.').waitFor();
    seen = true;
    await page.locator('[data-testid=return][data-outcome=succeeded]').waitFor();
    await page.getByTestId('pay-reference').waitFor();
    expect(page.url()).not.toContain('secret');

    const { page: stranger } = await sender({ expectedErrors: [/status of 404/] });
    await open(stranger, `/payment-success?payment_intent=${paymentIntentId}&redirect_status=succeeded`);
    await stranger.locator('[data-testid=return][data-outcome=wrong]').waitFor();
    expect(await stranger.getByTestId('pay-reference').count()).toBe(0);
  });

  test('/payment-success asks to sign in without a session, and says so without a payment', async () => {
    const page = await browser.newPage();
    await open(page, '/payment-success?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x');
    await page.waitForURL((url) => url.pathname === '/login');
    expect(decodeURIComponent(page.url())).toContain('next=/payment-success?payment_intent=pi_1');
    expect(page.url()).not.toContain('secret');
    const { page: own } = await sender();
    await open(own, '/payment-success');
    await expectText(own, 'message payment: went wrong');
  });
});
