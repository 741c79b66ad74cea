import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hitGuardRails, type PastRate, proposeRate } from './guard-rails.ts';
import { maxRate, parseRate, type Rate } from './rate.ts';

const rateOf = (text: string) => parseRate(text) as Rate;
const alone = (text: string): PastRate => ({ rate: rateOf(text), agreedByTwo: false });
const agreed = (text: string): PastRate => ({ rate: rateOf(text), agreedByTwo: true });

/** At most 3 % within a day, as the configuration has it. */
const maxStepBasisPoints = 300n;
const hit = (rate: string, lastDay: PastRate[], reference: string | null) =>
  hitGuardRails({
    rate: rateOf(rate),
    lastDay,
    reference: reference === null ? null : rateOf(reference),
    maxStepBasisPoints,
  });

describe('guard-rails', () => {
  test('guard-rails allow a step of the largest size and none above it, up or down', () => {
    expect(hit('10.30', [alone('10.00')], '20')).toEqual([]);
    expect(hit('10.31', [alone('10.00')], '20')).toEqual(['step_too_large']);
    expect(hit('9.70', [alone('10.00')], '20')).toEqual([]);
    expect(hit('9.69', [alone('10.00')], '20')).toEqual(['step_too_large']);
  });

  test('guard-rails add the small steps of a day up', () => {
    expect(hit('10.40', [alone('10.00'), alone('10.20')], '20')).toEqual(['step_too_large']);
    expect(hit('10.20', [alone('10.00'), alone('10.20'), alone('9.90')], '20')).toEqual(['step_too_large']);
  });

  test('guard-rails compare with rates back to the newest that two persons agreed on', () => {
    expect(hit('12.30', [alone('10.00'), agreed('12.00')], '20')).toEqual([]);
    expect(hit('12.40', [alone('10.00'), agreed('12.00')], '20')).toEqual(['step_too_large']);
    expect(hit('12.40', [agreed('12.00'), alone('12.20')], '20')).toEqual(['step_too_large']);
    expect(hit('12.30', [agreed('10.00'), alone('11.00'), agreed('12.00'), alone('12.10')], '20')).toEqual([]);
  });

  test('guard-rails are hit by a rate above the market, not by an equal one, and by a missing market', () => {
    expect(hit('10.00', [alone('10.00')], '10')).toEqual([]);
    expect(hit('10.01', [alone('10.00')], '10')).toEqual(['above_reference']);
    expect(hit('10.00', [alone('10.00')], null)).toEqual(['stale_sources']);
  });

  test('guard-rails name every one that is hit', () => {
    expect(hit('11.00', [alone('10.00')], '10.50')).toEqual(['step_too_large', 'above_reference']);
    expect(hit('11.00', [alone('10.00')], null)).toEqual(['step_too_large', 'stale_sources']);
  });

  test('guard-rails know no step while no rate was in force', () => {
    expect(hit('10.00', [], '10.50')).toEqual([]);
  });
});

const anyRate = fc.bigInt(1n, maxRate).map((rate) => rate as Rate);
const basisPoints = fc.bigInt(1n, 5000n);
const past = fc.record({ rate: anyRate, agreedByTwo: fc.boolean() });

describe('guard-rails of any rates', () => {
  test('guard-rails accept only a rate within the step of all relevant rates, in exact fractions', () => {
    // Near each other, or nearly every one would be too far away.
    const near = fc.tuple(anyRate, fc.array(fc.bigInt(-400n, 400n), { minLength: 1, maxLength: 6 }), basisPoints);
    fc.assert(
      fc.property(near, fc.array(fc.boolean()), ([rate, offsets, max], agreement) => {
        const lastDay = offsets.map((offset, index) => ({
          rate: ((rate * (10_000n + offset)) / 10_000n || 1n) as Rate,
          agreedByTwo: agreement[index] ?? false,
        }));
        const counts: PastRate[] = [];
        for (const entry of lastDay.toReversed()) {
          counts.push(entry);
          if (entry.agreedByTwo) break;
        }
        const isWithin = ({ rate: old }: PastRate) =>
          rate * 10_000n <= old * (10_000n + max) && rate * 10_000n >= old * (10_000n - max);
        const rails = hitGuardRails({ rate, lastDay, reference: null, maxStepBasisPoints: max });
        expect(rails.includes('step_too_large')).toBe(!counts.every(isWithin));
      }),
    );
  });

  test('guard-rails find a rate either above the market, not above it, or the market unknown', () => {
    fc.assert(
      fc.property(anyRate, fc.array(past), fc.option(anyRate), basisPoints, (rate, lastDay, reference, max) => {
        const rails = hitGuardRails({ rate, lastDay, reference, maxStepBasisPoints: max });
        expect(rails.includes('stale_sources')).toBe(reference === null);
        expect(rails.includes('above_reference')).toBe(reference !== null && rate > reference);
        expect(new Set(rails).size).toBe(rails.length);
      }),
    );
  });

  test('guard-rails never let one person go further than a step from the start of the day, in whatever small steps', () => {
    const steps = fc.array(fc.bigInt(-600n, 600n), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.bigInt(1_000_000n, maxRate / 2n), steps, basisPoints, (start, changes, max) => {
        const lastDay: PastRate[] = [{ rate: start as Rate, agreedByTwo: false }];
        for (const step of changes) {
          const last = lastDay.at(-1)?.rate as Rate;
          const rate = ((last * (10_000n + step)) / 10_000n) as Rate;
          const rails = hitGuardRails({ rate, lastDay, reference: maxRate, maxStepBasisPoints: max });
          if (rails.length === 0) lastDay.push({ rate, agreedByTwo: false });
        }
        const end = lastDay.at(-1)?.rate as Rate;
        expect(end * 10_000n).toBeLessThanOrEqual(start * (10_000n + max));
        expect(end * 10_000n).toBeGreaterThanOrEqual(start * (10_000n - max));
      }),
    );
  });
});

describe('proposeRate', () => {
  test.each([
    ['11.60', 100n, '11.48'],
    ['11.60', 0n, '11.60'],
    ['11.609999', 0n, '11.60'],
    ['13.47', 250n, '13.13'],
  ])('the proposed rate of a reference of %s less %s basis points is %s', (reference, margin, proposal) => {
    expect(proposeRate(rateOf(reference), margin)).toBe(rateOf(proposal));
  });

  test('the proposed rate is null when nothing is left', () => {
    expect(proposeRate(9_999n as Rate, 0n)).toBeNull();
  });

  test('the proposed rate is the largest of two decimals that leaves us the margin', () => {
    fc.assert(
      fc.property(anyRate, fc.bigInt(0n, 2000n), (reference, margin) => {
        const proposal = proposeRate(reference, margin) ?? 0n;
        expect(proposal % 10_000n).toBe(0n);
        const most = reference * (10_000n - margin);
        expect(proposal * 10_000n).toBeLessThanOrEqual(most);
        expect((proposal + 10_000n) * 10_000n).toBeGreaterThan(most);
      }),
    );
  });
});
