import { expect, test } from 'vitest';
import { covers, expectText } from '../../testing/conformance.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeStripe } from '../../testing/fake-stripe.ts';
import { Checkout } from './checkout.tsx';
import { englishCheckout } from './checkout-messages.ts';
import { remittancePlan } from './checkout-payment.tsx';
import { answerPayments, continueToCard, openCheckout, pressPay } from './payment-fixture.tsx';

const api = installFakeApi();
const stripe = installFakeStripe();

const spanishPage = <Checkout plan={remittancePlan} />;
const englishPage = <Checkout plan={{ ...remittancePlan, messages: englishCheckout }} />;
const unexpected = { type: 'api_error', payment_intent: { status: 'requires_payment_method' } };

async function payOn(page: typeof spanishPage) {
  const { screen } = await openCheckout(page);
  await continueToCard();
  await pressPay();
  return screen;
}

test.each([
  [
    'Spanish',
    spanishPage,
    ['message payment: not initialized', 'message payment: not started', 'message payment: card error'],
  ],
  ['English', englishPage, ['message payment page: intent failed', 'message payment page: not initialized']],
] as const)('a payment page in %s says that the payment could not be prepared', async (_language, page, rows) => {
  answerPayments(api);
  api.answer({ createPaymentIntent: () => ({ failure: 'payment_not_started', status: 502 }) });
  const { screen } = await openCheckout(page);
  await screen.getByTestId('pay-continue').click();
  for (const row of rows) await expectText(row);
  await expect.element(screen.getByTestId('pay-retry')).toBeEnabled();
});

test('a payment page says that the provider’s form did not load', async () => {
  answerPayments(api);
  stripe.answer({ fields: 'fail' });
  const { screen } = await openCheckout(spanishPage);
  await screen.getByTestId('pay-continue').click();
  await expectText('message payment: service not initialized');
});

test.each([
  ['Spanish', spanishPage, 'message payment: unexpected'],
  ['English', englishPage, 'message payment page: unexpected'],
] as const)('a payment page in %s names an unexpected failure of the provider', async (_language, page, row) => {
  answerPayments(api);
  stripe.answer({ confirm: async () => ({ error: unexpected as object }) });
  await payOn(page);
  await expectText(row);
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

test.each([
  ['processing', englishPage, 'message payment page: polling'],
  ['requires_action', spanishPage, 'message payment: processing'],
] as const)('a payment page asks every two seconds while a payment is %s', async (status, page, row) => {
  answerPayments(api);
  const asked: number[] = [];
  api.answer({
    paymentStatus: () => {
      asked.push(performance.now());
      return asked.length < 3 ? { status, providerStatus: status } : { status: 'succeeded', providerStatus: 'x' };
    },
  });
  const screen = await payOn(page);
  await expectText(row);
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
  expect(asked).toHaveLength(3);
  for (const [index, at] of asked.entries()) if (index) expect(at - (asked[index - 1] ?? 0)).toBeGreaterThan(1800);
  covers('constant polling 2 s');
});

test('a payment page in English names any other status and offers to try again', async () => {
  answerPayments(api);
  const status = 'requires_payment_method';
  api.answer({ paymentStatus: () => ({ status, providerStatus: status }) });
  const screen = await payOn(englishPage);
  await expect.element(screen.getByText(`Payment ${status}: Please try again`)).toBeVisible();
  await expectText('message payment page: other status');
  await expectText('message payment page: failed');
});

test.each([
  ['paymentStatus', 'message payment page: status failed'],
  ['confirmTransaction', 'message payment page: confirm failed'],
] as const)('a payment page in English names a failed call of %s', async (name, row) => {
  answerPayments(api);
  api.answer({ [name]: () => ({ failure: 'payment_not_completed', status: 409 }) });
  await payOn(englishPage);
  await expectText(row);
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
