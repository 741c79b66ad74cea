import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../data/query-client.ts';
import { expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { covers, expectText } from '../testing/conformance.ts';
import { showEnglish } from '../testing/english.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { installFakeLive } from '../testing/fake-live.ts';
import { installFakeStripe } from '../testing/fake-stripe.ts';
import {
  answerPayments,
  continueToCard,
  offer,
  openCheckout,
  openedPayment,
  pressPay,
  transferOf,
} from '../testing/payments.tsx';
import { juana as sampleJuana } from '../testing/sample-panel.ts';
import FixedStripePage from './fixed-stripe.tsx';
import PaymentDemosPage from './payment-demos.tsx';
import StripeIntegrationPage from './stripe-integration.tsx';
import StripePagoPage from './stripe-pago.tsx';

const api = installFakeApi();
const live = installFakeLive();
const stripe = installFakeStripe();

const juana = { ...sampleJuana, id: offer.recipient?.id ?? '' };

/** Every payment page, with what 100 dollars arrive as on it, and at the fixed rate it is about. */
const pages = [
  ['/stripe-pago', StripePagoPage, 'Bs 1.114,57', null],
  ['/stripe-integration', StripeIntegrationPage, 'Bs 1.114,57', null],
  ['/stripe', StripeIntegrationPage, 'Bs 1.114,57', null],
  ['/new-stripe', StripeIntegrationPage, 'Bs 1.114,57', null],
  ['/fixed-stripe', FixedStripePage, 'BOB 1,114.57', ['Demonstration', '1 USD = 15.00 BOB', 'BOB 1,447.50']],
  ['/payment-demo', PaymentDemosPage, 'Bs 1.114,57', ['Demostración', '1 USD = 6,96 Bs', 'Bs 671,64']],
  ['/stripe-basic', PaymentDemosPage, 'Bs 1.114,57', null],
  ['/stripe-simple', PaymentDemosPage, 'Bs 1.114,57', ['Demostración', '1 USD = 6,96 Bs', 'Bs 696,00']],
  ['/stripe-direct', PaymentDemosPage, 'Bs 1.114,57', null],
  ['/stripe-redirect', PaymentDemosPage, 'Bs 1.114,57', null],
  ['/simple-stripe', PaymentDemosPage, 'Bs 1.114,57', ['Demostración', '1 USD = 6,96 Bs', 'Bs 696,00']],
] as const;
type Address = (typeof pages)[number][0];

async function open(address: Address) {
  if (address === '/fixed-stripe') await showEnglish();
  const Page = pages.find(([path]) => path === address)?.[1];
  answerPayments(api);
  api.answer({ listRecipients: () => ({ items: [juana], nextCursor: null }) });
  return openCheckout(Page && <Page />, { address });
}

async function payOn(address: Address) {
  const opened = await open(address);
  await continueToCard();
  await pressPay();
  return opened;
}

const named = (name: string) => api.calls.filter((call) => call.name === name);

test.each(pages)('%s shows what 100 dollars arrive as, and a fixed rate only as a demonstration', async (...row) => {
  const [address, , arrives, demonstration] = row;
  const { screen } = await open(address);
  await expect.element(screen.getByText(arrives).first()).toBeVisible();
  for (const text of demonstration ?? []) {
    await expect.element(screen.getByTestId('pay-demonstration').getByText(text)).toBeVisible();
  }
  // The same page under three addresses.
  if (!['/stripe', '/new-stripe'].includes(address)) await expectAccessibleAtAnyWidth();
  covers(`route ${address}`);
  if (address === '/fixed-stripe') covers('constant fixed rate 15');
  if (address === '/payment-demo') covers('constant fixed rate 6.96');
});

test('/payment-demo pays through the smallest call, for a recipient that was chosen before', async () => {
  const { screen } = await open('/payment-demo');
  await screen.getByTestId('pay-recipient').selectOptions(juana.id);
  await continueToCard();
  expect(named('createDemoPayment').map(({ body }) => body)).toEqual([
    { amount: '100.00', currency: 'usd', recipientId: juana.id },
  ]);
  await pressPay();
  await expect.element(screen.getByTestId('pay-success').getByText(/Juana Mamani/)).toBeVisible();
  expect(named('createPaymentIntent')).toEqual([]);
});

test('/payment-demo asks to confirm the name of an account before a payment is opened', async () => {
  const nameCheck = { status: 'different', bankSays: 'P*** Q***', confirmed: false } as const;
  const unconfirmed = { ...juana, id: crypto.randomUUID(), nameCheck };
  const { screen } = await open('/payment-demo');
  api.answer({ listRecipients: () => ({ items: [unconfirmed], nextCursor: null }) });
  await queryClient.invalidateQueries();
  await screen.getByTestId('pay-recipient').selectOptions(unconfirmed.id);
  await screen.getByTestId('pay-continue').click();
  await expect.element(screen.getByText('Corrige los datos o confirma el nombre')).toBeVisible();
  expect(named('createDemoPayment')).toEqual([]);
  api.answer({
    confirmRecipientName: () => ({ ...unconfirmed, version: 2, nameCheck: { ...nameCheck, confirmed: true } }),
  });
  await screen.getByTestId('name-check-confirm').click();
  await expect.element(screen.getByTestId('name-check')).toMatchTextContent(/Confirmaste el nombre/);
  await continueToCard();
  expect(named('createDemoPayment')).toHaveLength(1);
});

test('/stripe does not tell the server the rate, and a quote frozen at another one has to be accepted', async () => {
  const { screen } = await open('/stripe');
  const moved = openedPayment({ rate: '11.50', bs: '1109.75' });
  api.answer({ createPaymentIntent: () => moved });
  await expect.element(screen.getByTestId('pay-continue')).not.toHaveAttribute('aria-disabled');
  await screen.getByTestId('pay-continue').click();
  await expect.element(screen.getByTestId('pay-rate-changed')).toMatchTextContent(/1\.114,57.*1\.109,75/);
  await screen.getByTestId('pay-accept-rate').click();
  await expect.element(screen.getByTestId('pay-submit')).toBeEnabled();
  await expect.element(screen.getByTestId('pay-arrives')).toMatchTextContent(/1\.109,75/);
  for (const { body } of named('createPaymentIntent')) expect(body).not.toHaveProperty('exchangeRate');
});

test('/stripe-simple opens the payment only when a complete card is paid with, and pays another card on it', async () => {
  const { screen } = await open('/stripe-simple');
  await continueToCard();
  expect(stripe.elements.at(-1)).toMatchObject({
    mode: 'payment',
    amount: 10_000,
    currency: 'usd',
    captureMethod: 'manual',
  });
  stripe.answer({ submit: async () => ({ error: { type: 'validation_error', message: 'Falta el CVC.' } }) });
  await pressPay();
  await expect.element(screen.getByTestId('pay-error')).toMatchTextContent(/Falta el CVC/);
  expect(named('createPaymentIntent')).toEqual([]);
  stripe.answer({
    submit: async () => ({}),
    confirm: async () => ({ error: { type: 'card_error', message: 'Sin fondos.' } }),
  });
  await pressPay();
  await expect.element(screen.getByTestId('pay-error')).toMatchTextContent(/Sin fondos/);
  stripe.answer({ confirm: async () => ({}) });
  await pressPay();
  await expectText('message payment: succeeded');
  expect(named('createPaymentIntent')).toHaveLength(1);
  expect(stripe.confirmed).toHaveLength(2);
  expect(stripe.elements).toHaveLength(1);
});

test('/stripe-simple waits for the card again when the rate moved before the payment was opened', async () => {
  const { screen } = await open('/stripe-simple');
  const moved = { ...offer.quote, rate: '11.50', bs: '1109.75' };
  api.answer({ createPaymentIntent: () => ({ failure: 'rate_changed', status: 409, quote: moved }) });
  await continueToCard();
  await pressPay();
  await screen.getByTestId('pay-accept-rate').click();
  await expect.element(screen.getByTestId('pay-submit')).toBeEnabled();
  expect(named('createPaymentIntent')).toHaveLength(1);
  const payment = openedPayment(moved);
  api.answer({ createPaymentIntent: () => payment });
  await pressPay();
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
  expect(stripe.confirmed).toEqual([payment.clientSecret]);
});

test('/stripe-direct confirms nothing to the server and waits for the push about its webhook', async () => {
  await open('/stripe-direct');
  const payment = openedPayment();
  const waiting = { ...transferOf(payment), version: 1, status: 'awaiting_payment', paidAt: null } as const;
  api.answer({ createPaymentIntent: () => payment, getTransfer: () => waiting });
  await continueToCard();
  await pressPay();
  await expectText('message payment: processing');
  live.push('transfer:changed', transferOf(payment));
  await expectText('message payment: succeeded');
  expect(named('confirmTransaction')).toEqual([]);
});

test('/stripe-direct notices by itself that the session ended', async () => {
  const payment = openedPayment();
  await open('/stripe-direct');
  api.answer({ createPaymentIntent: () => payment, getTransfer: () => ({ failure: 'unauthenticated', status: 401 }) });
  await continueToCard();
  await pressPay();
  await expect.element(page.getByTestId('pay-session-ended')).toMatchTextContent(/Tu tarjeta aceptó/);
});

test('/simple-stripe asks the card of the older element, whose fields belong to no payment', async () => {
  const { screen } = await payOn('/simple-stripe');
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
  expect(stripe.elements.at(-1)).not.toHaveProperty('clientSecret');
  expect(stripe.calls.at(-1)).toMatchObject({ name: 'confirmCardPayment' });
});

test('/stripe-redirect leaves for the return address after every payment', async () => {
  await payOn('/stripe-redirect');
  await expect.element(page.getByTestId('pay-success')).toBeVisible();
  const address = `${window.location.origin}/payment-success`;
  expect(stripe.calls.at(-1)?.options).toMatchObject({
    confirmParams: { return_url: expect.stringContaining(address) },
  });
  expect(stripe.calls.at(-1)?.options).not.toHaveProperty('redirect');
});

test('/stripe-basic is confirmed on the page, with the return address for banks that need it', async () => {
  await payOn('/stripe-basic');
  await expect.element(page.getByTestId('pay-success')).toBeVisible();
  const address = `${window.location.origin}/payment-success`;
  expect(stripe.calls.at(-1)?.options).toMatchObject({
    confirmParams: { return_url: expect.stringContaining(address) },
    redirect: 'if_required',
  });
  covers('rule payment return address');
});

test('/fixed-stripe pays an edited amount and names the payment by its provider’s id', async () => {
  const { screen } = await open('/fixed-stripe');
  await continueToCard();
  await screen.getByRole('button', { name: 'Edit Amount' }).click();
  await screen.getByTestId('pay-amount').fill('20');
  api.answer({ quote: () => ({ ...offer.quote, amount: '20.00' }) });
  await continueToCard();
  await pressPay();
  await expect.element(screen.getByText('Make Another Payment')).toBeVisible();
  await expect.element(screen.getByTestId('pay-reference')).toMatchTextContent(/^pi_/);
  expect(named('createPaymentIntent').at(-1)?.body).toMatchObject({ amount: '20.00' });
});
