import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { covers, expectText } from '../../testing/conformance.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeStripe } from '../../testing/fake-stripe.ts';
import { expectKeyboardDialog } from '../../testing/keyboard-dialog.ts';
import { answerPayments, offer, openDialog, openedPayment, pressPay, ratesAt } from '../../testing/payments.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { sampleIdentity, waitingCheck } from '../../testing/sample-panel.ts';
import PaymentDialog from './payment-dialog.tsx';

const api = installFakeApi();
const stripe = installFakeStripe();

const named = (name: string) => api.calls.filter((call) => call.name === name);
const declined = { type: 'card_error', message: 'Tu tarjeta no tiene fondos suficientes.' } as const;

test('the payment dialog asks the card, records the payment and shows the transfer under way', async () => {
  const payments = answerPayments(api);
  const { screen, onDone } = await openDialog();
  await expectText('message payment: title');
  await expect.element(screen.getByText(/Te guardamos esta tasa hasta las/)).toBeVisible();
  await expect.element(screen.getByTestId('pay-arrives')).toMatchTextContent(/1\.114,57/);
  await expectAccessible();
  await pressPay();
  await expectText('message payment: received');
  await expect.element(screen.getByText(/El destinatario recibirá los fondos en Bolivia hacia el/)).toBeVisible();
  covers('message payment: delivery', 'constant delivery estimate');
  await expect.element(screen.getByRole('heading', { name: 'Qué pasa ahora' })).toBeVisible();
  const expected = screen.getByTestId('timeline-expected');
  await expect
    .poll(() => expected.elements().map(({ textContent }) => textContent))
    .toEqual([
      expect.stringMatching(/^Aprobación/),
      expect.stringMatching(/^Cobro de tu tarjeta/),
      expect.stringMatching(/^Depósito en Bolivia/),
    ]);
  const tracking = `${window.location.origin}/seguimiento#${'a'.repeat(43)}`;
  await expect.element(screen.getByTestId('share-open')).toHaveAttribute('href', tracking);
  const whatsapp = screen.getByTestId('share-whatsapp').element().getAttribute('href') ?? '';
  expect(whatsapp).toContain(encodeURIComponent(tracking));
  await expect.element(screen.getByTestId('pay-receipt')).toHaveAttribute('href', `/recibo/${payments[0]?.transferId}`);
  await expectAccessible();
  expect(stripe.confirmed).toEqual(payments.map(({ clientSecret }) => clientSecret));
  expect(named('createPaymentIntent').map(({ body }) => body)).toEqual([
    {
      amount: '100.00',
      currency: 'usd',
      recipientId: offer.recipient?.id,
      exchangeRate: '11.55',
    },
  ]);
  await screen.getByTestId('pay-done').click();
  expect(onDone).toHaveBeenCalledOnce();
});

test('nothing on the page behind the card form can be reached while the card is entered', async () => {
  answerPayments(api);
  const { screen } = await renderApp([{ path: '/', element: <PageWithPayment /> }]);
  await screen.getByRole('button', { name: 'Enviar dinero ahora' }).click();
  await expect.element(screen.getByTestId('pay-submit')).toBeEnabled();
  const unreachable = () => document.getElementById('content')?.closest('[inert]');
  expect(unreachable()).not.toBeNull();
  await pressPay();
  await expectText('message payment: received');
  expect(unreachable()).toBeNull();
});

test('a payment that could not be prepared is tried again under the same key', async () => {
  answerPayments(api);
  const keys = new Set<string | null>();
  let failing = true;
  const payment = openedPayment();
  api.answer({
    createPaymentIntent: ({ headers }) => {
      keys.add(headers.get('idempotency-key'));
      return failing ? { failure: 'payment_not_started', status: 502 } : payment;
    },
  });
  const { screen } = await openDialog();
  await expectText('message payment: form missing');
  await expect.element(screen.getByTestId('pay-problem')).toMatchTextContent(/Mensaje de payment_not_started\./);
  // Not twice: a toast would lie over the dialog's own alert.
  await expect.element(screen.getByText('Error en el pago')).not.toBeInTheDocument();
  failing = false;
  await screen.getByTestId('pay-retry').click();
  await expect.element(screen.getByTestId('pay-submit')).toBeEnabled();
  expect(keys.size).toBe(1);
});

