import { expect, test } from 'vitest';
import type { ReceiptView } from '#core/contracts/http/receipts';
import { expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp, senderSession } from '../../testing/render-app.tsx';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { Receipt } from './receipt.tsx';

const api = installFakeApi();

const receipt: ReceiptView = {
  id: paidTransfer.id,
  number: 'CQ-6D9A2B',
  paidAt: '2026-11-20T14:02:00.000Z',
  completedAt: null,
  estimatedDelivery: '2026-11-24T03:00:00.000Z',
  returnedAt: null,
  state: 'in_review',
  cancelRequested: false,
  sender: { name: senderSession.user.name, email: senderSession.user.email },
  recipient: {
    name: 'Juana Mamani',
    ci: '4567890',
    phone: '71234567',
    city: 'La Paz',
    bankName: 'Banco Unión',
    accountEnding: '5678',
  },
  currency: 'EUR',
  netAmount: '1096.50',
  fee: '3.50',
  taxes: '0.00',
  total: '1100.00',
  rate: '13.38',
  markupPercent: '2.18',
  bolivianos: '14671.17',
  card: { brand: 'visa', last4: '4242' },
  returned: '0.00',
  payoutReturned: '0.00',
  payoutReference: null,
  contact: { whatsapp: '59171234567', email: 'ayuda@example.com' },
};

async function open(answer: ReceiptView | 'unknown' = receipt) {
  api.answer({
    getTransfer: () => (answer === 'unknown' ? { failure: 'not_found', status: 404 } : paidTransfer),
    receipt: () => (answer === 'unknown' ? { failure: 'not_found', status: 404 } : answer),
  });
  const { screen } = await renderApp([{ path: '/', element: <Receipt id={receipt.id} /> }]);
  return screen;
}

/** What the sheet of a language says: the other one is there too, for the paper. */
const textIn = (lang: string) => document.querySelector(`article[lang=${lang}]`)?.textContent ?? '';

test('a receipt opens in Spanish on a Spanish page, and has its figures and dates in the language of each sheet', async () => {
  const screen = await open();
  await expect.element(screen.getByTestId('receipt')).toHaveAttribute('lang', 'es-BO');
  expect(document.title).toBe('Recibo CQ-6D9A2B · Chasqui');
  for (const text of [
    '1.100,00 EUR',
    '2,18 %',
    'Bs 14.671,17',
    'hacia el lunes, 23 de noviembre',
    '20 de noviembre de',
  ])
    expect(textIn('es-BO')).toContain(text);
  for (const text of ['EUR 1,100.00', '2.18%', 'BOB 14,671.17', 'by about Monday, November 23', 'November 20, 2026 at'])
    expect(textIn('en')).toContain(text);
});

test('a receipt opens in English on an English page, where the Spanish sheet stays as it is', async () => {
  await showEnglish();
  const screen = await open();
  await expect.element(screen.getByTestId('receipt')).toHaveAttribute('lang', 'en');
  expect(document.title).toBe('Receipt CQ-6D9A2B · Chasqui');
  expectEnglishOnly(senderSession.user.name, 'Juana Mamani', '/en/ayuda', 'ayuda@example.com');
  for (const text of [
    '1.100,00 EUR',
    '2,18 %',
    'Bs 14.671,17',
    'hacia el lunes, 23 de noviembre',
    '20 de noviembre de',
  ])
    expect(textIn('es-BO')).toContain(text);
  await expectAccessibleAtAnyWidth();
  await screen.getByTestId('receipt-language').getByText('Español').click();
  await expect.element(screen.getByTestId('receipt')).toHaveAttribute('lang', 'es-BO');
});

test('a receipt that there is not says so in English on an English page', async () => {
  await showEnglish();
  const screen = await open('unknown');
  await expect.element(screen.getByText('We cannot find this receipt')).toBeVisible();
  expectEnglishOnly();
});
