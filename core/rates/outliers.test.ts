import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findOutliers, median } from './outliers.ts';
import type { Rate } from './rate.ts';
import type { PriceObservation, ReferenceObservation, ReferenceSource } from './sources.ts';

const reference = (
  source: ReferenceSource,
  rate: bigint,
  pair: 'USD/BOB' | 'EUR/USD' = 'USD/BOB',
): ReferenceObservation => ({
  kind: 'reference',
  source,
  pair,
  rate: rate as Rate,
});

test('a figure 8 % away from the other sources is no outlier, one further away is', () => {
  const others = [reference('dolarApi', 10_000_000n), reference('criptoYa', 10_000_000n)];
  const found = (rate: bigint) => findOutliers([...others, reference('binanceP2p', rate)]);
  expect(found(10_800_000n)).toEqual([false, false, false]);
  expect(found(10_800_001n)).toEqual([false, false, true]);
  expect(found(9_199_999n)).toEqual([false, false, true]);
});

test('nothing is an outlier while there is only one other source', () => {
  expect(findOutliers([reference('dolarApi', 1_000_000n), reference('criptoYa', 10_000_000n)])).toEqual([false, false]);
});

test('a source has one vote on outliers, however many figures it gives, and pairs are not mixed', () => {
  const wrong = [1, 2, 3].map(() => reference('binanceP2p', 20_000_000n));
  const right = [reference('dolarApi', 10_000_000n), reference('criptoYa', 10_100_000n), reference('bcb', 10_050_000n)];
  const euro = reference('ecb', 1_100_000n, 'EUR/USD');
  expect(findOutliers([...wrong, ...right, euro])).toEqual([true, true, true, false, false, false, false]);
});

test('dollars per euro are compared with sources that quote both in bolivianos', () => {
  const price = (source: 'ria' | 'remitly', currency: 'USD' | 'EUR', rate: bigint): PriceObservation => ({
    kind: 'price',
    source,
    competitor: source,
    currency,
    amountMinor: 10_000n,
    rate: rate as Rate,
    feeMinor: 0n,
  });
  const known = [
    price('ria', 'USD', 11_000_000n),
    price('ria', 'EUR', 12_760_000n),
    price('remitly', 'USD', 11_200_000n),
    price('remitly', 'EUR', 12_880_000n),
  ];
  const marked = (rate: bigint) => findOutliers([...known, reference('ecb', rate, 'EUR/USD')]).at(-1);
  expect([marked(1_160_000n), marked(1_500_000n), marked(1_000_000n)]).toEqual([false, true, true]);
  expect(findOutliers([...known.slice(0, 3), reference('ecb', 1_500_000n, 'EUR/USD')]).at(-1)).toBe(false);
});

test('the median is one of the values and has no more than half of them on either side', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(), { minLength: 1 }), (values) => {
      const middle = median(values) as bigint;
      expect(values).toContain(middle);
      expect(values.filter((value) => value < middle).length).toBeLessThanOrEqual(values.length / 2);
      expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(values.length / 2);
    }),
  );
  expect(median([])).toBeNull();
});
