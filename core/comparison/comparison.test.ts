import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultFeeSchedule, feeOn } from '../money/fee.ts';
import type { Rate } from '../rates/rate.ts';
import { competitors, priceSources } from '../rates/sources.ts';
import { choosePrices, compare, type KnownPrice, receivedFor, type ShownPrice } from './comparison.ts';

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

describe('compare', () => {
  test('a comparison ranks by the exact bolivianos received for the same total paid', () => {
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

  test('receivedFor gives nothing when the fee is as large as the amount', () => {
    expect(receivedFor(400n, 400n, 11_600_000n as Rate)).toBe(0n);
    expect(receivedFor(399n, 400n, 11_600_000n as Rate)).toBe(0n);
    expect(receivedFor(10_000n, 499n, 7_800_000n as Rate)).toBe(74_107n);
  });
});

describe('claimPercent', () => {
  test('the claimed percentage rests on live prices alone and never exceeds the exact advantage', () => {
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

  test('the claimed percentage is null while any live price brings as much as ours or more', () => {
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

describe('choosePrices', () => {
  const known = fc.record({
    source: fc.constantFrom(...priceSources),
    competitor: fc.constantFrom(...competitors),
    amountMinor: amounts,
    rate: rates,
    feeMinor: fees,
    observedAt: fc.integer({ min: 0, max: 8 * everyMs }).map((age) => new Date(now.getTime() - age)),
  });
  const query = { amountMinor: 10_000n, currency: 'EUR', now, everyMs } as const;
  const price = (changes: Partial<KnownPrice>): KnownPrice => ({
    source: 'ria',
    competitor: 'ria',
    amountMinor: 10_000n,
    rate: 12_000_000n as Rate,
    feeMinor: 0n,
    observedAt: now,
    ...changes,
  });
  const chosen = (...prices: KnownPrice[]) => choosePrices(prices, query).find((one) => one.competitor === 'ria');

  test('a price is live only within the interval of collecting and a quarter more', () => {
    fc.assert(
      fc.property(fc.array(known, { maxLength: 12 }), (prices) => {
        for (const { freshness, collectedAt } of choosePrices(prices, query)) {
          if (freshness === 'reference') expect(collectedAt).toBeNull();
          else expect(now.getTime() - (collectedAt as Date).getTime() <= everyMs * 1.25).toBe(freshness === 'live');
        }
      }),
    );
  });

  test('only live prices support a claim, whatever else is known', () => {
    const ours = { rate: 20_000_000n as Rate, fee: defaultFeeSchedule, since: now };
    const claim = (prices: KnownPrice[]) =>
      compare({ totalMinor: query.amountMinor, ours, theirs: choosePrices(prices, query) }).claimPercent;
    const isFresh = ({ observedAt }: KnownPrice) => now.getTime() - observedAt.getTime() <= everyMs * 1.25;
    fc.assert(
      fc.property(fc.array(known, { maxLength: 12 }), (prices) => {
        expect(claim(prices)).toBe(claim(prices.filter(isFresh)));
        expect(claim(prices.filter((one) => !isFresh(one)))).toBeNull();
      }),
    );
  });

  test('the chosen price is live before older, direct before compared, of the nearest amount, then the newest', () => {
    const old = new Date(now.getTime() - 2 * everyMs);
    const before = new Date(now.getTime() - 1000);
    const compared = price({ source: 'wiseComparison', rate: 11_000_000n as Rate });
    expect(chosen(price({ observedAt: old }), compared)).toMatchObject({ source: 'wiseComparison', freshness: 'live' });
    expect(chosen(compared, price({}))).toMatchObject({ source: 'ria' });
    expect(chosen(price({ amountMinor: 50_000n }), price({ rate: 12_100_000n as Rate }))?.rate).toBe(12_100_000n);
    expect(chosen(price({ observedAt: before }), price({ rate: 12_200_000n as Rate }))?.rate).toBe(12_200_000n);
    expect(chosen(price({ observedAt: old }))).toMatchObject({ freshness: 'older', collectedAt: old });
  });

  test('a competitor without a known price is shown with a reference value or left out', () => {
    expect(choosePrices([], query)).toEqual([
      expect.objectContaining({ competitor: 'westernUnion', rate: 7_100_000n, feeMinor: 462n, freshness: 'reference' }),
      expect.objectContaining({ competitor: 'moneyGram', rate: 7_000_000n, feeMinor: 370n, freshness: 'reference' }),
    ]);
  });
});
