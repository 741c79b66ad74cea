import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sendCurrencies } from '../money/money.ts';
import { parseRate, type Rate } from '../rates/rate.ts';
import { hourMs, minuteMs } from '../time/time.ts';
import {
  limitBroken,
  limitsByTier,
  limitsLeft,
  limitsOfTier,
  limitWindowsMs,
  maximumMinor,
  maximumUsdMinor,
  minimumMinor,
  nextTier,
  toUsdMinor,
  windowBroken,
} from './limits.ts';

const million = 1_000_000n;
const eurUsdRates = fc.bigInt(500_000n, 2_000_000n).map((rate) => rate as Rate);
const eurUsd = parseRate('1.10') as Rate;
const tiered = {
  ...{ dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n },
  lower: {
    email: { paymentUsdMinor: 100_000n, dayUsdMinor: 100_000n, monthUsdMinor: 300_000n },
    identity: { paymentUsdMinor: 200_000n, dayUsdMinor: 600_000n, monthUsdMinor: 300_000n },
  },
};
const limits = limitsOfTier(tiered, 'document');
const nothingSent = { dayUsdMinor: 0n, monthUsdMinor: 0n };
/** Within a month or just outside; the edges of a day and of a month as often as all others. */
const minutesAgo = fc.oneof(fc.integer({ min: 0, max: 43_200 }), fc.constantFrom(1_439, 1_440, 1_441, 43_199, 43_200));
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

describe('tiers', () => {
  test('a lower tier never has more than a higher one, and without tier limits all are equal', () => {
    expect(limitsOfTier(tiered, 'identity')).toEqual({
      ...{ paymentUsdMinor: 200_000n, dayUsdMinor: 500_000n, monthUsdMinor: 300_000n },
    });
    expect(limitsOfTier({ ...tiered, lower: { ...tiered.lower, email: limits } }, 'email')).toEqual(
      limitsOfTier(tiered, 'identity'),
    );
    const { lower: _, ...same } = tiered;
    expect(limitsOfTier(same, 'email')).toEqual(limits);
  });

  test('a tier without limits inherits those of the next one', () => {
    const { email, identity } = tiered.lower;
    expect(limitsOfTier({ ...tiered, lower: { email } }, 'email')).toEqual(email);
    expect(limitsOfTier({ ...tiered, lower: { email } }, 'identity')).toEqual(limits);
    expect(limitsOfTier({ ...tiered, lower: { identity } }, 'email')).toEqual(limitsOfTier(tiered, 'identity'));
    expect(limitsOfTier({ ...tiered, lower: {} }, 'email')).toEqual(limits);
  });

  test.each([
    ['amount_too_large', 'email', 200_000n, 0n, { tier: 'identity', limitUsdMinor: 200_000n }],
    ['amount_too_large', 'email', 200_001n, 0n, { tier: 'document', limitUsdMinor: 300_000n }],
    ['amount_too_large', 'email', 150_000n, 200_000n, { tier: 'document', limitUsdMinor: 300_000n }],
    ['amount_too_large', 'email', 900_000n, 0n, { tier: 'document', limitUsdMinor: 300_000n }],
    ['month_limit_reached', 'email', 50_000n, 290_000n, { tier: 'document', limitUsdMinor: 1_000_000n }],
    ['day_limit_reached', 'identity', 100_000n, 450_000n, null],
    ['amount_too_large', 'document', 400_000n, 0n, null],
  ] as const)(
    'where %s keeps tier %s from %d cents after %d, the next step is the nearest that allows them, or as much as any',
    (broken, tier, usdMinor, month, next) => {
      const sent = { dayUsdMinor: 0n, monthUsdMinor: month };
      expect(nextTier(broken, limitsByTier(tiered), tier, { usdMinor, sent })).toEqual(next);
    },
  );

  test('an amount above what a tier allows for one payment is refused to it alone', () => {
    expect(limitBroken(usd(100_001n), eurUsd, limitsOfTier(tiered, 'email'), nothingSent)).toBe('amount_too_large');
    expect(limitBroken(usd(100_001n), eurUsd, limitsOfTier(tiered, 'identity'), nothingSent)).toBeNull();
  });
});

describe('earlier transfers', () => {
  test.each([
    ['fills the day exactly', 400_000n, 400_000n, null],
    ['passes the day by a cent', 400_001n, 400_001n, 'day_limit_reached'],
    ['fills the month exactly', 0n, 900_000n, null],
    ['passes the month by a cent', 0n, 900_001n, 'month_limit_reached'],
    ['passes both', 400_001n, 900_001n, 'day_limit_reached'],
  ])(
    'a transfer that %s is accepted only up to the limit, including earlier ones',
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

describe('the remaining limits', () => {
  const at = new Date('2026-11-22T12:00:00.000Z');
  const paid = (hoursAgo: number, usdMinor: bigint) => ({
    paidAt: new Date(at.getTime() - hoursAgo * hourMs),
    usdMinor,
  });
  const inHours = (hours: number) => new Date(at.getTime() + hours * hourMs);

  test.each([
    ['nothing was paid', [], 300_000n, 500_000n, at],
    [
      'the oldest of the day has to be a day old',
      [paid(20, 300_000n), paid(3, 100_000n)],
      200_000n,
      100_000n,
      inHours(4),
    ],
    ['all of the day have to be', [paid(20, 300_000n), paid(3, 100_000n)], 450_000n, 100_000n, inHours(21)],
    [
      'one of the month has to be 30 days old',
      [paid(700, 600_000n), paid(600, 300_000n)],
      300_000n,
      100_000n,
      inHours(20),
    ],
    ['the amount is above the limit of a day', [], 500_001n, 500_000n, null],
    ['more was paid than a lower limit allows now', [paid(1, 700_000n)], 1_000n, 0n, inHours(23)],
  ])('when %s, it says how much fits now and from when the amount does', (_, payments, amount, left, availableAt) => {
    expect(limitsLeft(amount, limits, payments, at)).toEqual({ leftUsdMinor: left, availableAt });
  });

  test('an amount fits at the stated moment and not a millisecond before, and the remaining amount fits now', () => {
    const payments = fc.array(fc.record({ minutes: minutesAgo, usdMinor: fc.bigInt(1_000n, 300_000n) }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.bigInt(1_000n, 300_000n), payments, (usdMinor, given) => {
        const history = given
          .map((one) => ({ paidAt: new Date(at.getTime() - one.minutes * minuteMs), usdMinor: one.usdMinor }))
          .sort((one, other) => one.paidAt.getTime() - other.paidAt.getTime());
        const sumSince = (now: Date, windowMs: number) =>
          history
            .filter(({ paidAt }) => paidAt.getTime() > now.getTime() - windowMs)
            .reduce((sum, one) => sum + one.usdMinor, 0n);
        const fits = (amount: bigint, now: Date) => {
          const [dayUsdMinor, monthUsdMinor] = [sumSince(now, limitWindowsMs.day), sumSince(now, limitWindowsMs.month)];
          return windowBroken(amount, limits, { dayUsdMinor, monthUsdMinor }) === null;
        };
        const { leftUsdMinor, availableAt } = limitsLeft(usdMinor, limits, history, at);
        expect(availableAt && fits(usdMinor, availableAt)).toBe(true);
        if (availableAt && availableAt > at) expect(fits(usdMinor, new Date(availableAt.getTime() - 1))).toBe(false);
        if (leftUsdMinor > 0n) expect(fits(leftUsdMinor, at)).toBe(true);
        expect(fits(leftUsdMinor + 1n, at)).toBe(false);
      }),
    );
  });
});
