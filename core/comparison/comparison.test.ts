import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultFeeSchedule, feeOn } from '../money/fee.ts';
import type { Rate } from '../rates/rate.ts';
import { competitors, priceSources } from '../rates/sources.ts';
import {
  choosePrices,
  compare,
  type KnownPrice,
  percentDifference,
  receivedFor,
  type ShownPrice,
} from './comparison.ts';

const now = new Date('2026-11-21T12:00:00Z');
const everyMs = 7_200_000;
const rates = fc.bigInt({ min: 1_000_000n, max: 100_000_000n }).map((rate) => rate as Rate);
const amounts = fc.bigInt({ min: 1n, max: 99_999_999n });
const fees = fc.bigInt({ min: 0n, max: 20_000n });
const shown: fc.Arbitrary<ShownPrice> = fc.record({
  competitor: fc.constantFrom(...competitors),
  rate: rates,
  feeMinor: fees,
  freshness: fc.constantFrom('live' as const, 'older' as const, 'reference' as const),
  collectedAt: fc.constant(now),
  source: fc.constant(null),
});
const cases = fc.record({
  totalMinor: amounts,
  ours: fc.record({ rate: rates, fee: fc.constant(defaultFeeSchedule), since: fc.constant(now) }),
  theirs: fc.uniqueArray(shown, { selector: ({ competitor }) => competitor }),
});

describe('ranking', () => {
  test('is by bolivianos received for the same total paid, exactly', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const { ours, theirs } = compare(input);
        const rows = [ours, ...theirs];
        for (const row of rows) {
          const sent = input.totalMinor > row.feeMinor ? input.totalMinor - row.feeMinor : 0n;
          expect(row.receivedMinor).toBe((sent * row.rate) / 1_000_000n);
          expect(row.rank).toBe(1 + rows.filter((other) => other.receivedMinor > row.receivedMinor).length);
        }
        expect(ours.feeMinor).toBe(feeOn(input.totalMinor, defaultFeeSchedule));
      }),
    );
  });

  test('gives nothing when the fee eats all', () => {
    expect(receivedFor(400n, 400n, 11_600_000n as Rate)).toBe(0n);
    expect(receivedFor(399n, 400n, 11_600_000n as Rate)).toBe(0n);
    expect(receivedFor(10_000n, 499n, 7_800_000n as Rate)).toBe(74_107n);
  });
});

describe('difference percent', () => {
  test.each([
    ['11.60', 11_600_000n, 11_600_000n, '0.0'],
    ['higher', 13_380_000n, 12_741_200n, '5.0'],
    ['lower', 11_500_000n, 11_620_000n, '-1.0'],
    ['a half upwards', 100_050_000n, 100_000_000n, '0.1'],
    ['a half downwards', 99_950_000n, 100_000_000n, '-0.1'],
    ['less than can be shown', 99_960_000n, 100_000_000n, '0.0'],
  ])('%s', (_name, ours, theirs, text) => expect(percentDifference(ours, theirs)).toBe(text));

  test('is never further than half a tenth from the exact value', () => {
    fc.assert(
      fc.property(rates, rates, (ours, theirs) => {
        const text = percentDifference(ours, theirs);
        expect(text).toMatch(/^-?\d+\.\d$/);
        const tenths = BigInt(text.replace('.', ''));
        const error = (ours - theirs) * 1000n - tenths * theirs;
        expect((error < 0n ? -error : error) * 2n <= theirs).toBe(true);
      }),
    );
  });
});

