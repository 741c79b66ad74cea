import { expect, test } from 'vitest';
import type { ReceiptView } from '../contracts/http/receipts.ts';
import { receiptTexts } from './receipt-texts.ts';

const completed = {
  state: 'completed',
  currency: 'EUR',
  completedAt: '2026-11-24T15:00:00.000Z',
  returned: '0.00',
  payoutReturned: '0.00',
} as ReceiptView;

test('the receipt of a completed transfer says what went back of it, in both languages', () => {
  const back = { ...completed, returned: '25.00', payoutReturned: '250.00' };
  expect(receiptTexts.es.standing(back)).toMatch(
    /^Depositado en Bolivia el .*\. El banco devolvió Bs 250,00 de ese depósito\. Te devolvimos 25,00 EUR a tu tarjeta\.$/,
  );
  expect(receiptTexts.en.standing(back)).toMatch(
    /^Deposited in Bolivia on .*\. The bank returned .*250\.00.* of that deposit\. We returned .*25\.00.* to your card\.$/,
  );
});

test('the receipt of a completed transfer of which nothing went back says only when it was deposited', () => {
  expect(receiptTexts.es.standing(completed)).toMatch(/^Depositado en Bolivia el [^.]*\.$/);
});
