import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { IdentityView } from '#core/contracts/http/identity';
import { queryClient } from '../../data/query-client.ts';
import { sessionKey } from '../../data/query-keys.ts';
import { expectAccessible, expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp, senderSession } from '../../testing/render-app.tsx';
import { sampleIdentity } from '../../testing/sample-panel.ts';
import Limits from './limits.tsx';
import Proofs from './proofs.tsx';

const api = installFakeApi();
const field = (testid: string) => page.getByTestId(testid);
const both = (
  <>
    <Limits />
    <Proofs />
  </>
);
const open = (state?: object) => renderApp([{ path: '/', element: both }], { pathname: '/', state });

test('each limit shows what is left of it, and asks again when it could not be loaded', async () => {
  api.answer({ getIdentity: () => 'no connection' });
  await open();
  const retry = page.getByRole('button', { name: 'Reintentar' });
  await expect.element(retry).toBeVisible();
  api.answer({ getIdentity: () => ({ ...sampleIdentity, sent: { day: '750.00', month: '0.00' } }) });
  await retry.click();
  await expect.element(field('limit-day')).toMatchTextContent(/Puedes enviar \$\s250,00 de \$\s1\.000,00/);
  await expect.element(field('limit-day').getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
  await expect.element(field('limit-month').getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
  await expectAccessibleAtAnyWidth();
});

test('who is to send more types their identity data, then adds their document, and goes back to the payment', async () => {
  const check = {
    ...({ level: 'identity', state: 'accepted', documentType: 'passport', country: 'BO', number: '•••56' } as const),
    ...{ legalName: 'Carmen Rojas', birthDate: '1990-05-17', reason: null },
    ...{ at: '2026-11-23T12:00:00.000Z', decidedAt: '2026-11-23T12:00:00.000Z' },
  };
  const known: IdentityView = { ...sampleIdentity, tier: 'identity', identity: check };
  const unreadable = { ...check, level: 'document', state: 'declined', reason: 'unreadable' } as const;
  const unproven = { ...senderSession, user: { ...senderSession.user, emailProven: false } };
  queryClient.setQueryData(sessionKey, unproven);
  let session = unproven;
  api.answer({
    me: () => session,
    proveEmail: () => {
      session = senderSession;
      return session;
    },
    paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'live' }),
    getIdentity: () => sampleIdentity,
    submitIdentity: () => known,
    submitDocument: () => ({ ...known, document: unreadable }),
  });
  await open({ fromPayment: true });
  await expect.element(field('verify-identity')).toMatchTextContent(/puedes enviar hasta \$\s2\.000,00 por envío/);
  await field('identity-send').click();
  await expect.element(page.getByText('Elige el país del documento')).toBeVisible();
  await field('identity-country').selectOptions('BO');
  await field('identity-number').fill('AB 123456');
  await field('identity-legalName').fill('Carmen Rojas');
  await field('identity-birthDate').fill('1990-05-17');
  await expectAccessibleAtAnyWidth();
  await field('identity-send').click();
  // Who has not paid yet has not proven their address either.
  await field('email-code').fill('123456');
  await expect.element(field('verify-identity')).toMatchTextContent('Verificado: Carmen Rojas');
  await expect.element(field('tier')).toHaveFocus();
  expect(api.calls.filter(({ name }) => name === 'submitIdentity').map(({ body }) => body)).toMatchObject([
    { documentType: 'passport', country: 'BO', number: 'AB 123456' },
  ]);
  const picture = new File(['%PDF-1'], 'p.pdf', { type: 'application/pdf' });
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, picture);
  await field('document-send').click();
  await expect.element(field('verify-document')).toMatchTextContent('No pudimos leer el documento');
  await expect.element(field('back-to-payment')).toHaveAttribute('href', '/dashboard#send');
  await expectAccessible();
});
