import type { ReactNode } from 'react';
import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { TransferView } from '#core/contracts/http/transfers';
import type { Offer, PreparedPayment } from '../data/payments.ts';
import PaymentDialog from '../features/payment/payment-dialog.tsx';
import { TransferTimeline } from '../features/transfers/transfer-timeline.tsx';
import { storeSession } from '../lib/storage.ts';
import type { FakeApi } from './fake-api.ts';
import { renderApp, senderSession } from './render-app.tsx';
import { sampleQuote } from './sample-rates.ts';
import { paidTransfer } from './sample-transfer.ts';

let payments = 0;

/** A payment of 100 USD as the server opens it, each with an id of its own. */
export function openedPayment(changes: Partial<PreparedPayment['quote']> = {}): PreparedPayment {
  const number = String(++payments).padStart(12, '0');
  return {
    paymentIntentId: `pi_${number}`,
    transferId: `6d9a2b0e-54a1-4a1c-8f43-${number}`,
    clientSecret: `pi_${number}_secret_x`,
    quote: { ...sampleQuote, expiresAt: '2026-11-20T14:30:00.000Z', ...changes },
  };
}

/** The transfer of a payment whose card is held. */
export const transferOf = ({ transferId, paymentIntentId }: PreparedPayment): TransferView => ({
  ...paidTransfer,
  id: transferId,
  paymentIntentId,
  currency: 'USD',
  rate: '11.55',
  bolivianos: '1114.57',
});

const rate = { lastUpdated: '2026-11-20T14:00:00.000Z', source: 'admin', paused: false, marketSeenAt: null } as const;

/** What the api says of the rates while 1 USD is worth this. */
export function ratesAt(dollars: string, paused = false) {
  const USD = { ...rate, currency: 'USD', rate: dollars, paused } as const;
  return { ...USD, rates: { USD, EUR: { ...rate, currency: 'EUR', rate: '13.38' } as const } };
}

/** An api with which every payment that is opened succeeds. @returns the payments it opened, oldest first. */
export function answerPayments(api: FakeApi): PreparedPayment[] {
  const opened: PreparedPayment[] = [];
  const open = () => {
    const payment = openedPayment();
    opened.push(payment);
    return payment;
  };
  const newest = () => opened.at(-1) ?? openedPayment();
  storeSession(senderSession);
  api.answer({
    me: () => senderSession,
    getRates: () => ratesAt('11.55'),
    quote: () => sampleQuote,
    paymentConfig: () => ({ publishableKey: 'pk_test_sandbox', scriptUrl: null, mode: 'sandbox' }),
    createPaymentIntent: open,
    createDemoPayment: open,
    paymentStatus: () => ({ status: 'succeeded', providerStatus: 'requires_capture' }),
    confirmTransaction: () => ({ success: true, message: '', transaction: transferOf(newest()) }),
    getTransfer: () => transferOf(newest()),
    createTrackingLink: () => ({ token: 'a'.repeat(43) }),
  });
  return opened;
}

export const offer: Offer = {
  recipient: { id: paidTransfer.recipientId ?? '', name: 'Juana Mamani', bankName: 'Banco Mercantil Santa Cruz' },
  quote: sampleQuote,
  birthDate: null,
};

/** Opens the dialog of a payment, on a page that shows nothing else. */
export async function openDialog(of: Offer = offer) {
  const onClose = vi.fn();
  const onDone = vi.fn();
  const dialog = <PaymentDialog offer={of} onClose={onClose} onDone={onDone} steps={TransferTimeline} />;
  const { screen, router } = await renderApp([
    { path: '/', element: withToasts(dialog) },
    { path: '/login', element: 'Iniciar sesión otra vez' },
    { path: '/away', element: 'Otra página' },
    { path: '/dashboard/destinatarios', element: 'Destinatarios' },
  ]);
  return { screen, router, onClose, onDone };
}

/** Presses the pay button, once the card can be entered. */
export async function pressPay() {
  const pay = page.getByTestId('pay-submit');
  await expect.element(pay).toBeEnabled();
  await pay.click();
}

/** Opens a payment page as a sender who is signed in, or as a visitor. */
export async function openCheckout(
  element: ReactNode,
  { address = '/', visitor = false }: { address?: string; visitor?: boolean } = {},
) {
  if (visitor) localStorage.clear();
  else storeSession(senderSession);
  const { pathname } = new URL(address, window.location.href);
  const { screen, router } = await renderApp(
    [
      { path: pathname, element: withToasts(element) },
      { path: '/login', element: 'Iniciar sesión' },
      { path: '/dashboard', element: 'Tu panel' },
    ],
    address,
  );
  return { screen, router };
}

const withToasts = (element: ReactNode) => <>{element}</>;

/** From the amount to the card form, which is ready then. */
export async function continueToCard() {
  const go = page.getByTestId('pay-continue');
  await expect.element(go).not.toHaveAttribute('aria-disabled');
  await go.click();
  await expect.element(page.getByTestId('pay-submit')).toBeEnabled();
}
