import type { ReactElement } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { storeSession } from '../lib/storage.ts';
import { expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { expectEnglishOnly, showEnglish } from '../testing/english.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { installFakeLive } from '../testing/fake-live.ts';
import { installFakeStripe } from '../testing/fake-stripe.ts';
import { answerPayments, openCheckout } from '../testing/payments.tsx';
import { renderApp, senderSession } from '../testing/render-app.tsx';
import { quoteFor, sampleBanks, sampleComparison } from '../testing/sample-rates.ts';
import FixedStripePage from './fixed-stripe.tsx';
import NewPasswordPage from './new-password.tsx';
import NotFoundPage from './not-found.tsx';
import PaymentDemosPage from './payment-demos.tsx';
import PaymentSuccessPage from './payment-success.tsx';
import ScraperPage from './scraper.tsx';
import StripeIntegrationPage from './stripe-integration.tsx';
import StripePagoPage from './stripe-pago.tsx';

// Colours and structure are the same in both languages. What a language changes are names, of which two may become one, and lengths:
// each page is rendered once in English, on a phone in dark colours and on a desktop in light ones.

const api = installFakeApi();
installFakeLive();
installFakeStripe();
beforeEach(showEnglish);

async function expectEnglishAndAccessible(...names: string[]): Promise<void> {
  expectEnglishOnly(...names);
  await expectAccessibleAtAnyWidth();
}

test.each<[string, () => ReactElement]>([
  ['/stripe-pago', StripePagoPage],
  ['/stripe', StripeIntegrationPage],
  ['/fixed-stripe', FixedStripePage],
  ['/payment-demo', PaymentDemosPage],
])('the payment page %s is in English', async (address, Shown) => {
  answerPayments(api);
  api.answer({ listRecipients: () => ({ items: [], nextCursor: null }) });
  const { screen } = await openCheckout(<Shown />, { address });
  await expect.element(screen.getByText('BOB 1,114.57').first()).toBeVisible();
  expectEnglishOnly();
  // One page of each kind: the others differ in how the card is asked, and payment-pages.component.test.tsx checks each in Spanish.
  if (['/stripe-pago', '/payment-demo'].includes(address)) await expectAccessibleAtAnyWidth();
});

test('the return page of a payment that is processing is in English and accessible at both widths', async () => {
  const status = 'processing';
  storeSession(senderSession);
  api.answer({ me: () => senderSession, paymentStatus: () => ({ status, providerStatus: status }) });
  await renderApp([{ path: '*', element: <PaymentSuccessPage /> }], '/payment-success?payment_intent=pi_1');
  await expect.element(page.getByTestId('return')).toHaveAttribute('data-outcome');
  await expectEnglishAndAccessible();
});

test('the pages of a new password are in English and accessible at both widths', async () => {
  api.answer({ recoveryLink: () => ({ email: 'carmen@example.com', factorsChanged: false }) });
  await renderApp([{ path: '*', element: <NewPasswordPage /> }], `/recuperar#${'a'.repeat(43)}`);
  await page.getByTestId('new-password').fill('short');
  await page.getByTestId('new-password-submit').click();
  await expect.element(page.getByText('The password must have at least 8 characters')).toBeVisible();
  await expectEnglishAndAccessible();
});

test('the prices behind the comparison are in English and accessible at both widths', async () => {
  const seen = { freshness: 'live', collectedAt: '2026-11-20T14:00:00.000Z' } as const;
  api.answer({
    exchangeRates: () => sampleComparison,
    bankBoard: ({ query }) => sampleBanks({ BNB: '11.20' }, query),
    quote: ({ body }) => quoteFor(body),
    scraper: () => ({
      timestamp: seen.collectedAt,
      amount: '100.00',
      currency: 'USD',
      results: { ria: { name: 'Ria', rate: '11.40', fee: '1.00', ...seen } },
    }),
    paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'sandbox' }),
  });
  await renderApp([{ path: '*', element: <ScraperPage /> }], '/scraper');
  await expect.element(page.getByTestId('scraper-row').first()).toMatchTextContent('1 USD = ');
  await expectEnglishAndAccessible();
});

test('a page that does not exist is in English and accessible at both widths', async () => {
  await renderApp([{ path: '*', element: <NotFoundPage /> }], '/no/such/page');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectEnglishAndAccessible();
});
