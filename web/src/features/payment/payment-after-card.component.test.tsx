import { expect, onTestFinished, test, vi } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { expectText } from '../../testing/conformance.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { installFakeStripe } from '../../testing/fake-stripe.ts';
import { answerPayments, openDialog, openedPayment, pressPay, transferOf } from '../../testing/payments.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { Checkout } from './checkout.tsx';
import { remittancePlan } from './checkout-payment.tsx';

const api = installFakeApi();
const live = installFakeLive();
const stripe = installFakeStripe();

const named = (name: string) => api.calls.filter((call) => call.name === name);
const lost = { type: 'api_connection_error' } as const;

test('a card whose answer was lost is never called uncharged, and its outcome is shown once the server answers', async () => {
  answerPayments(api);
  stripe.answer({ confirm: async () => ({ error: lost }) });
  api.answer({ paymentStatus: () => 'no connection' });
  const { screen } = await openDialog();
  await pressPay();
  await expect
    .element(screen.getByTestId('pay-checking'))
    .toMatchTextContent(/no sabemos si aceptó. No pagues otra vez/);
  await expect.element(screen.getByText(/No se cobró nada/)).not.toBeInTheDocument();
  await expectAccessible();
  api.answer({ paymentStatus: () => ({ status: 'succeeded', providerStatus: 'requires_capture' }) });
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
});

test('a card that was never asked is offered again once the server says that nothing is held', async () => {
  answerPayments(api);
  stripe.answer({ confirm: async () => ({ error: lost }) });
  api.answer({
    paymentStatus: () => ({ status: 'requires_payment_method', providerStatus: 'requires_payment_method' }),
  });
  const { screen } = await openDialog();
  await pressPay();
  await expect.element(screen.getByTestId('pay-error')).toMatchTextContent(/inesperado. No se cobró nada/);
  await expect.element(screen.getByTestId('pay-submit')).toBeEnabled();
});

test('a payment that nobody can say anything about is not paid again from here', async () => {
  answerPayments(api);
  stripe.answer({ confirm: async () => ({ error: lost }) });
  api.answer({ paymentStatus: () => ({ failure: 'not_found', status: 404 }) });
  const { screen, onDone } = await openDialog();
  await pressPay();
  await expect
    .element(screen.getByTestId('pay-unrecorded'))
    .toMatchTextContent(/No pudimos comprobar si tu tarjeta aceptó/);
  await expect.element(screen.getByText(/No pagues otra vez/)).toBeVisible();
  await screen.getByRole('button', { name: 'Volver al panel' }).click();
  expect(onDone).toHaveBeenCalledOnce();
});

test.each([
  ['held', async () => ({}), /Tu tarjeta aceptó y tu envío está a salvo.*No pagues otra vez/],
  [
    'not known to be held',
    async () => ({ error: lost }),
    /Todavía no sabemos si tu tarjeta aceptó.*No pagues otra vez/,
  ],
] as const)(
  'a session that ends while the money is %s leaves the outcome on screen',
  async (_what, confirm, message) => {
    const payments = answerPayments(api);
    stripe.answer({ confirm });
    api.answer({ paymentStatus: () => ({ failure: 'unauthenticated', status: 401 }) });
    const { screen, router } = await openDialog();
    await pressPay();
    await expect.element(screen.getByTestId('pay-session-ended')).toMatchTextContent(message);
    await expectAccessible();
    await screen.getByTestId('pay-sign-in').click();
    const { pathname, search } = router.state.location;
    expect(decodeURIComponent(pathname + search)).toBe(`/login?next=/dashboard?envio=${payments[0]?.transferId}`);
  },
);

test.each([
  ['status', 'paymentStatus'],
  ['confirmation', 'confirmTransaction'],
] as const)('a payment whose %s fails is not paid again from here', async (_what, name) => {
  answerPayments(api);
  api.answer({ [name]: () => ({ failure: 'payment_not_completed', status: 409 }) });
  const { screen } = await openDialog();
  await pressPay();
  await expectText('message payment: not recorded');
  await expect.element(screen.getByText(/No pagues otra vez/)).toBeVisible();
  await expectAccessible();
});

