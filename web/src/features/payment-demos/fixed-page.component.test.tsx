import { beforeEach, expect, test } from 'vitest';
import { covers, expectText } from '../../testing/conformance.ts';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeStripe } from '../../testing/fake-stripe.ts';
import { answerPayments, continueToCard, openCheckout, pressPay, ratesAt } from '../../testing/payments.tsx';
import { Checkout } from '../payment/checkout.tsx';
import { fixedPlan } from './demo-pages.tsx';

const api = installFakeApi();
const stripe = installFakeStripe();
beforeEach(showEnglish);

const open = () => openCheckout(<Checkout plan={fixedPlan} />);

async function pay() {
  answerPayments(api);
  const { screen } = await open();
  await continueToCard();
  await pressPay();
  return screen;
}

test('/fixed-stripe is wholly in English from the amount to the paid transfer', async () => {
  answerPayments(api);
  const { screen } = await open();
  await expect.element(screen.getByTestId('breakdown-bs')).toMatchTextContent(/BOB 1,114\.57/);
  for (const text of ['You send', 'Our fee', 'Recipient gets', 'Continue to Payment', '1 USD = 15.00 BOB'])
    await expect.element(screen.getByText(text, { exact: true }).first()).toBeVisible();
  expectEnglishOnly();
  await continueToCard();
  await expect.element(screen.getByRole('button', { name: 'Edit Amount' })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Pay Now $100.00' })).toBeVisible();
  expect(stripe.elements.at(-1)).toMatchObject({ locale: 'en' });
  expectEnglishOnly();
  await pressPay();
  await expect.element(screen.getByText('Payment ID')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Make Another Payment' })).toBeVisible();
  expectEnglishOnly('Juana Mamani');
});

test('/fixed-stripe names an amount that is missing, too small or too large', async () => {
  answerPayments(api);
  const { screen } = await open();
  const amount = screen.getByTestId('pay-amount');
  await expect.element(screen.getByTestId('breakdown-bs')).toMatchTextContent(/1,114\.57/);
  await amount.fill('3000.01');
  await expect.element(screen.getByText('The maximum amount per transfer is $3,000.00.').first()).toBeVisible();
  await amount.fill('5');
  await expect.element(screen.getByText('The minimum amount to send is 10 USD/EUR').first()).toBeVisible();
  await amount.fill('');
  await screen.getByTestId('pay-continue').click({ force: true });
  await expectText('message fixed page: invalid amount');
  expectEnglishOnly();
  covers('constant fixed page above 0', 'constant maximum 3,000');
});

test('/fixed-stripe refuses while payments are paused, and says so', async () => {
  answerPayments(api);
  api.answer({ getRates: () => ratesAt('11.55', true) });
  const { screen } = await open();
  await expect.element(screen.getByTestId('pay-paused')).toMatchTextContent(/We have paused transfers/);
  expectEnglishOnly();
});

test('/fixed-stripe says that the payment could not be prepared', async () => {
  answerPayments(api);
  api.answer({ createPaymentIntent: () => 'no connection' });
  const { screen } = await open();
  await screen.getByTestId('pay-continue').click();
  await expectText('message payment page: intent failed');
  await expectText('message payment page: not initialized');
  await expect.element(screen.getByTestId('pay-retry')).toBeEnabled();
  expectEnglishOnly();
});

test('/fixed-stripe names an unexpected failure of the provider', async () => {
  const error = { type: 'api_error', payment_intent: { status: 'requires_payment_method' } };
  stripe.answer({ confirm: async () => ({ error: error as object }) });
  await pay();
  await expectText('message payment page: unexpected');
  await expectText('message payment page: failed');
  expectEnglishOnly();
});

test('/fixed-stripe says that it waits while a payment is processing', async () => {
  answerPayments(api);
  api.answer({ paymentStatus: () => ({ status: 'processing', providerStatus: 'processing' }) });
  await open();
  await continueToCard();
  await pressPay();
  await expectText('message payment page: polling');
  expectEnglishOnly();
});

test('/fixed-stripe names any other status and offers to try again', async () => {
  answerPayments(api);
  const status = 'requires_payment_method';
  api.answer({ paymentStatus: () => ({ status, providerStatus: status }) });
  const { screen } = await open();
  await continueToCard();
  await pressPay();
  await expect.element(screen.getByText(`Payment ${status}: Please try again`)).toBeVisible();
  await expectText('message payment page: other status');
});

test.each([
  ['paymentStatus', 'message payment page: status failed'],
  ['confirmTransaction', 'message payment page: confirm failed'],
] as const)('/fixed-stripe names a failed call of %s, and never calls the card uncharged', async (name, row) => {
  answerPayments(api);
  api.answer({ [name]: () => ({ failure: 'payment_not_completed', status: 409 }) });
  const { screen } = await open();
  await continueToCard();
  await pressPay();
  await expectText(row);
  await expect.element(screen.getByText(/Do not pay again/)).toBeVisible();
  await expect.element(screen.getByText(/charged/)).not.toBeInTheDocument();
  expectEnglishOnly();
});
