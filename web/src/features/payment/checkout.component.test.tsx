import { expect, test } from 'vitest';
import type { RateView } from '#core/contracts/http/rates';
import type { SendCurrency } from '#core/money/money';
import { storeSession } from '../../lib/session-storage.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp, senderSession } from '../../testing/render-app.tsx';
import { sampleQuote } from '../../testing/sample-quote.ts';
import { Checkout } from './checkout.tsx';
import { englishCheckout } from './checkout-messages.ts';
import { remittancePlan } from './plans.ts';

const api = installFakeApi();

const rate = (currency: SendCurrency, paused: boolean): RateView => ({
  currency,
  rate: '11.55',
  lastUpdated: '2026-11-20T14:00:00.000Z',
  source: 'admin',
  paused,
  marketSeenAt: null,
});

for (const [language, plan, message] of [
  ['Spanish', remittancePlan, /Pausamos los envíos en esta moneda/],
  ['English', { ...remittancePlan, messages: englishCheckout }, /Payments are paused/],
] as const) {
  test(`a payment page in ${language} refuses a paused currency before the card form`, async () => {
    storeSession(senderSession);
    const dollars = rate('USD', true);
    api.answer({
      me: () => senderSession,
      getRates: () => ({ ...dollars, rates: { USD: dollars, EUR: rate('EUR', false) } }),
      quote: () => sampleQuote,
    });
    const { screen } = await renderApp([{ path: '/', element: <Checkout plan={plan} /> }]);
    await expect.element(screen.getByTestId('pay-paused')).toBeVisible();
    await expect.element(screen.getByText(message)).toBeVisible();
    const go = screen.getByTestId('pay-continue');
    await expect.element(go).toHaveAttribute('aria-disabled', 'true');
    await go.click({ force: true });
    await expect.element(screen.getByTestId('checkout')).toHaveAttribute('data-step', 'amount');
    expect(api.calls.map(({ name }) => name)).not.toContain('createPaymentIntent');
  });
}
