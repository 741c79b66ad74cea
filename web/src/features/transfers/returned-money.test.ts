import { expect, test } from 'vitest';
import { transferStateNames } from '#core/transfers/states';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { arriving, notReturned, payoutReturnedMessage, returnedMessage } from './transfer-labels.ts';

const returned = { ...paidTransfer, returned: '25.00' };

test('a transfer of which nothing went back says nothing about it in any state', () => {
  for (const state of transferStateNames) {
    expect([state, returnedMessage({ ...paidTransfer, state })]).toEqual([state, null]);
    expect([state, payoutReturnedMessage({ ...paidTransfer, state })]).toEqual([state, null]);
  }
});

test.each([
  ['captured', 'Te devolvimos 25,00 EUR a tu tarjeta. Tu envío sigue: a tu familia le llegan Bs 1.291,17.'],
  [
    'payout_failed',
    'Te devolvimos 25,00 EUR a tu tarjeta. Si pides tu dinero de vuelta, te devolvemos los 75,00 EUR que faltan.',
  ],
  ['completed', 'Te devolvimos 25,00 EUR a tu tarjeta. A tu familia le llegaron Bs 1.291,17.'],
  ['refunding', 'Ya volvieron 25,00 EUR a tu tarjeta. Faltan 75,00 EUR.'],
] as const)(
  'a transfer in state %s of which a part went back says how much and what becomes of the rest',
  (state, message) => {
    expect(returnedMessage({ ...returned, state })).toBe(message);
  },
);

test('a transfer whose deposit came back in part says what the family has, also beside money that went back', () => {
  const transfer = { ...returned, state: 'completed', payoutReturned: '250.00' } as const;
  expect(payoutReturnedMessage(transfer)).toMatch(
    /^El banco devolvió Bs 250,00: a tu familia le llegaron Bs 1\.041,17\./,
  );
  expect(returnedMessage(transfer)).toMatch(/le llegaron Bs 1\.041,17\.$/);
  expect(arriving(transfer)).toBe('1041.17');
  expect(notReturned(transfer)).toBe('75,00 EUR');
});
