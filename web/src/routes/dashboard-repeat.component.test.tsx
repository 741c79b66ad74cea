import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { TransferView } from '#core/contracts/http/transfers';
import { expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { installFakeLive } from '../testing/fake-live.ts';
import { installFakeStripe } from '../testing/fake-stripe.ts';
import { answerPayments } from '../testing/payments.tsx';
import { renderApp, senderSession } from '../testing/render-app.tsx';
import { emptyPanel, juana } from '../testing/sample-panel.ts';
import { quoteFor } from '../testing/sample-rates.ts';
import { paidTransfer } from '../testing/sample-transfer.ts';
import DashboardPage from './dashboard.tsx';

// The ways back to paying from the list: the same once more, and what was left unpaid.

const api = installFakeApi();
const live = installFakeLive();
const stripe = installFakeStripe();

const field = (testid: string) => page.getByTestId(testid);
const opened = () => api.calls.filter(({ name }) => name === 'createPaymentIntent').map(({ body }) => body);

/** Was left unpaid, until its rate ran out. */
const lapsed: TransferView = {
  ...paidTransfer,
  ...{ status: 'awaiting_payment', state: 'awaiting_payment', paidAt: null, card: null },
};

beforeEach(async () => {
  await page.viewport(1280, 900);
  api.answer(emptyPanel);
  answerPayments(api);
  api.answer({
    quote: ({ body }) => quoteFor(body, '13.40'),
    listRecipients: () => ({ items: [juana], nextCursor: null }),
  });
});

async function open(...items: TransferView[]) {
  api.answer({ me: () => senderSession, listTransfers: () => ({ items, nextCursor: null }) });
  await renderApp(
    [
      { path: '/dashboard', element: <DashboardPage /> },
      { path: '/dashboard/envios', element: <DashboardPage /> },
    ],
    '/dashboard/envios',
  );
  await expect.element(field('transfer-row').first()).toBeVisible();
}

test.each([
  ['a table', 1280, 900],
  ['cards', 390, 844],
] as const)(
  'a transfer is repeated from its row in %s with one tap, at today’s rate, and paid with another',
  async (_what, width, height) => {
    await page.viewport(width, height);
    await open(paidTransfer);
    await page.getByRole('button', { name: 'Repetir el envío a Juana Mamani' }).click();
    await expect
      .element(field('pay-disclosure-es'))
      .toMatchTextContent(/Juana Mamani.*Banco Mercantil Santa Cruz ···0001/);
    await expect.element(field('pay-submit')).toBeEnabled();
    expect(opened()).toEqual([{ amount: '100.00', currency: 'eur', recipientId: juana.id, exchangeRate: '13.40' }]);
    await field('pay-submit').click();
    await expect.element(field('pay-success')).toBeVisible();
    expect(stripe.confirmed).toHaveLength(1);
  },
);

test('a transfer whose recipient is gone, or has another account since, is repeated by way of the form', async () => {
  api.answer({
    listRecipients: () => ({
      items: [{ ...juana, lastSentAt: '2026-11-20T14:00:00.000Z', accountChangedAt: '2026-11-21T14:00:00.000Z' }],
      nextCursor: null,
    }),
  });
  const gone = {
    ...paidTransfer,
    id: crypto.randomUUID(),
    date: '2026-11-19T14:00:00.000Z',
    recipientId: crypto.randomUUID(),
    recipient: 'Pedro Mamani',
  };
  await open(paidTransfer, gone);
  await field('transfer-repeat-now').first().click();
  await expect.element(field('account-changed')).toBeVisible();
  await expect.element(field('send-recipient')).toHaveValue(juana.id);
  await expect.element(field('send-amount')).toHaveFocus();
  await field('transfer-repeat-now').last().click();
  await expect.element(page.getByText('Pedro Mamani ya no está en tu lista')).toBeVisible();
  await expect.element(field('send-recipient')).toHaveValue('');
  expect(opened()).toEqual([]);
});

test('a quote that cannot be had leaves the list as it is, and says so', async () => {
  await open(paidTransfer);
  api.answer({ quote: () => 'no connection' });
  await field('transfer-repeat-now').click();
  await expect.element(page.getByText('No se pudo calcular el envío de hoy')).toBeVisible();
  await expect.element(field('transfer-repeat-now')).toBeEnabled();
  expect(opened()).toEqual([]);
});

test('a transfer that was left unpaid until its rate ran out is offered at today’s rate, and gone once it has ended', async () => {
  await open(lapsed);
  await expect.element(field('transfer-pay')).not.toBeInTheDocument();
  await expectAccessibleAtAnyWidth();
  await page.getByRole('button', { name: 'Pagar con la tasa de hoy el envío a Juana Mamani' }).click();
  await expect.element(field('pay-submit')).toBeEnabled();
  expect(opened()).toMatchObject([{ amount: '100.00', exchangeRate: '13.40' }]);
  live.push('transfer:changed', { ...lapsed, version: 3, status: 'expired', state: 'expired' });
  await expect.element(field('transfer-row')).not.toBeInTheDocument();
});