describe('the claim', () => {
  test('rests on live prices alone and is never more than the exact advantage', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const { ours, theirs, claimPercent } = compare(input);
        const live = theirs.filter(({ freshness }) => freshness === 'live');
        expect(compare({ ...input, theirs: input.theirs.filter((row) => row.freshness === 'live') }).claimPercent).toBe(
          claimPercent,
        );
        if (claimPercent === null) return;
        const tenths = BigInt(claimPercent.replace('.', ''));
        expect(tenths).toBeGreaterThan(0n);
        for (const { receivedMinor } of live) expect(receivedMinor <= ours.receivedMinor).toBe(true);
        expect(live.some((row) => (ours.receivedMinor - row.receivedMinor) * 1000n >= tenths * row.receivedMinor)).toBe(
          true,
        );
      }),
    );
  });

  test('is absent where somebody is better', () => {
    const price = { competitor: 'ria', feeMinor: 0n, freshness: 'live', collectedAt: now, source: 'ria' } as const;
    const claim = (...rates: bigint[]) =>
      compare({
        totalMinor: 10_000n,
        ours: { rate: 12_000_000n as Rate, fee: { fixedMinor: 0n, basisPoints: 0n }, since: now },
        theirs: rates.map((rate) => ({ ...price, rate: rate as Rate })),
      }).claimPercent;
    expect([claim(12_000_000n), claim(12_500_000n), claim(10_000_000n)]).toEqual([null, null, '20.0']);
    expect([claim(10_000_000n, 12_500_000n), claim(10_000_000n, 12_000_000n)]).toEqual([null, '20.0']);
  });
});

describe('the price a competitor is shown with', () => {
  const known = fc.record({
    source: fc.constantFrom(...priceSources),
    competitor: fc.constantFrom(...competitors),
    amountMinor: amounts,
    rate: rates,
    feeMinor: fees,
    observedAt: fc.integer({ min: 0, max: 8 * everyMs }).map((age) => new Date(now.getTime() - age)),
  });
  const question = { amountMinor: 10_000n, currency: 'EUR', now, everyMs } as const;
  const price = (changes: Partial<KnownPrice>): KnownPrice => ({
    source: 'ria',
    competitor: 'ria',
    amountMinor: 10_000n,
    rate: 12_000_000n as Rate,
    feeMinor: 0n,
    observedAt: now,
    ...changes,
  });
  const chosen = (...prices: KnownPrice[]) => choosePrices(prices, question).find((one) => one.competitor === 'ria');

  test('is live only within its interval and grace', () => {
    fc.assert(
      fc.property(fc.array(known, { maxLength: 12 }), (prices) => {
        for (const { freshness, collectedAt } of choosePrices(prices, question)) {
          if (freshness === 'reference') expect(collectedAt).toBeNull();
          else expect(now.getTime() - (collectedAt as Date).getTime() <= everyMs * 1.25).toBe(freshness === 'live');
        }
      }),
    );
  });

  test('is claimed with only within its limit, whatever else is known', () => {
    const ours = { rate: 20_000_000n as Rate, fee: defaultFeeSchedule, since: now };
    const claim = (prices: KnownPrice[]) =>
      compare({ totalMinor: question.amountMinor, ours, theirs: choosePrices(prices, question) }).claimPercent;
    const isFresh = ({ observedAt }: KnownPrice) => now.getTime() - observedAt.getTime() <= everyMs * 1.25;
    fc.assert(
      fc.property(fc.array(known, { maxLength: 12 }), (prices) => {
        expect(claim(prices)).toBe(claim(prices.filter(isFresh)));
        expect(claim(prices.filter((one) => !isFresh(one)))).toBeNull();
      }),
    );
  });

  test('is live before older, direct before compared, near before far, new before old', () => {
    const old = new Date(now.getTime() - 2 * everyMs);
    const before = new Date(now.getTime() - 1000);
    const compared = price({ source: 'wiseComparison', rate: 11_000_000n as Rate });
    expect(chosen(price({ observedAt: old }), compared)).toMatchObject({ source: 'wiseComparison', freshness: 'live' });
    expect(chosen(compared, price({}))).toMatchObject({ source: 'ria' });
    expect(chosen(price({ amountMinor: 50_000n }), price({ rate: 12_100_000n as Rate }))?.rate).toBe(12_100_000n);
    expect(chosen(price({ observedAt: before }), price({ rate: 12_200_000n as Rate }))?.rate).toBe(12_200_000n);
    expect(chosen(price({ observedAt: old }))).toMatchObject({ freshness: 'older', collectedAt: old });
  });

  test('is a reference value, or none, where nothing is known', () => {
    expect(choosePrices([], question)).toEqual([
      expect.objectContaining({ competitor: 'westernUnion', rate: 7_100_000n, feeMinor: 462n, freshness: 'reference' }),
      expect.objectContaining({ competitor: 'moneyGram', rate: 7_000_000n, feeMinor: 370n, freshness: 'reference' }),
    ]);
  });
});