test.each([
  ['the connection is lost', 'no connection', 'No hay conexión con Chasqui.'],
  ['the api is not available', { failure: 'unavailable', status: 503 }, 'Mensaje de unavailable.'],
] as const)('a payment can be tried again when %s while it is prepared', async (_what, answer, message) => {
  answerPayments(api);
  api.answer({ createPaymentIntent: () => answer });
  const { screen } = await openDialog();
  await expect.element(screen.getByTestId('pay-problem')).toMatchTextContent(new RegExp(message));
  await expect.element(screen.getByTestId('pay-retry')).toBeVisible();
});

test.each([
  ['leads to it', sampleIdentity, /Con tu documento puedes enviar hasta \$\s3\.000,00/, 'Verificar mi identidad'],
  [
    'says that it is being reviewed once it was done',
    { ...sampleIdentity, document: waitingCheck },
    /Estamos revisando lo que enviaste para verificarte/,
    'Ver mis límites',
  ],
] as const)('a refusal that a step of verification lifts %s', async (_what, identity, text, link) => {
  answerPayments(api);
  api.answer({
    createPaymentIntent: () => ({
      failure: 'amount_too_large',
      status: 422,
      ...{ maximumUsd: '1000.00', maximum: '920.00', currency: 'EUR' },
      next: { tier: 'document', limitUsd: '3000.00', limit: '2760.00' },
    }),
    getIdentity: () => identity,
  });
  const { screen } = await openDialog();
  await expect.element(screen.getByTestId('pay-next-tier')).toMatchTextContent(text);
  await expect.element(screen.getByTestId('pay-verify')).toHaveTextContent(link);
  await expect.element(screen.getByTestId('pay-verify')).toHaveAttribute('href', '/cuenta#limites');
  await expectAccessible();
});

test('a payment that the sender has to change is refused without offering the same again', async () => {
  answerPayments(api);
  api.answer({
    createPaymentIntent: () => ({
      failure: 'day_limit_reached',
      status: 422,
      ...{ limitUsd: '3000.00', leftUsd: '20.00', left: '18.10', currency: 'EUR', availableAt: null },
    }),
  });
  const { screen, onClose } = await openDialog();
  await expect.element(screen.getByTestId('pay-refused')).toMatchTextContent(/Mensaje de day_limit_reached/);
  await expect.element(screen.getByTestId('pay-retry')).not.toBeInTheDocument();
  await expectAccessible();
  await screen.getByRole('button', { name: 'Cambiar los datos' }).click();
  expect(onClose).toHaveBeenCalledOnce();
});

test('a payment to an account in another name leads to the recipient and is not offered again', async () => {
  answerPayments(api);
  api.answer({
    createPaymentIntent: () => ({
      ...{ failure: 'name_not_confirmed', status: 409, name: 'Juana Mamani', bankSays: 'P*** Q***' },
    }),
  });
  const { screen, router, onClose } = await openDialog();
  await expect.element(screen.getByTestId('pay-refused')).toBeVisible();
  await expect.element(screen.getByTestId('pay-retry')).not.toBeInTheDocument();
  await expectAccessible();
  await screen.getByTestId('pay-to-recipient').click();
  const { pathname, search } = router.state.location;
  expect(pathname + search).toBe(`/dashboard/destinatarios?destinatario=${offer.recipient?.id}`);
  expect(onClose).toHaveBeenCalled();
});

test('a blocked account sees the reason and a link to help instead of the form', async () => {
  answerPayments(api);
  api.answer({ createPaymentIntent: () => ({ failure: 'account_blocked', status: 403 }) });
  const { screen } = await openDialog();
  await expect.element(screen.getByTestId('pay-refused')).toBeVisible();
  await expect.element(screen.getByTestId('pay-retry')).not.toBeInTheDocument();
  await expect.element(screen.getByTestId('pay-help')).toHaveAttribute('href', '/ayuda');
});

