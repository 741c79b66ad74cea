import { expect, test } from 'vitest';
import { estimatedFee, expectedFee, parsePriceList } from './price-list.ts';
import { prices } from './testing/movements.ts';

test('the price list is read from its text, and a fee is compared with the nearest of its prices', () => {
  expect(prices).toEqual({
    charges: [
      { basisPoints: 290n, fixedMinor: 30n },
      { basisPoints: 150n, fixedMinor: 25n },
    ],
    disputeMinor: 1500n,
  });
  for (const wrong of ['', '290', '290+30', '2.9+30;0', '290+30;1500;', 'none'])
    expect(parsePriceList(wrong)).toBeNull();
  const fee = (amountMinor: bigint, feeMinor: bigint) =>
    prices && expectedFee({ kind: 'charge', amountMinor, feeMinor }, prices);
  expect([fee(10_000n, 320n), fee(10_000n, 176n), fee(10_050n, 321n)]).toEqual([320n, 175n, 321n]);
});

test('the estimate of a fee is the highest price of the list', () => {
  const list = (text: string) => parsePriceList(`${text};1500`) ?? { charges: [], disputeMinor: 0n };
  expect(estimatedFee(10_000n, list('150+25,290+30'))).toBe(320n);
  expect(estimatedFee(10_000n, list('290+30,150+25'))).toBe(320n);
  expect(estimatedFee(1_000n, list('290+30'))).toBe(59n);
});
