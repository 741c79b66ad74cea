import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScraperView } from '#core/contracts/http/comparison';
import { defaultFeeSchedule } from '#core/money/fee';
import { formatMinor, parseMinor } from '#core/money/money';
import { formatRate, parseRate, type Rate } from '#core/rates/rate';
import { makeQuote } from '#core/transfers/quote';
import { safeStorage } from '../../lib/storage.ts';
import {
  competitorPrices,
  estimate,
  lastTerms,
  ownRateOf,
  rateInForce,
  rememberTerms,
  withOwnRate,
} from './estimate.ts';

const rate = (text: string) => parseRate(text) as Rate;
const hundred = { amount: '100', currency: 'USD' } as const;

/** A browser's storage. */
function storage(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries));
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
}

describe('the terms of an estimate', () => {
  it('the terms of an estimate are constants while no quote was ever seen: 2 % and 8.5 Bs per dollar, a euro as 1.1 dollars', () => {
    expect(lastTerms('USD', storage())).toEqual({ rate: rate('8.5'), feeBasisPoints: 200n, seenAt: null });
    expect(lastTerms('EUR', storage())).toEqual({ rate: rate('9.35'), feeBasisPoints: 200n, seenAt: null });
  });

  it('the terms of an estimate are those of the last quote seen in its currency', () => {
    const store = storage();
    const seenAt = '2026-11-21T12:00:00.000Z';
    rememberTerms({ currency: 'EUR', amount: '100.00', fee: '3.50', rate: '13.38' }, seenAt, store);
    expect(lastTerms('EUR', store)).toEqual({ rate: rate('13.38'), feeBasisPoints: 350n, seenAt });
    expect(lastTerms('USD', store).seenAt).toBeNull();
  });

  it('the terms of an estimate are not taken from amounts so small that rounding hides the fee', () => {
    const store = storage();
    rememberTerms({ currency: 'USD', amount: '1.00', fee: '0.04', rate: '11.55' }, '2026-11-21T12:00:00.000Z', store);
    expect(lastTerms('USD', store).seenAt).toBeNull();
  });

  it.each(['', 'null', '[]', '{', '{"rate":"0"}', '{"amount":"1.00","fee":"9.00","rate":"11","seenAt":"2026-11-21"}'])(
    'the terms of an estimate are the constants when the storage holds %j',
    (text) => {
      expect(lastTerms('USD', storage({ chasqui_last_quote_USD: text })).feeBasisPoints).toBe(200n);
    },
  );

  it('the terms of an estimate are the constants when the storage is blocked', () => {
    const blocked = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    expect(lastTerms('USD', safeStorage(blocked)).seenAt).toBeNull();
  });
});

describe('an estimate', () => {
  it('an estimate with the constants keeps 98 % and changes it at 8.5', () => {
    const terms = lastTerms('USD', storage());
    expect(estimate(hundred, terms)).toMatchObject({ fee: '2.00', netAmount: '98.00', bs: '833.00' });
  });

  it('an estimate for bolivianos that have to arrive is of the smallest amount that brings them', () => {
    const terms = lastTerms('USD', storage());
    const asked = { amount: '2000', currency: 'USD', side: 'receive' } as const;
    expect(estimate(asked, terms)).toMatchObject({ amount: '240.11', fee: '4.81', bs: '2000.05' });
  });

  it.each(['', '0', '0.00', 'abc'])('there is no estimate for the amount %j', (amount) => {
    expect(estimate({ amount, currency: 'USD' }, lastTerms('USD', storage()))).toBeNull();
  });

  it('an estimate equals the quote of the server as long as its terms are those last seen', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 99_999_999n), fc.bigInt(1_000_000n, 30_000_000n), (amountMinor, exact) => {
        const quote = makeQuote({
          amountMinor,
          currency: 'USD',
          rate: exact as Rate,
          referenceRate: null,
          fee: defaultFeeSchedule,
        });
        const store = storage();
        const seen = { currency: 'USD', amount: '100.00', fee: '3.50', rate: formatRate(quote.rate) } as const;
        rememberTerms(seen, '2026-11-21T12:00:00Z', store);
        const terms = lastTerms('USD', store);
        const figures = estimate({ amount: formatMinor(amountMinor), currency: 'USD' }, terms);
        expect(figures).toEqual({
          currency: 'USD',
          amount: formatMinor(quote.amountMinor),
          fee: formatMinor(quote.feeMinor),
          netAmount: formatMinor(quote.netMinor),
          bs: formatMinor(quote.bolivianosMinor),
          rate: formatRate(quote.rate),
        });
      }),
    );
  });

  it('an estimate with the sender’s own rate keeps the server’s fee, and says nothing of the market', () => {
    const quote = {
      currency: 'USD',
      amount: '100.00',
      fee: '3.50',
      netAmount: '96.50',
      bs: '1114.57',
      rate: '11.55',
    } as const;
    const own = withOwnRate({ ...quote, markupPercent: '1.03' }, rate('12'));
    expect(own).toEqual({ ...quote, rate: '12.00', bs: '1158.00', markupPercent: null });
  });
});

