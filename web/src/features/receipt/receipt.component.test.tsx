import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { type Company, companyAttribute } from '#core/contracts/company';
import type { ReceiptView } from '#core/contracts/http/receipts';
import { storeSession } from '../../lib/storage.ts';
import { expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { renderApp, senderSession } from '../../testing/render-app.tsx';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { Receipt } from './receipt.tsx';

const api = installFakeApi();
const live = installFakeLive();

/** The receipt of the sample transfer, in review. */
const paid: ReceiptView = {
  ...{ id: paidTransfer.id, number: 'CH-6D9A2B0E', paidAt: '2026-11-20T14:02:00.000Z', state: 'in_review' },
  ...{ completedAt: null, returnedAt: null, payoutReference: null, cancelRequested: false },
  estimatedDelivery: '2026-11-24T04:00:00.000Z',
  sender: { name: 'Carmen Rojas', email: 'carmen@example.com' },
  recipient: {
    ...{ name: 'Rosa Mamani', ci: '4567890', phone: '71234567', city: 'La Paz' },
    ...{ bankName: 'Banco Unión', accountEnding: '5678' },
  },
  ...{ currency: 'EUR', netAmount: '96.50', fee: '3.50', taxes: '0.00', total: '100.00' },
  ...{ rate: '13.38', markupPercent: '1.03', bolivianos: '1291.17', returned: '0.00', payoutReturned: '0.00' },
  card: { brand: 'visa', last4: '4242' },
  contact: { whatsapp: '59171234567', email: 'ayuda@example.com' },
};

/** A company that is named, and charges no card. */
const unlicensed: Company = {
  ...{ isDemonstration: true, name: 'Chasqui GmbH', address: 'Wien' },
  ...{ license: null, regulator: null, registerUrl: null, funds: null },
};

async function open(receipt: () => ReceiptView | { failure: 'not_found'; status: number }) {
  storeSession(senderSession);
  api.answer({ me: () => senderSession, receipt, getTransfer: () => paidTransfer });
  return renderApp([{ path: '/recibo/:id', element: <Receipt id={paidTransfer.id} /> }], `/recibo/${paidTransfer.id}`);
}

const sheet = page.getByTestId('receipt');
/** What the sheet says, line by line in one text. */
const text = () =>
  [...sheet.element().querySelectorAll('p, h1, h2, dt, dd')]
    .map(({ textContent }) => textContent)
    .join(' ')
    .replace(/\s+/g, ' ');

test('a receipt contains what the law requires in both languages, and the address keeps the language', async () => {
  document.documentElement.setAttribute(companyAttribute, JSON.stringify(unlicensed));
  onTestFinished(() => document.documentElement.removeAttribute(companyAttribute));
  const { router } = await open(() => paid);
  await expect.element(sheet).toHaveAttribute('lang', 'es-BO');
  for (const item of [
    /Carmen Rojas/,
    /Rosa Mamani.*CI 4567890/,
    /Banco Unión Cuenta terminada en 5678/,
    /Monto que se transfiere 96,50 EUR/,
    /Comisión de Chasqui 3,50 EUR/,
    /Impuestos \(exento por pago con tarjeta\) 0,00 EUR/,
    /Total pagado 100,00 EUR/,
    /Tasa de cambio 1 EUR = 13,38 Bs/,
    /Total para el destinatario Bs 1\.291,17/,
    /Disponible en Bolivia hacia el/,
    /30 minutos/,
    /Modo de demostración: aquí no se cobra ninguna tarjeta\. Chasqui GmbH · Wien/,
    /180 días/,
    /ayuda@example\.com/,
    /CFPB.*855-411-2372/,
  ]) {
    expect(text()).toMatch(item);
  }
  await expectAccessibleAtAnyWidth();
  await page.getByTestId('receipt-language').getByText('English').click();
  await expect.element(sheet).toHaveAttribute('lang', 'en');
  for (const item of [
    /Rosa Mamani ID card 4567890/,
    /Banco Unión Account ending in 5678/,
    /Transfer Amount EUR 96\.50/,
    /Transfer Fees \(Chasqui\) EUR 3\.50/,
    /Transfer Taxes \(exempt: paid by card\) EUR 0\.00/,
    /Total EUR 100\.00/,
    /Exchange Rate 1 EUR = 13\.38 BOB/,
    /Other Fees and Taxes BOB 0\.00/,
    /Total to Recipient BOB 1,291\.17/,
    /Date Available in Bolivia by about \w+day, /,
    /full refund within 30 minutes of payment/,
    /dispute errors.*180 days/,
    /localhost:\d+\/en\/ayuda.*ayuda@example\.com/,
    /Consumer Financial Protection Bureau: 855-411-2372/,
  ]) {
    expect(text()).toMatch(item);
  }
  await expectAccessibleAtAnyWidth();
  expect(router.state.location.search).toBe('?idioma=en');
});

test('a receipt follows its transfer: deposited with the bank’s reference, or returned', async () => {
  let receipt = paid;
  await open(() => receipt);
  await expect.element(sheet).toHaveAttribute('data-state', 'in_review');
  const completedAt = '2026-11-24T15:00:00.000Z';
  receipt = { ...paid, state: 'completed', completedAt, payoutReference: 'BO0000000001' };
  live.push('transfer:changed', { ...paidTransfer, version: 5, state: 'completed', status: 'completed' });
  const standing = sheet.getByTestId('receipt-standing');
  await expect.element(standing).toMatchTextContent(/Depositado en Bolivia el/);
  await expect.element(sheet).toMatchTextContent(/BO0000000001/);
  receipt = { ...paid, state: 'refunded', returned: '100.00', returnedAt: completedAt };
  live.push('transfer:changed', { ...paidTransfer, version: 6, state: 'refunded', status: 'refunded' });
  await expect.element(standing).toMatchTextContent(/Devuelto completo a tu tarjeta/);
});

/** Figures that show how each language groups digits. */
const large: ReceiptView = {
  ...paid,
  ...{ netAmount: '1096.50', total: '1100.00', markupPercent: '2.18', bolivianos: '14671.17' },
  estimatedDelivery: '2026-11-24T03:00:00.000Z',
};

/** What the sheet of a language says: the other one is there too, for the paper. */
const textIn = (lang: string) => document.querySelector(`article[lang=${lang}]`)?.textContent ?? '';

test('a receipt opens in Spanish on a Spanish page, and has its figures and dates in the language of each sheet', async () => {
  const { screen } = await open(() => large);
  await expect.element(screen.getByTestId('receipt')).toHaveAttribute('lang', 'es-BO');
  expect(document.title).toBe('Recibo CH-6D9A2B0E · Chasqui');
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
  const { screen } = await open(() => large);
  await expect.element(screen.getByTestId('receipt')).toHaveAttribute('lang', 'en');
  expect(document.title).toBe('Receipt CH-6D9A2B0E · Chasqui');
  expectEnglishOnly('Carmen Rojas', senderSession.user.name, 'Rosa Mamani', '/en/ayuda', 'ayuda@example.com');
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

test('a receipt that is unknown says so in the language of the page', async () => {
  const unknown = () => ({ failure: 'not_found' as const, status: 404 });
  const { screen } = await open(unknown);
  await expect.element(page.getByRole('heading', { name: 'No encontramos este recibo' })).toBeVisible();
  await screen.unmount();
  await showEnglish();
  await open(unknown);
  await expect.element(page.getByText('We cannot find this receipt')).toBeVisible();
  expectEnglishOnly();
});
