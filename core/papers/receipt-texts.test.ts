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

test('the receipt of a completed transfer without refunds only states when it was deposited', () => {
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

test('the receipt of a fully refunded transfer states the payment and promises no deposit', () => {
  const labels = labelsIn({ ...figures, state: 'refunding', completedAt: null });
  expect(labels).toEqual(expect.arrayContaining(['Total pagado', 'Pagado', 'Lo que se iba a recibir']));
  for (const label of ['Disponible en Bolivia', 'Referencia del banco']) expect(labels).not.toContain(label);
});

test.each([
  [
    'refunding',
    {},
    /^La devolución completa está en camino a tu tarjeta\.$/,
    /^The full refund is on its way to your card\.$/,
  ],
  ['refunding', { refundFailed: true }, /^La devolución no llegó a tu tarjeta/, /^The refund did not reach your card/],
  ['refunded', {}, /^Devuelto completo a tu tarjeta el /, /^Refunded in full to your card on /],
  [
    'refunded',
    { returnedByBank: '75.00' },
    /^Devuelto completo por transferencia bancaria el /,
    /^Refunded in full by bank transfer on /,
  ],
  [
    'refunded',
    { returnedByBank: '50.00' },
    /^Devuelto completo, de ello 50,00.EUR por transferencia bancaria y lo demás a tu tarjeta, el /,
    /^Refunded in full, of it EUR.50\.00 by bank transfer and the rest to your card, on /,
  ],
  [
    'completed',
    { returnedByBank: '50.00' },
    /Te devolvimos 75,00.EUR, de ello 50,00.EUR por transferencia bancaria y no a tu tarjeta\.$/,
    /We returned EUR.75\.00, of it EUR.50\.00 by bank transfer and not to your card\.$/,
  ],
] as const)('the receipt of a %s transfer with %j says how the money went back', (state, changes, spanish, english) => {
  const receipt = {
    ...figures,
    state,
    returned: '75.00',
    returnedAt: '2026-11-14T15:00:00.000Z',
    ...changes,
  } as ReceiptView;
  expect(receiptTexts.es.standing(receipt)).toMatch(spanish);
  expect(receiptTexts.en.standing(receipt)).toMatch(english);
});
