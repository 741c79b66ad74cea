import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { covers, expectText } from '../../testing/conformance.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeStripe } from '../../testing/fake-stripe.ts';
import { answerPayments, continueToCard, openCheckout, ratesAt } from '../../testing/payments.tsx';
import { senderSession } from '../../testing/render-app.tsx';
import { sampleQuote } from '../../testing/sample-rates.ts';
import { Checkout } from './checkout.tsx';
import { remittancePlan, twoStepPlan } from './checkout-payment.tsx';

const api = installFakeApi();
installFakeStripe();

const spanishPage = <Checkout plan={remittancePlan} />;
const opened = () => api.calls.filter(({ name }) => name === 'createPaymentIntent');

test('a payment page begins with 100 dollars and shows what arrives for them before paying', async () => {
  answerPayments(api);
  const { screen } = await openCheckout(spanishPage);
  await expect.element(screen.getByTestId('pay-amount')).toHaveValue('100');
  await expect.element(screen.getByTestId('breakdown-bs')).toMatchTextContent(/1\.114,57/);
  await expectAccessible();
  covers('route /stripe-pago', 'constant default amount 100', 'constant fee 3.5 %');
  covers('constant received = (amount - fee) x rate');
});

test('a payment page refuses a paused currency before the card form', async () => {
  answerPayments(api);
  api.answer({ getRates: () => ratesAt('11.55', true) });
  const { screen } = await openCheckout(spanishPage);
  await expect.element(screen.getByTestId('pay-paused')).toMatchTextContent(/Pausamos los envíos en esta moneda/);
  const go = screen.getByTestId('pay-continue');
  await expect.element(go).toHaveAttribute('aria-disabled', 'true');
  await go.click({ force: true });
  await expect.element(screen.getByTestId('checkout')).toHaveAttribute('data-step', 'amount');
  expect(opened()).toEqual([]);
});

test('an amount below the minimum disables the pay button, which says why when pressed', async () => {
  answerPayments(api);
  const { screen } = await openCheckout(spanishPage);
  await screen.getByTestId('pay-amount').fill('9,99');
  const go = screen.getByTestId('pay-continue');
  await expect.element(go).toHaveAttribute('aria-disabled', 'true');
  await go.click({ force: true });
  await expectText('message payment: minimum');
  expect(opened()).toEqual([]);
  covers('constant minimum payment 10', 'rule payment intent from 10');
});

test('a quote that cannot be had is named and can be asked for again', async () => {
  answerPayments(api);
  api.answer({ quote: () => ({ failure: 'unavailable', status: 503 }) });
  const { screen } = await openCheckout(spanishPage);
  await expect.element(screen.getByText(/Mensaje de unavailable/)).toBeVisible();
  api.answer({ quote: () => sampleQuote });
  await screen.getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(screen.getByTestId('breakdown-bs')).toMatchTextContent(/1\.114,57/);
});

test('the first payment asks for the date of birth and goes nowhere without it', async () => {
  answerPayments(api);
  const user = { ...senderSession.user, birthDateKnown: false };
  api.answer({ me: () => ({ ...senderSession, user }) });
  const { screen } = await openCheckout(spanishPage);
  await expect.element(screen.getByTestId('breakdown-bs')).toMatchTextContent(/1\.114,57/);
  const birthDate = screen.getByTestId('pay-birth-date');
  await screen.getByTestId('pay-continue').click();
  await expect.element(birthDate).toHaveFocus();
  await expectAccessible();
  await birthDate.fill('1990-05-17');
  await continueToCard();
  expect(opened().map(({ body }) => body)).toMatchObject([{ birthDate: '1990-05-17', recipientId: '' }]);
});

test('a visitor who pays is led to sign in and back to the same page and amount', async () => {
  answerPayments(api);
  api.answer({ quote: () => ({ ...sampleQuote, amount: '55.50', currency: 'EUR' }) });
  const { screen, router } = await openCheckout(spanishPage, { address: '/stripe-pago', visitor: true });
  await screen.getByTestId('pay-amount').fill('55,5');
  await screen.getByTestId('pay-currency').getByText(/EUR/).click();
  await expect.element(screen.getByTestId('pay-sign-in-note')).toBeVisible();
  const go = screen.getByTestId('pay-continue');
  await expect.element(go).not.toHaveAttribute('aria-disabled');
  await go.click();
  await expect.element(screen.getByText('Iniciar sesión')).toBeVisible();
  const next = new URLSearchParams(router.state.location.search).get('next') ?? '';
  expect(next).toBe('/stripe-pago?amount=55.5&currency=EUR');
  const { screen: back } = await openCheckout(spanishPage, { address: next });
  await expect.element(back.getByTestId('pay-amount').last()).toHaveValue('55,5');
});

test('the amount can be edited while the card form is open, and another payment is opened for it', async () => {
  const payments = answerPayments(api);
  const { screen } = await openCheckout(<Checkout plan={twoStepPlan} />);
  await continueToCard();
  await expectAccessible();
  await screen.getByTestId('pay-cancel').click();
  await screen.getByTestId('pay-amount').fill('20');
  api.answer({ quote: () => ({ ...sampleQuote, amount: '20.00' }) });
  await continueToCard();
  expect(opened().map(({ body }) => body)).toMatchObject([{ amount: '100.00' }, { amount: '20.00' }]);
  expect(payments).toHaveLength(2);
});

test('a session that ends before the card is asked leads to the login page', async () => {
  answerPayments(api);
  api.answer({ createPaymentIntent: () => ({ failure: 'unauthenticated', status: 401 }) });
  const { screen } = await openCheckout(spanishPage);
  await screen.getByTestId('pay-continue').click();
  await expect.element(screen.getByText('Iniciar sesión')).toBeVisible();
  await expect.element(screen.getByText('Error en el pago')).not.toBeInTheDocument();
});
