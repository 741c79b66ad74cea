import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { CryptoOrderView } from '#core/contracts/http/crypto';
import { storeSession } from '../../lib/storage.ts';
import CryptoPage from '../../routes/crypto.tsx';
import { expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { covers, expectText } from '../../testing/conformance.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { installFakeStripe } from '../../testing/fake-stripe.ts';
import { renderApp, senderSession } from '../../testing/render-app.tsx';

const api = installFakeApi();
const live = installFakeLive();
// The package of the onramp loads Stripe.js too.
installFakeStripe();

const wallet = 'ChasquiDemo111111111111111111111111111111111';

const opened: CryptoOrderView = {
  id: '0199b2d0-0000-7000-8000-0000000000e1',
  version: 1,
  date: '2026-11-20T14:00:00.000Z',
  currency: 'usd',
  amount: '62.50',
  paidAmount: null,
  destinationCurrency: 'usdc',
  destinationNetwork: 'solana',
  walletAddress: wallet,
  destinationAmount: null,
  fees: null,
  status: 'requires_payment',
  transactionId: null,
  changedAt: '2026-11-20T14:00:00.000Z',
};
const processing: CryptoOrderView = { ...opened, version: 2, status: 'fulfillment_processing' };
const delivered: CryptoOrderView = {
  ...opened,
  version: 3,
  status: 'fulfillment_complete',
  destinationAmount: '62.50',
  fees: { network: '0.20', transaction: '0.75' },
};
const rejected: CryptoOrderView = { ...opened, version: 3, status: 'rejected' };

/** The form that Stripe mounts; `hint` says that something moved there. Its package keeps the first one that it finds. */
const form = { secret: '', hint: () => {} };
Object.assign(window, {
  StripeOnramp: () => ({
    createSession: ({ clientSecret, locale }: { clientSecret: string; locale: string }) => ({
      addEventListener: (name: string, listener: () => void) => {
        if (name === 'onramp_session_updated') form.hint = listener;
        else setTimeout(listener);
      },
      removeEventListener: () => undefined,
      setAppearance: () => undefined,
      mount: (place: HTMLElement) => {
        form.secret = clientSecret;
        place.replaceChildren(document.createTextNode(locale === 'en' ? 'Pay at Stripe' : 'Pagar en Stripe'));
      },
    }),
  }),
});

beforeEach(() => {
  form.secret = '';
  api.answer({
    me: () => senderSession,
    cryptoConfig: () => ({
      available: true,
      currency: 'usd',
      destinationCurrency: 'usdc',
      destinationNetwork: 'solana',
      walletAddress: wallet,
      minimum: '10.00',
      maximum: '3000.00',
    }),
    paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'sandbox' }),
    listCryptoOrders: () => ({ items: [], nextCursor: null }),
    createOnrampSession: () => ({ clientSecret: 'cos_1_secret', orderId: opened.id, order: opened }),
  });
});

const field = (name: string) => page.getByTestId(`crypto-${name}`);

async function open(search = '', { visitor = false } = {}) {
  if (visitor) api.answer({ me: () => ({ failure: 'unauthenticated', status: 401 }) });
  else storeSession(senderSession);
  const routes = [
    { path: '/stripe-integration-crypto', element: <CryptoPage /> },
    { path: '/login', element: 'Iniciar sesión' },
  ];
  return renderApp(routes, `/stripe-integration-crypto${search}`);
}

/** From the amount to Stripe's form. */
async function openPurchase() {
  await field('amount').fill('62,5');
  await field('continue').click();
  await expect.element(page.getByText('Pagar en Stripe')).toBeVisible();
}

test('USDC is bought on Solana for 10 to 3000 dollars, to the wallet that the server names', async () => {
  await open();
  await expectText('message crypto: title');
  await expect.element(field('wallet')).toHaveTextContent(wallet);
  await expect.element(field('coin')).toHaveTextContent('USDC');
  await expect.element(field('network')).toHaveTextContent('Solana');
  covers('route /stripe-integration-crypto', 'constant coin USDC on Solana');
  for (const amount of ['9,99', '', '3000,01']) {
    await field('amount').fill(amount);
    await expect.element(field('continue')).toBeDisabled();
  }
  for (const amount of ['10', '3000', '62,5']) {
    await field('amount').fill(amount);
    await expect.element(field('continue')).toBeEnabled();
  }
  await expectAccessibleAtAnyWidth();
});