test('a card form whose fields do not load can be opened again', async () => {
  answerPayments(api);
  stripe.answer({ fields: 'fail' });
  const { screen } = await openDialog();
  await expect
    .element(screen.getByTestId('pay-problem'))
    .toMatchTextContent(/No pudimos inicializar el servicio de pago/);
  stripe.answer({ fields: 'ready' });
  await screen.getByTestId('pay-retry').click();
  await expect.element(screen.getByTestId('pay-submit')).toBeEnabled();
});

test('a rate that changed before the payment is shown beside the old one and paid only once it is accepted', async () => {
  const payments = answerPayments(api);
  const moved = { ...offer.quote, rate: '11.50', bs: '1109.75' };
  api.answer({ createPaymentIntent: () => ({ failure: 'rate_changed', status: 409, quote: moved }) });
  const { screen } = await openDialog();
  const changed = screen.getByTestId('pay-rate-changed');
  await expect.element(changed).toMatchTextContent(/1\.114,57.*1\.109,75/);
  await expectAccessible();
  const payment = openedPayment(moved);
  api.answer({ createPaymentIntent: () => payment });
  await screen.getByTestId('pay-accept-rate').click();
  await expect.element(screen.getByTestId('pay-arrives')).toMatchTextContent(/1\.109,75/);
  expect(named('createPaymentIntent').at(-1)?.body).toMatchObject({ exchangeRate: '11.50' });
  expect(payments).toEqual([]);
});

test('a declined card is named, nothing was charged, and another card pays the same payment', async () => {
  const payments = answerPayments(api);
  stripe.answer({ confirm: async () => ({ error: declined }) });
  const { screen } = await openDialog();
  await pressPay();
  const problem = screen.getByTestId('pay-error');
  await expect.element(problem).toMatchTextContent(/Ocurrió un error al procesar el pago.*fondos.*No se cobró nada/);
  await expectAccessible();
  stripe.answer({ confirm: async () => ({}) });
  await pressPay();
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
  expect(payments).toHaveLength(1);
  expect(new Set(stripe.confirmed).size).toBe(1);
});

test.each([
  [
    'an incomplete card',
    { submit: async () => ({ error: { type: 'validation_error', message: 'Falta el CVC.' } }) },
    /Falta el CVC\./,
  ],
  [
    'a failure of the provider that leaves the card unasked',
    { confirm: async () => ({ error: { type: 'api_error', payment_intent: { status: 'requires_payment_method' } } }) },
    /Ocurrió un error inesperado\./,
  ],
  [
    'a card form that breaks before the card is asked',
    { submit: () => Promise.reject(new Error('broken')) },
    /Ocurrió un error inesperado\. Por favor, inténtalo de nuevo\./,
  ],
] as const)('the payment dialog says that nothing was charged after %s', async (_what, answers, message) => {
  answerPayments(api);
  stripe.answer(answers as Parameters<typeof stripe.answer>[0]);
  const { screen } = await openDialog();
  await pressPay();
  await expect.element(screen.getByTestId('pay-error')).toMatchTextContent(message);
  await expect.element(screen.getByTestId('pay-error')).toMatchTextContent(/No se cobró nada/);
  await expect.element(screen.getByTestId('pay-submit')).toBeEnabled();
});

test('while the bank asks its question nothing takes the form away, and the card is asked once', async () => {
  answerPayments(api);
  const bank = Promise.withResolvers<object>();
  stripe.answer({ confirm: () => bank.promise });
  const { screen, router, onClose, onDone } = await openDialog();
  await pressPay();
  const button = screen.getByTestId('pay-submit');
  await expect.element(button).toMatchTextContent(/Procesando pago/);
  await button.click({ force: true });
  button.element().closest('form')?.requestSubmit();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('button', { name: 'Cerrar' })).not.toBeInTheDocument();
  await router.navigate('/away');
  expect(router.state.location.pathname).toBe('/');
  expect(onClose).not.toHaveBeenCalled();
  bank.resolve({});
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
  expect(stripe.confirmed).toHaveLength(1);
  expect(onDone).not.toHaveBeenCalled();
});

