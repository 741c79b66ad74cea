import { beforeEach, expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeStripe } from '../../testing/fake-stripe.ts';
import { answerPayments, offer, openDialog, pressPay } from '../../testing/payments.tsx';

const api = installFakeApi();
const stripe = installFakeStripe();
beforeEach(showEnglish);

const recipient = offer.recipient?.name ?? '';
const lost = { type: 'api_connection_error' } as const;

test('the payment dialog is in English from the card to the paid transfer, with the disclosure in both languages', async () => {
  answerPayments(api);
  const { screen } = await openDialog();
  await expect.element(screen.getByRole('dialog', { name: 'Secure Card Payment' })).toBeVisible();
  await expect
    .element(screen.getByRole('region', { name: 'Before you pay' }))
    .toMatchTextContent(/Transfer Amount\$96\.50.*Total\$100\.00.*Total to RecipientBOB 1,114\.57.*ToJuana Mamani/);
  await expect
    .element(screen.getByRole('region', { name: 'Antes de pagar' }))
    .toMatchTextContent(/Total que pagas\$ 100,00.*Total que se recibeBs 1\.114,57/);
  await expect.element(screen.getByRole('button', { name: 'Pay $100.00' })).toBeVisible();
  expect(stripe.elements.at(-1)).toMatchObject({ locale: 'en' });
  await expectAccessible();
  expectEnglishOnly(recipient);
  await pressPay();
  await expect.element(screen.getByText('Payment Received Successfully')).toBeVisible();
  await expect
    .element(screen.getByText(/The recipient will get the money in Bolivia around \w+day, \w+ \d+/))
    .toBeVisible();
  expectEnglishOnly(recipient);
});

test('a card whose answer was lost is never called uncharged in English, whatever the server can say of it', async () => {
  answerPayments(api);
  stripe.answer({ confirm: async () => ({ error: lost }) });
  api.answer({ paymentStatus: () => 'no connection' });
  const { screen } = await openDialog();
  await pressPay();
  await expect
    .element(screen.getByTestId('pay-checking'))
    .toMatchTextContent(/we do not know whether it accepted\. Do not pay again/);
  await expect.element(screen.getByText(/charged/)).not.toBeInTheDocument();
  expectEnglishOnly(recipient);
  api.answer({ paymentStatus: () => ({ failure: 'not_found', status: 404 }) });
  await expect
    .element(screen.getByTestId('pay-unrecorded'))
    .toMatchTextContent(/We could not check whether your card accepted/);
  await expect.element(screen.getByText(/Do not pay again/)).toBeVisible();
  await expect.element(screen.getByText(/charged/)).not.toBeInTheDocument();
  expectEnglishOnly(recipient);
});

test('a session that ends while the card is asked leaves an English outcome that calls nothing uncharged', async () => {
  answerPayments(api);
  stripe.answer({ confirm: async () => ({ error: lost }) });
  api.answer({ paymentStatus: () => ({ failure: 'unauthenticated', status: 401 }) });
  const { screen } = await openDialog();
  await pressPay();
  await expect
    .element(screen.getByTestId('pay-session-ended'))
    .toMatchTextContent(/We do not know yet whether your card accepted the payment\. Do not pay again/);
  await expect.element(screen.getByText(/charged/)).not.toBeInTheDocument();
  expectEnglishOnly(recipient);
});
