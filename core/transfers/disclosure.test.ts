import { expect, test } from 'vitest';
import { disclosureOf } from './disclosure.ts';

test('the disclosure before paying has the items of the law in their order, in Spanish and in English', () => {
  const figures = {
    currency: 'USD',
    amount: '1500.00',
    fee: '52.50',
    netAmount: '1447.50',
    rate: '11.55',
    bs: '16718.62',
  };
  expect(disclosureOf({ ...figures, currency: 'USD' })).toEqual([
    {
      language: 'es',
      title: 'Antes de pagar',
      lines: [
        ['Monto que se transfiere', '$ 1.447,50'],
        ['Comisión', '$ 52,50'],
        ['Impuestos', '$ 0,00'],
        ['Total que pagas', '$ 1.500,00'],
        ['Tasa de cambio', '1 USD = 11,55 Bs'],
        ['Total que se recibe', 'Bs 16.718,62'],
      ],
    },
    {
      language: 'en',
      title: 'Before you pay',
      lines: [
        ['Transfer Amount', '$1,447.50'],
        ['Transfer Fees', '$52.50'],
        ['Transfer Taxes', '$0.00'],
        ['Total', '$1,500.00'],
        ['Exchange Rate', '1 USD = 11.55 BOB'],
        ['Total to Recipient', 'BOB 16,718.62'],
      ],
    },
  ]);
});