test('a double click on the pay button asks the card once', async () => {
  answerPayments(api);
  const { screen } = await openDialog();
  await expect.element(screen.getByTestId('pay-submit')).toBeEnabled();
  await screen.getByTestId('pay-submit').dblClick();
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
  expect(stripe.confirmed).toHaveLength(1);
  expect(named('confirmTransaction')).toHaveLength(1);
});

test('a payment that was left unpaid is gone on with, without opening another one', async () => {
  const payments = answerPayments(api);
  const payment = openedPayment();
  await openDialog({ ...offer, payment });
  await pressPay();
  await expect.element(page.getByTestId('pay-success')).toBeVisible();
  expect(payments).toEqual([]);
  expect(stripe.confirmed).toEqual([payment.clientSecret]);
});

test('a better rate is taken by opening its payment first, and one that cannot be had leaves the accepted one', async () => {
  answerPayments(api);
  const better = { ...offer.quote, rate: '11.60', bs: '1119.40' };
  api.answer({ getRates: () => ratesAt('11.60'), quote: () => better });
  const { screen } = await openDialog();
  await expect.element(screen.getByTestId('pay-better-rate')).toMatchTextContent(/1\.119,40/);
  api.answer({ createPaymentIntent: () => ({ failure: 'payments_paused', status: 409, currency: 'EUR' }) });
  await screen.getByTestId('pay-use-better').click();
  await expect
    .element(screen.getByTestId('pay-better-problem'))
    .toMatchTextContent('Mensaje de payments_paused. Puedes pagar con la tasa que ya aceptaste.');
  await expect.element(screen.getByTestId('pay-arrives')).toMatchTextContent(/1\.114,57/);
  const payment = openedPayment(better);
  api.answer({ createPaymentIntent: () => payment });
  await screen.getByTestId('pay-use-better').click();
  await expect.element(screen.getByTestId('pay-arrives')).toMatchTextContent(/1\.119,40/);
  await expect.element(screen.getByTestId('pay-better-rate')).not.toBeInTheDocument();
  await pressPay();
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
  expect(stripe.confirmed).toEqual([payment.clientSecret]);
});

test('a worse rate leaves the accepted one and says until when', async () => {
  answerPayments(api);
  api.answer({ getRates: () => ratesAt('11.40') });
  const { screen } = await openDialog();
  await expect
    .element(screen.getByTestId('pay-rate-notice'))
    .toMatchTextContent(/^La tasa bajó\. Tu tasa aceptada se mantiene hasta las \d\d:\d\d\.$/);
  await expect.element(screen.getByTestId('pay-use-better')).not.toBeInTheDocument();
});

test('a better rate cannot be taken while the card is asked', async () => {
  answerPayments(api);
  api.answer({ getRates: () => ratesAt('11.60'), quote: () => ({ ...offer.quote, rate: '11.60', bs: '1119.40' }) });
  const bank = Promise.withResolvers<object>();
  stripe.answer({ confirm: () => bank.promise });
  const { screen } = await openDialog();
  await pressPay();
  await expect.element(screen.getByTestId('pay-use-better')).toBeDisabled();
  bank.resolve({});
  await expect.element(screen.getByTestId('pay-success')).toBeVisible();
});

test('the payment dialog opens by keyboard, keeps the focus and gives it back', async () => {
  answerPayments(api);
  await renderApp([{ path: '/', element: <PageWithPayment /> }]);
  const opener = page.getByRole('button', { name: 'Enviar dinero ahora' });
  const ready = () => expect.element(page.getByTestId('pay-submit')).toBeEnabled();
  await expectKeyboardDialog('features/payment/payment-dialog.tsx', opener, { ready });
});

function PageWithPayment() {
  const [open, setOpen] = useState(false);
  return (
    <main id="content">
      <button type="button" onClick={() => setOpen(true)}>
        Enviar dinero ahora
      </button>
      {open && (
        <PaymentDialog offer={offer} onClose={() => setOpen(false)} onDone={() => setOpen(false)} steps={() => null} />
      )}
    </main>
  );
}
