import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultFeeSchedule, feeOn } from './fee.ts';

const amounts = fc.bigInt(0n, 99_999_999n);
const schedules = fc.record({ fixedMinor: fc.bigInt(0n, 100_000n), basisPoints: fc.bigInt(0n, 10_000n) });

describe('the fee', () => {
  test.each([
    [10_000n, 350n],
    [1_000n, 35n],
    [1_001n, 36n],
    [1n, 1n],
    [0n, 0n],
    [300_000n, 10_500n],
  ])('the default fee of %s is %s', (amount, fee) => {
    expect(feeOn(amount, defaultFeeSchedule)).toBe(fee);
  });

  test('a fee lies between nothing and the amount', () => {
    fc.assert(
      fc.property(amounts, schedules, (amount, schedule) => {
        const fee = feeOn(amount, schedule);
        expect(fee >= 0n && fee <= amount).toBe(true);
      }),
    );
  });

  test('a fee is the exact fee rounded up by less than one minor unit, unless the amount is smaller', () => {
    fc.assert(
      fc.property(amounts, schedules, (amount, schedule) => {
        const fee = feeOn(amount, schedule);
        const exactTimesTenThousand = schedule.fixedMinor * 10_000n + amount * schedule.basisPoints;
        if (fee === amount) {
          expect(exactTimesTenThousand > (amount - 1n) * 10_000n).toBe(true);
        } else {
          expect(fee * 10_000n >= exactTimesTenThousand).toBe(true);
          expect((fee - 1n) * 10_000n < exactTimesTenThousand).toBe(true);
        }
      }),
    );
  });

  test('a fee grows with the amount, and what is left grows too', () => {
    fc.assert(
      fc.property(amounts, schedules, (amount, schedule) => {
        const [fee, next] = [feeOn(amount, schedule), feeOn(amount + 1n, schedule)];
        expect(next >= fee && amount + 1n - next >= amount - fee).toBe(true);
      }),
    );
  });
});
