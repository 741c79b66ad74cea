import { expect, test } from 'vitest';
import type { ReceiptView } from '../contracts/http/receipts.ts';
import { receiptSections } from './receipt-lines.ts';
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

const labelsIn = (receipt: ReceiptView) =>
  receiptSections(receipt, 'es').flatMap(({ title, lines, total }) => [
    title,
    ...[...lines, ...(total ? [total] : [])].map(([label]) => label),
  ]);

const figures = {
  ...completed,
  netAmount: '72.37',
  fee: '2.63',
  taxes: '0.00',
  total: '75.00',
  rate: '13.35',
  markupPercent: null,
  bolivianos: '966.13',
  paidAt: '2026-11-13T15:00:00.000Z',
  estimatedDelivery: '2026-11-16T15:00:00.000Z',
  payoutReference: null,
} as ReceiptView;

test.each(['rejected', 'cancelled', 'failed', 'expired'] as const)(
  'the receipt of a transfer that was %s says that nothing was charged and promises no deposit',
  (state) => {
    const labels = labelsIn({ ...figures, state, completedAt: null });
    expect(labels).toEqual(
      expect.arrayContaining([
        'Lo que ibas a pagar',
        'Total, no cobrado',
        'Lo que se iba a recibir',
        'Reservado en la tarjeta',
      ]),
    );
    for (const label of ['Total pagado', 'Pagado', 'Disponible en Bolivia', 'Referencia del banco'])
      expect(labels).not.toContain(label);
  },
);

test('the receipt of a transfer not made says when it ended, and that nothing was charged', () => {
  const rejected = { ...figures, state: 'rejected', returnedAt: '2026-11-14T15:00:00.000Z' } as ReceiptView;
  expect(receiptTexts.es.standing(rejected)).toBe(
    'No se hizo: terminó el 14 de noviembre de 2026 a las 11:00 (hora de Bolivia). No se cobró nada.',
  );
  expect(receiptTexts.en.standing({ ...rejected, returnedAt: null })).toBe('Not made. Nothing was charged.');
});

test('the receipt of a transfer whose money goes back whole says what was paid and promises no deposit', () => {
  const labels = labelsIn({ ...figures, state: 'refunding', completedAt: null });
  expect(labels).toEqual(expect.arrayContaining(['Total pagado', 'Pagado', 'Lo que se iba a recibir']));
  for (const label of ['Disponible en Bolivia', 'Referencia del banco']) expect(labels).not.toContain(label);
  expect(labelsIn({ ...figures, state: 'refunded', payoutReference: 'BO123' })).toContain('Referencia del banco');
});