test('a payment that the provider calls not made can be tried again with another card', async () => {
  const payments = answerPayments(api);
  const status = 'requires_payment_method';
  api.answer({ paymentStatus: () => ({ status, providerStatus: status }) });
  const { screen } = await openDialog();
  await pressPay();
  await expect.element(screen.getByTestId('pay-problem')).toMatchTextContent(/Tu pago no fue exitoso/);
  await screen.getByTestId('pay-retry').click();
  await expect.element(screen.getByTestId('pay-submit')).toBeEnabled();
  expect(named('createPaymentIntent')).toHaveLength(2);
  expect(payments).toHaveLength(2);
});

test('the payment dialog says that the provider is not done yet, and may be left then', async () => {
  answerPayments(api);
  api.answer({ paymentStatus: () => ({ status: 'processing', providerStatus: 'processing' }) });
  const { screen, onDone } = await openDialog();
  await pressPay();
  await expect.element(screen.getByText('Tu pago está siendo procesado.')).toBeVisible();
  await screen.getByRole('button', { name: 'Cerrar' }).click();
  expect(onDone).toHaveBeenCalledOnce();
});

test('a payment whose quote ran out is opened anew, and the sender reads why the card is asked for again', async () => {
  const payments = answerPayments(api);
  const over = { type: 'invalid_request_error', payment_intent: { status: 'canceled' } };
  stripe.answer({ confirm: async () => ({ error: over as object }) });
  const { screen } = await openDialog();
  await pressPay();
  await vi.waitFor(() => expect(payments).toHaveLength(2));
  await expect.element(screen.getByTestId('pay-submit')).toBeEnabled();
  await expect.element(screen.getByText(/No se cobró nada. Preparamos el pago otra vez/)).toBeVisible();
});

test('a card that takes long is asked about at our server too, and may then be left alone', async () => {
  answerPayments(api);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  stripe.answer({ confirm: () => new Promise(() => undefined) });
  api.answer({ paymentStatus: () => ({ status: 'requires_action', providerStatus: 'requires_action' }) });
  const { screen } = await openDialog();
  await pressPay();
  await expect.element(screen.getByTestId('pay-submit')).toMatchTextContent(/Procesando pago/);
  await vi.advanceTimersByTimeAsync(60_000);
  await expect.element(screen.getByTestId('pay-checking')).toMatchTextContent(/No pagues otra vez/);
  await expect.element(screen.getByRole('button', { name: 'Cerrar' })).toBeVisible();
  api.answer({ paymentStatus: () => ({ status: 'succeeded', providerStatus: 'requires_capture' }) });
  await vi.advanceTimersByTimeAsync(2000);
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
});

test('a payment made in another tab becomes a success in this one, without its card', async () => {
  const payments = answerPayments(api);
  const { screen } = await openDialog();
  await expect.element(screen.getByTestId('pay-submit')).toBeEnabled();
  live.push('transfer:changed', transferOf(payments[0] ?? openedPayment()));
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
  expect(stripe.confirmed).toEqual([]);
});

test('a reload while the card is asked leads to the page that says what became of the payment', async () => {
  const payments = answerPayments(api);
  stripe.answer({ confirm: () => new Promise(() => undefined) });
  const { screen } = await openDialog();
  await pressPay();
  await expect.element(screen.getByTestId('pay-submit')).toMatchTextContent(/Procesando pago/);
  // As a reload: the page begins anew, and nothing of the old one is left but what the tab remembers.
  const { router } = await renderApp(
    [
      { path: '/stripe-pago', element: <Checkout plan={remittancePlan} /> },
      { path: '/payment-success', element: 'Tu pago' },
    ],
    '/stripe-pago?amount=40',
  );
  const id = payments[0]?.paymentIntentId;
  await vi.waitFor(() =>
    expect(decodeURIComponent(router.state.location.pathname + router.state.location.search)).toBe(
      `/payment-success?payment_intent=${id}&from=/stripe-pago?amount=40`,
    ),
  );
});

test('a payment whose outcome was shown is not asked about again after a reload', async () => {
  answerPayments(api);
  const { screen } = await openDialog();
  await pressPay();
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
  const { screen: page } = await renderApp([{ path: '/', element: <Checkout plan={remittancePlan} /> }]);
  await expect.element(page.getByTestId('pay-continue')).toBeVisible();
});
