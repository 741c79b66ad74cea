import { expect, test } from 'vitest';
import { pass, stopClock } from '../../testing/clock.ts';
import { covers, expectText } from '../../testing/conformance.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeStripe } from '../../testing/fake-stripe.ts';
import { answerPayments, continueToCard, openCheckout, pressPay } from '../../testing/payments.tsx';
import { Checkout } from './checkout.tsx';
import { remittancePlan } from './checkout-payment.tsx';

const api = installFakeApi();
const stripe = installFakeStripe();

const spanishPage = <Checkout plan={remittancePlan} />;
const unexpected = { type: 'api_error', payment_intent: { status: 'requires_payment_method' } };

async function payOn(page: typeof spanishPage) {
  const { screen } = await openCheckout(page);
  await continueToCard();
  await pressPay();
  return screen;
}

test('a payment page says that the payment could not be prepared', async () => {
  answerPayments(api);
  api.answer({ createPaymentIntent: () => ({ failure: 'payment_not_started', status: 502 }) });
  const { screen } = await openCheckout(spanishPage);
  await screen.getByTestId('pay-continue').click();
  await expectText('message payment: not initialized');
  await expectText('message payment: not started');
  await expectText('message payment: card error');
  await expect.element(screen.getByTestId('pay-retry')).toBeEnabled();
});

test('a payment page says that the provider’s form did not load', async () => {
  answerPayments(api);
  stripe.answer({ fields: 'fail' });
  const { screen } = await openCheckout(spanishPage);
  await screen.getByTestId('pay-continue').click();
  await expectText('message payment: service not initialized');
});

test('a payment page names an unexpected failure of the provider', async () => {
  answerPayments(api);
  stripe.answer({ confirm: async () => ({ error: unexpected as object }) });
  await payOn(spanishPage);
  await expectText('message payment: unexpected');
});

test('a payment page whose form broke while the card was asked offers it again once nothing is held', async () => {
  answerPayments(api);
  stripe.answer({ confirm: () => Promise.reject(new Error('broken')) });
  const status = 'requires_payment_method';
  api.answer({ paymentStatus: () => ({ status, providerStatus: status }) });
  await payOn(spanishPage);
  await expectText('message payment: unexpected, try again');
  await expectText('message payment: processing error');
});

test('a payment page asks every two seconds while a payment is processing', async () => {
  answerPayments(api);
  let requests = 0;
  api.answer({
    paymentStatus: () => {
      requests += 1;
      return requests < 3
        ? { status: 'processing', providerStatus: 'processing' }
        : { status: 'succeeded', providerStatus: 'x' };
    },
  });
  const { screen } = await openCheckout(spanishPage);
  await continueToCard();
  stopClock();
  await pressPay();
  await expectText('message payment: processing');
  for (const times of [2, 3]) {
    await pass(1900);
    expect(requests).toBe(times - 1);
    await pass(100);
    await expect.poll(() => requests).toBe(times);
  }
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
  covers('constant polling 2 s');
});

test('a payment page shows what the server recorded, and leads to another payment', async () => {
  const payments = answerPayments(api);
  const screen = await payOn(spanishPage);
  await expectText('message payment: succeeded');
  await expect.element(screen.getByTestId('pay-reference')).toMatchTextContent(/^TR\d{15}$/);
  await screen.getByTestId('pay-again').click();
  await expect.element(screen.getByTestId('pay-continue')).toBeVisible();
  expect(payments).toHaveLength(1);
  covers('rule payment steps');
});
