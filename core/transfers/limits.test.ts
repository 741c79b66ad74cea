import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sendCurrencies } from '../money/money.ts';
import { parseRate, type Rate } from '../rates/rate.ts';
import { limitBroken, maximumMinor, maximumUsdMinor, minimumMinor, toUsdMinor } from './limits.ts';

const million = 1_000_000n;
const eurUsdRates = fc.bigInt(500_000n, 2_000_000n).map((rate) => rate as Rate);
const eurUsd = parseRate('1.10') as Rate;
const limits = { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n };
const nothingSent = { dayUsdMinor: 0n, monthUsdMinor: 0n };
const usd = (minor: bigint) => ({ minor, currency: 'USD' as const });

describe('the largest transfer', () => {
  test('the largest transfer in euros is never worth more than 3,000 USD, and one cent more always is', () => {
    fc.assert(
      fc.property(eurUsdRates, (rate) => {
        const most = maximumMinor('EUR', rate);
        expect(most * rate <= maximumUsdMinor * million).toBe(true);
        expect((most + 1n) * rate > maximumUsdMinor * million).toBe(true);
        expect(toUsdMinor(most, 'EUR', rate) <= maximumUsdMinor).toBe(true);
      }),
    );
  });

  test('the largest transfer is 3,000.00 USD, and 2,727.27 EUR at 1.10', () => {
    expect(maximumMinor('USD', eurUsd)).toBe(300_000n);
    expect(maximumMinor('EUR', eurUsd)).toBe(272_727n);
  });

  test('the largest transfer of either currency is accepted and one minor unit more refused', () => {
    fc.assert(
      fc.property(eurUsdRates, fc.constantFrom(...sendCurrencies), (rate, currency) => {
        const most = maximumMinor(currency, rate);
        expect(limitBroken({ minor: most, currency }, rate, limits, nothingSent)).toBeNull();
        expect(limitBroken({ minor: most + 1n, currency }, rate, limits, nothingSent)).toBe('amount_too_large');
      }),
    );
  });
});

test('the smallest transfer is 10.00 of either currency', () => {
  for (const currency of sendCurrencies) {
    expect(limitBroken({ minor: minimumMinor, currency }, eurUsd, limits, nothingSent)).toBeNull();
    expect(limitBroken({ minor: minimumMinor - 1n, currency }, eurUsd, limits, nothingSent)).toBe('amount_too_small');
  }
  expect(minimumMinor).toBe(1_000n);
});

test('the value of a transfer in dollars is never below exact, and dollars are themselves', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 99_999_999n), eurUsdRates, (minor, rate) => {
      expect(toUsdMinor(minor, 'USD', rate)).toBe(minor);
      const value = toUsdMinor(minor, 'EUR', rate);
      expect(value * million >= minor * rate && (value - 1n) * million < minor * rate).toBe(true);
    }),
  );
});

describe('what was sent before', () => {
  test.each([
    ['fills the day exactly', 400_000n, 400_000n, null],
    ['passes the day by a cent', 400_001n, 400_001n, 'day_limit_reached'],
    ['fills the month exactly', 0n, 900_000n, null],
    ['passes the month by a cent', 0n, 900_001n, 'month_limit_reached'],
    ['passes both', 400_001n, 900_001n, 'day_limit_reached'],
  ])(
    'a transfer that %s, with what was sent before, is accepted up to the limit only',
    (_, dayUsdMinor, monthUsdMinor, broken) => {
      expect(limitBroken(usd(100_000n), eurUsd, limits, { dayUsdMinor, monthUsdMinor })).toBe(broken);
    },
  );

  test('transfers sent before and the one accepted now never add up to more than a limit', () => {
    const sent = fc.bigInt(0n, 1_200_000n);
    fc.assert(
      fc.property(fc.bigInt(1_000n, 300_000n), sent, sent, (minor, dayUsdMinor, monthUsdMinor) => {
        fc.pre(limitBroken(usd(minor), eurUsd, limits, { dayUsdMinor, monthUsdMinor }) === null);
        expect(dayUsdMinor + minor <= limits.dayUsdMinor && monthUsdMinor + minor <= limits.monthUsdMinor).toBe(true);
      }),
    );
  });
});