test('a visitor who buys USDC is led to sign in, and back to the same amount', async () => {
  const { router } = await open('', { visitor: true });
  await field('amount').fill('62,5');
  await field('continue').click();
  await expect.element(page.getByText('Iniciar sesión')).toBeVisible();
  const next = new URLSearchParams(router.state.location.search).get('next');
  expect(next).toBe('/stripe-integration-crypto?amount=62.5');
  await router.navigate(next ?? '');
  await expect.element(field('amount')).toHaveValue('62,5');
});

test('a crypto order follows what is pushed until its coins are delivered, and another one can be begun', async () => {
  const { router } = await open();
  await openPurchase();
  expect(form.secret).toBe('cos_1_secret');
  expect(router.state.location.search).toBe(`?compra=${opened.id}`);
  expect(api.calls.find(({ name }) => name === 'createOnrampSession')).toMatchObject({
    body: { amount: '62.5', currency: 'usd', destinationCurrency: 'usdc', walletAddress: wallet },
  });
  await expect.element(field('order')).toHaveAttribute('data-status', 'requires_payment');
  await expectAccessibleAtAnyWidth();
  live.push('crypto-order:changed', processing);
  await expect.element(field('order')).toHaveAttribute('data-status', 'fulfillment_processing');
  await expect.element(field('row')).toHaveAttribute('data-status', 'fulfillment_processing');
  live.push('crypto-order:changed', delivered);
  for (const part of ['62,50 USDC', 'Solana', 'Chas…1111', '$ 62,50', '$ 0,95', '20/11/2026']) {
    await expect.element(field('success')).toMatchTextContent(part);
  }
  await expectAccessibleAtAnyWidth();
  covers('rule crypto steps');
  await field('again').click();
  await expect.element(field('amount')).toHaveValue('62,5');
});

test('a crypto order is read again when Stripe’s form says that something moved, also where no push comes', async () => {
  api.answer({ refreshCryptoOrder: () => delivered });
  await open();
  await openPurchase();
  form.hint();
  await expect.element(field('success')).toBeVisible();
});

test('a crypto order that the provider rejects says so, and another one can be begun', async () => {
  await open();
  await openPurchase();
  live.push('crypto-order:changed', rejected);
  await expect.element(field('rejected')).toMatchTextContent('El proveedor rechazó esta compra');
  await expect.element(field('row')).toHaveAttribute('data-status', 'rejected');
  await field('again').click();
  const another = { ...opened, id: '0199b2d0-0000-7000-8000-0000000000e2' };
  api.answer({ createOnrampSession: () => ({ clientSecret: 'cos_2_secret', orderId: another.id, order: another }) });
  await openPurchase();
  expect(form.secret).toBe('cos_2_secret');
});

test('a crypto order that was left unpaid asks after a reload to start again, and is followed all the same', async () => {
  api.answer({ getCryptoOrder: () => opened });
  await open(`?compra=${opened.id}`);
  await expect.element(page.getByText(/^Esta compra quedó sin pagar/)).toBeVisible();
  live.push('crypto-order:changed', processing);
  await expect.element(field('order')).toHaveAttribute('data-status', 'fulfillment_processing');
  await expect.element(page.getByText(/^Esta compra quedó sin pagar/)).not.toBeInTheDocument();
});

test('a crypto order that cannot be opened says why, and may be tried again', async () => {
  api.answer({ createOnrampSession: () => ({ failure: 'onramp_not_started', status: 502 }) });
  const { screen } = await open();
  await field('continue').click();
  await expectText('message payment: not initialized');
  await expect.element(field('retry')).toBeVisible();
  await screen.unmount();

  api.answer({ createOnrampSession: () => ({ clientSecret: '', orderId: opened.id, order: opened }) });
  const another = await open();
  await field('continue').click();
  await expectText('message crypto: no client secret');
  await another.screen.unmount();

  // Trying again cannot help here.
  api.answer({ createOnrampSession: () => ({ failure: 'crypto_unavailable' }) });
  await open();
  await field('continue').click();
  await expect.element(field('refusal')).toMatchTextContent('Mensaje de crypto_unavailable');
  await expect.element(field('amount')).toBeVisible();
});
