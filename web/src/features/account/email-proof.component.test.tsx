import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { withProvenEmail } from '../../data/payments.ts';
import { queryClient } from '../../data/query-client.ts';
import { sessionKey } from '../../data/query-keys.ts';
import { errorMessage } from '../../lib/http.ts';
import { senderCall } from '../../lib/sender-http.ts';
import { storeSession } from '../../lib/storage.ts';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { expectKeyboardDialog } from '../../testing/keyboard-dialog.ts';
import { renderApp, senderSession } from '../../testing/render-app.tsx';
import Proofs from './proofs.tsx';

const api = installFakeApi();
const field = (testid: string) => page.getByTestId(testid);
const called = (name: string) => api.calls.filter((one) => one.name === name);
const unproven = { ...senderSession, user: { ...senderSession.user, emailProven: false } };
const refused = () =>
  ({ failure: 'email_unproven', status: 403, message: 'Antes de pagar confirma tu correo.' }) as const;
const headers = { 'idempotency-key': 'k' };
const body = { amount: '100', currency: 'eur', recipientId: '' };

/** Something that pays, and what came of it. */
function Pay() {
  const [outcome, setOutcome] = useState('');
  const pay = () =>
    withProvenEmail(() => senderCall('createPaymentIntent', { headers, body })).then(
      () => setOutcome('paid'),
      (error: unknown) => setOutcome(errorMessage(error)),
    );
  return (
    <>
      <button type="button" onClick={pay}>
        Pay
      </button>
      <output>{outcome}</output>
      <Proofs />
    </>
  );
}

const opener = () => page.getByRole('button', { name: 'Pay' });
const dialog = () => page.getByRole('dialog');

beforeEach(() => {
  storeSession(unproven);
  queryClient.setQueryData(sessionKey, unproven);
  api.answer({
    me: () => unproven,
    createPaymentIntent: refused,
    paymentConfig: () => ({
      publishableKey: 'pk_test_1',
      scriptUrl: 'http://localhost:3001/stripe.js',
      mode: 'sandbox',
    }),
  });
});

test('the sixth digit of the code sends it, and the payment goes on unchanged', async () => {
  await renderApp([{ path: '/', element: <Pay /> }]);
  await expectKeyboardDialog('features/account/email-proof.tsx', opener());
  // Each time the dialog was left the server said what is missing.
  const before = called('createPaymentIntent').length;
  const message = 'Ese código no es correcto.';
  api.answer({ proveEmail: () => ({ failure: 'email_code_wrong', status: 422, message }) });
  await field('email-code').fill('12345');
  expect(called('proveEmail')).toEqual([]);
  await field('email-code').fill('123 456');
  await expect.element(field('email-code')).toBeInvalid();
  expect(called('createPaymentIntent')).toHaveLength(before);
  api.answer({ proveEmail: () => senderSession, me: () => senderSession, createPaymentIntent: () => ({}) as never });
  await field('email-code').fill('654321');
  await expect.element(page.getByText('paid')).toBeVisible();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(called('proveEmail').map(({ body: typed }) => typed)).toEqual([{ code: '123 456' }, { code: '654321' }]);
  const sent = called('createPaymentIntent').slice(before);
  expect(sent.map(({ body: typed }) => typed)).toEqual([body]);
});

test('a page that does not know asks after the refusal, and who opens the link on another device need not type the code', async () => {
  queryClient.removeQueries({ queryKey: sessionKey });
  await renderApp([{ path: '/', element: <Pay /> }]);
  await opener().click();
  await expect.element(field('email-code')).toBeVisible();
  api.answer({ me: () => senderSession, createPaymentIntent: () => ({}) as never });
  await expect.element(page.getByText('paid')).toBeVisible();
  expect([called('proveEmail').length, called('createPaymentIntent').length]).toEqual([0, 2]);
});

test('another code can be sent, the simulator names its mailbox, and giving up says what is missing', async () => {
  await showEnglish();
  await renderApp([{ path: '/', element: <Pay /> }]);
  await opener().click();
  await expect.element(page.getByText('carmen@example.com')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'mailbox' }))
    .toHaveAttribute('href', 'http://localhost:3001/mail.html');
  api.answer({ sendEmailCode: () => undefined });
  await field('email-code-again').click();
  await expect.element(page.getByText('We sent another code.', { exact: false })).toBeVisible();
  api.answer({ sendEmailCode: () => 'no connection' });
  await field('email-code-again').click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  expectEnglishOnly();
  await field('email-code-cancel').click();
  await expect.element(page.getByRole('status').last()).toMatchTextContent('Antes de pagar confirma tu correo.');
  expect(called('createPaymentIntent')).toHaveLength(1);
});
