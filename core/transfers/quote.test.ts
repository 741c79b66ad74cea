import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultFeeSchedule } from '../money/fee.ts';
import { maxMinor, sendCurrencies } from '../money/money.ts';
import { maxRate, parseRate, type Rate } from '../rates/rate.ts';
import { amountDelivering, exchangeMargin, makeQuote } from './quote.ts';

const million = 1_000_000n;
const rates = fc.bigInt(1n, maxRate).map((rate) => rate as Rate);
const inputs = fc.record({
  amountMinor: fc.bigInt(1n, maxMinor),
  currency: fc.constantFrom(...sendCurrencies),
  rate: rates,
  referenceRate: fc.option(rates),
  fee: fc.record({ fixedMinor: fc.bigInt(0n, 100_000n), basisPoints: fc.bigInt(0n, 10_000n) }),
});

describe('a quote', () => {
  test('a quote loses nothing: fee + net = amount', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const quote = makeQuote(input);
        expect(quote.feeMinor + quote.netMinor).toBe(input.amountMinor);
        expect(quote.feeMinor >= 0n && quote.netMinor >= 0n).toBe(true);
      }),
    );
  });

  test('a quote promises bolivianos never above net x rate, and within one centavo of it', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { netMinor, rate, bolivianosMinor } = makeQuote(input);
        expect(bolivianosMinor * million <= netMinor * rate).toBe(true);
        expect((bolivianosMinor + 1n) * million > netMinor * rate).toBe(true);
      }),
    );
  });

  test('a quote keeps the requested amount', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { amountMinor, currency, rate } = makeQuote(input);
        expect({ amountMinor, currency, rate }).toEqual({
          amountMinor: input.amountMinor,
          currency: input.currency,
          rate: input.rate,
        });
      }),
    );
  });

  test('a quote is the better for the sender the better the rate', () => {
    fc.assert(
      fc.property(inputs, rates, (input, other) => {
        const [low, high] = input.rate < other ? [input.rate, other] : [other, input.rate];
        const received = (rate: Rate) => makeQuote({ ...input, rate }).bolivianosMinor;
        expect(received(low) <= received(high)).toBe(true);
      }),
    );
  });

  test('a quote of 100 EUR at 13.38 with the default fee: fee 3.50, family gets 1,291.17', () => {
    const quote = makeQuote({
      amountMinor: 10_000n,
      currency: 'EUR',
      rate: parseRate('13.38') as Rate,
      referenceRate: parseRate('13.50') as Rate,
      fee: defaultFeeSchedule,
    });
    expect(quote).toMatchObject({
      feeMinor: 350n,
      netMinor: 9_650n,
      bolivianosMinor: 129_117n,
      markupBasisPoints: 88n,
    });
  });

  test.each([
    ['11.60', '11.60', 0n],
    ['11.60', '11.50', -86n],
    ['11.50', '11.60', 86n],
    ['5.80', '11.60', 5_000n],
  ])('a quote with the rate %s against reference %s has a margin of %s basis points', (rate, reference, margin) => {
    const quote = makeQuote({
      amountMinor: 10_000n,
      currency: 'USD',
      rate: parseRate(rate) as Rate,
      referenceRate: parseRate(reference) as Rate,
      fee: defaultFeeSchedule,
    });
    expect(quote.markupBasisPoints).toBe(margin);
  });

  test('a quote has no margin without a reference', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        expect(makeQuote({ ...input, referenceRate: null }).markupBasisPoints).toBeNull();
      }),
      { numRuns: 10 },
    );
  });
});

test.each([
  // 144.9999 basis points: from them cut to 144 it would be 43.20.
  [300_000n, '9.8550', '10.0000', 4_350n],
  [9_650n, '11.60', '11.60', 0n],
  [9_650n, '11.74', '11.60', -116n],
])('the exchange margin of %s minor units at %s with the market at %s is %s, from the exact reference', (...sample) => {
  const [netMinor, rate, reference, margin] = sample;
  const rates = { rate: parseRate(rate) as Rate, referenceRate: parseRate(reference) as Rate };
  expect(exchangeMargin({ netMinor, ...rates })).toBe(margin);
});

describe('the amount for bolivianos that have to arrive', () => {
  test('it delivers them, and one cent less would not', () => {
    const schedules = fc.record({ fixedMinor: fc.bigInt(0n, 100_000n), basisPoints: fc.bigInt(0n, 9_999n) });
    fc.assert(
      fc.property(fc.bigInt(1n, maxMinor), rates, schedules, (wanted, rate, fee) => {
        const amountMinor = amountDelivering(wanted, { rate, fee });
        const delivered = (amount: bigint) =>
          makeQuote({ amountMinor: amount, currency: 'USD', rate, referenceRate: null, fee }).bolivianosMinor;
        expect(delivered(amountMinor) >= wanted).toBe(true);
        expect(delivered(amountMinor - 1n) < wanted).toBe(true);
      }),
    );
  });

  test('2,000 bolivianos at 11.34 and a fee of 3.5 % take 182.77 dollars', () => {
    const rate = parseRate('11.34') as Rate;
    expect(amountDelivering(200_000n, { rate, fee: defaultFeeSchedule })).toBe(18_277n);
  });

  test('a fee that takes everything delivers nothing', () => {
    const fee = { fixedMinor: 0n, basisPoints: 10_000n };
    expect(() => amountDelivering(1n, { rate: 1_000_000n as Rate, fee })).toThrow(RangeError);
  });
});
