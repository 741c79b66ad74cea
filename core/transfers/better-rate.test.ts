import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultFeeSchedule } from '../money/fee.ts';
import { convert, maxRate, type Rate } from '../rates/rate.ts';
import { betterTerms } from './better-rate.ts';
import { makeQuote } from './quote.ts';

const since = new Date('2026-11-20T15:00:00.000Z');
const rates = fc.bigInt(1n, maxRate) as fc.Arbitrary<Rate>;
const published = fc.record({
  rate: rates,
  since: fc.constant(since),
  paused: fc.boolean(),
  reference: fc.option(rates),
});
const accepted = fc
  .record({ amountMinor: fc.bigInt(1n, 300_000n), rate: rates, takesBetterRate: fc.boolean() })
  .map(({ takesBetterRate, ...one }) => ({
    takesBetterRate,
    ...makeQuote({ ...one, currency: 'EUR', referenceRate: null, fee: defaultFeeSchedule }),
  }));

test('a recipient never gets less than the accepted amount, and exactly the published rate’s amount if it is more', () => {
  fc.assert(
    fc.property(accepted, published, (transfer, now) => {
      const better = betterTerms(transfer, now);
      const exact = convert(transfer.netMinor, now.rate, 'down');
      const applies = transfer.takesBetterRate && !now.paused && exact > transfer.bolivianosMinor;
      expect(better?.bolivianosMinor ?? transfer.bolivianosMinor).toBe(applies ? exact : transfer.bolivianosMinor);
      if (!better) return;
      expect(better.rate).toBeGreaterThan(transfer.rate);
      expect(better).toMatchObject({
        ...{
          acceptedRate: transfer.rate,
          acceptedBolivianosMinor: transfer.bolivianosMinor,
          referenceRate: now.reference,
        },
      });
    }),
  );
});

test('a better rate is applied only once, whatever rate later requests carry', () => {
  fc.assert(
    fc.property(accepted, fc.array(published, { minLength: 1, maxLength: 5 }), (transfer, moments) => {
      let terms: Parameters<typeof betterTerms>[0] = { ...transfer, takesBetterRate: true };
      const applied = moments.map((now) => {
        const better = betterTerms(terms, now);
        terms = { ...terms, ...better };
        return better;
      });
      expect(applied.filter((better) => better !== null).length).toBeLessThanOrEqual(1);
    }),
  );
});

test.each([
  ['a rate that gives the recipient the same centavos', { rate: 13_380_001n as Rate }],
  ['a worse rate', { rate: 13_370_000n as Rate }],
  ['a better rate that is stale', { rate: 13_500_000n as Rate, paused: true }],
])('%s leaves what was accepted', (_, now) => {
  const quote = makeQuote({
    ...{
      amountMinor: 10_000n,
      currency: 'EUR',
      rate: 13_380_000n as Rate,
      referenceRate: null,
      fee: defaultFeeSchedule,
    },
  } as const);
  expect(
    betterTerms({ ...quote, takesBetterRate: true }, { since, paused: false, reference: null, ...now }),
  ).toBeNull();
});

test('100 EUR accepted at 13.38 are paid at 13.50, with the margin measured against the market of that moment', () => {
  const quote = makeQuote({
    ...{ amountMinor: 10_000n, currency: 'EUR', rate: 13_380_000n as Rate, referenceRate: 13_400_000n as Rate },
    fee: defaultFeeSchedule,
  } as const);
  const now = { rate: 13_500_000n as Rate, since, paused: false, reference: 13_600_000n as Rate };
  expect(betterTerms({ ...quote, takesBetterRate: true }, now)).toEqual({
    ...{ rate: 13_500_000n, bolivianosMinor: 130_275n, rateSince: since, referenceRate: 13_600_000n },
    ...{ markupBasisPoints: 73n, acceptedRate: 13_380_000n, acceptedBolivianosMinor: 129_117n },
  });
});
