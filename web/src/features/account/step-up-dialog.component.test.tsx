import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../../data/query-client.ts';
import { sessionKey } from '../../data/query-keys.ts';
import { adminCall } from '../../lib/admin-http.ts';
import { errorMessage } from '../../lib/http.ts';
import { senderCall } from '../../lib/sender-http.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { expectKeyboardDialog, pressTwice } from '../../testing/keyboard-dialog.ts';
import { adminSession, renderApp } from '../../testing/render-app.tsx';
import Proofs from './proofs.tsx';

const api = installFakeApi();
const field = (testid: string) => page.getByTestId(testid);
const bodies = (name: string) => api.calls.filter((one) => one.name === name).map(({ body }) => body);
const kinds = { app: true, passkey: false };
const stale = () =>
  ({ failure: 'second_factor_stale', status: 403, ...kinds, message: 'Confirma que eres tú.' }) as const;

/** Something that wants the second factor proven lately, and what came of it. */
function Decide() {
  const [outcome, setOutcome] = useState('');
  const decide = () =>
    adminCall('claimReview', { params: { id: 'a' }, body: { mine: true } }).then(
      () => setOutcome('done'),
      (error: unknown) => setOutcome(errorMessage(error)),
    );
  return (
    <>
      <button type="button" onClick={decide}>
        Decide
      </button>
      <output>{outcome}</output>
      <Proofs />
    </>
  );
}

const opener = () => page.getByRole('button', { name: 'Decide' });
const outcome = () => page.getByRole('status').last();

beforeEach(() => {
  queryClient.setQueryData(sessionKey, adminSession);
  api.answer({ claimReview: stale });
});

test('a code is asked for before the call is made once more, unchanged, and only then', async () => {
  await renderApp([{ path: '/', element: <Decide /> }]);
  await expectKeyboardDialog('features/account/step-up-dialog.tsx', opener());
  const before = bodies('claimReview').length;
  const message = 'Ese código no es correcto.';
  api.answer({ proveSecondFactor: () => ({ failure: 'second_factor_wrong', status: 422, message }) });
  await field('factor-code').fill('123456');
  await field('step-up-submit').click();
  await expect.element(field('factor-code')).toHaveAccessibleDescription(message);
  expect(bodies('claimReview')).toHaveLength(before);
  api.answer({ proveSecondFactor: () => undefined, claimReview: () => ({}) as never });
  pressTwice('step-up-submit');
  await expect.element(page.getByText('done')).toBeVisible();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(bodies('proveSecondFactor')).toHaveLength(2);
  expect(bodies('claimReview').slice(before)).toEqual([{ mine: true }]);
});

test('a passkey does instead of a code; without an app only a recovery code is taken beside it', async () => {
  const bytes = new Uint8Array([1, 2, 3]).buffer;
  const answer = { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes };
  const signed = {
    id: 'AQID',
    rawId: bytes,
    type: 'public-key',
    response: answer,
    getClientExtensionResults: () => ({}),
  };
  const get = vi.spyOn(navigator.credentials, 'get');
  get.mockRejectedValueOnce(new DOMException('The operation was canceled.', 'NotAllowedError'));
  api.answer({
    claimReview: () => ({ ...stale(), app: false, passkey: true }),
    passkeyProof: () => ({ challenge: 'AQID', rpId: 'localhost' }),
    proveSecondFactor: () => undefined,
  });
  await renderApp([{ path: '/', element: <Decide /> }]);
  await opener().click();
  await expect.element(field('factor-passkey')).toHaveFocus();
  await expect.element(page.getByRole('textbox', { name: 'Código de recuperación' })).toBeVisible();
  await expect.element(field('factor-swap')).not.toBeInTheDocument();
  await field('factor-passkey').click();
  await expect.element(page.getByText('Inténtalo otra vez', { exact: false })).toBeVisible();
  get.mockResolvedValueOnce(signed as unknown as Credential);
  api.answer({ claimReview: () => ({}) as never });
  await field('factor-passkey').click();
  await expect.element(page.getByText('done')).toBeVisible();
  expect(bodies('proveSecondFactor')).toEqual([
    { passkey: expect.objectContaining({ id: 'AQID', type: 'public-key' }) },
  ]);
});

test('who has no second factor types the password, and a wrong one is refused at its field', async () => {
  const message = 'Esa no es tu contraseña actual.';
  api.answer({
    claimReview: () => ({ ...stale(), app: false, passkey: false }),
    proveSecondFactor: () => ({ failure: 'wrong_password', status: 422, message }),
  });
  await renderApp([{ path: '/', element: <Decide /> }]);
  await opener().click();
  await expect.element(field('factor-password')).toHaveFocus();
  await expect.element(field('factor-code')).not.toBeInTheDocument();
  await field('factor-password').fill('mala');
  await field('factor-change').click();
  await expect.element(field('factor-password')).toHaveAccessibleDescription(message);
  api.answer({ proveSecondFactor: () => undefined, claimReview: () => ({}) as never });
  await field('factor-password').fill('una-clave-larga');
  await field('factor-change').click();
  await expect.element(page.getByText('done')).toBeVisible();
  expect(bodies('proveSecondFactor')).toEqual([{ password: 'mala' }, { password: 'una-clave-larga' }]);
});

test('a payment that wants to know who pays is opened once more under the same key', async () => {
  api.answer({ createPaymentIntent: stale });
  await renderApp([{ path: '/', element: <Proofs /> }]);
  const body = { amount: '600', currency: 'usd', recipientId: '' };
  const opened = senderCall('createPaymentIntent', { headers: { 'idempotency-key': 'k' }, body });
  await field('factor-code').fill('123456');
  api.answer({ proveSecondFactor: () => undefined, createPaymentIntent: () => ({ transferId: 'a' }) as never });
  await field('step-up-submit').click();
  expect(await opened).toEqual({ transferId: 'a' });
  const sent = api.calls.filter(({ name }) => name === 'createPaymentIntent');
  expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['k', 'k']);
  expect(sent.map((one) => one.body)).toEqual([body, body]);
});

test('without a code nothing is done, and the person is told', async () => {
  await renderApp([{ path: '/', element: <Decide /> }]);
  await opener().click();
  await field('step-up-cancel').click();
  await expect.element(outcome()).toMatchTextContent('Confirma que eres tú.');
  expect(bodies('claimReview')).toHaveLength(1);
});