describe('the rate', () => {
  const known = { rate: '11.55', lastUpdated: '2026-11-21T12:00:00.000Z' };
  it('the rate in force is the newest that the server named', () => {
    expect(rateInForce(undefined, null)).toBeNull();
    expect(rateInForce(known, null)).toBe('11.55');
    expect(rateInForce(undefined, { rate: '11.60', rateUpdatedAt: '2026-11-21T12:00:00.000Z' })).toBe('11.60');
    expect(rateInForce(known, { rate: '11.60', rateUpdatedAt: '2026-11-21T12:00:01.000Z' })).toBe('11.60');
    expect(rateInForce(known, { rate: '11.50', rateUpdatedAt: '2026-11-21T11:59:59.000Z' })).toBe('11.55');
  });

  it.each([
    [null, '11.55', null],
    ['11.55', '11.55', null],
    ['11.550', '11.55', null],
    ['12', '11.55', '12.00'],
    ['12.', '11.55', '12.00'],
    ['', '11.55', 'empty'],
    ['0', '11.55', 'empty'],
    ['12', null, '12.00'],
  ])('a rate typed as %j beside %j in force is %j', (typed, inForce, expected) => {
    const own = ownRateOf(typed, inForce);
    expect(typeof own === 'bigint' ? formatRate(own) : own).toBe(expected);
  });
});

describe("the others' prices", () => {
  const price = { name: 'Western Union', rate: '11.15', fee: '4.90', freshness: 'live', collectedAt: null } as const;
  const view: ScraperView = {
    timestamp: '2026-11-21T12:00:00.000Z',
    amount: '100.00',
    currency: 'USD',
    results: { westernUnion: price, moneyGram: { ...price, name: 'MoneyGram', freshness: 'reference' }, ria: price },
  };

  it('competitor prices are what arrives for the same total paid, of the two services compared with', () => {
    expect(competitorPrices(hundred, view)).toEqual([
      { ...price, id: 'westernUnion', received: '1060.36' },
      { ...price, id: 'moneyGram', name: 'MoneyGram', freshness: 'reference', received: '1060.36' },
    ]);
  });

  it('competitor prices are unknown while the answer belongs to another question', () => {
    expect(competitorPrices({ ...hundred, amount: '101' }, view)).toBeNull();
    expect(competitorPrices({ ...hundred, currency: 'EUR' }, view)).toBeNull();
    expect(competitorPrices(hundred, undefined)).toBeNull();
    expect(competitorPrices({ ...hundred, amount: '' }, view)).toBeNull();
  });

  it.each([
    ['USD', ['7.80', '4.99'], ['7.70', '3.99']],
    ['EUR', ['7.10', '4.62'], ['7.00', '3.70']],
  ] as const)(
    'competitor prices without a connection are the specification’s, in %s, marked as such',
    (currency, ...expected) => {
      const prices = competitorPrices({ amount: '100', currency }, null);
      expect(prices?.map(({ rate, fee }) => [rate, fee])).toEqual(expected);
      expect(prices?.every(({ freshness }) => freshness === 'reference')).toBe(true);
    },
  );

  it('competitor prices never bring less than nothing', () => {
    const prices = competitorPrices({ amount: '1', currency: 'USD' }, { ...view, amount: '1.00' });
    expect(prices?.map(({ received }) => parseMinor(received))).toEqual([0n, 0n]);
  });
});
