import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { nextShare, owedToFamily, paidBy, shareOf } from './rest.ts';

/** 96.50 EUR at 13.38. */
const exchange = { netMinor: 9_650n, bolivianosMinor: 129_117n };

test.each([
  ['nothing', 0n, 0n],
  ['a centavo, rounded up to a cent', 1n, 1n],
  ['100.00 Bs', 10_000n, 748n],
  ['all of it: the exchanged amount, without the fee', 129_117n, 9_650n],
])('the share of %s', (_, part, share) => {
  expect(shareOf(exchange, part)).toBe(share);
});

test('a part counts after those that went back before', () => {
  expect(nextShare(exchange, 0n, 1n)).toBe(1n);
  // One cent covers the first 13 centavos.
  expect(nextShare(exchange, 1n, 12n)).toBe(0n);
  expect(nextShare(exchange, 13n, 1n)).toBe(1n);
});

describe('whatever was exchanged and in whatever parts it comes back', () => {
  const exchanges = fc
    .record({ netMinor: fc.bigInt(1n, 300_000n), rate: fc.bigInt(1_000_000n, 20_000_000n) })
    .map(({ netMinor, rate }) => ({ netMinor, bolivianosMinor: (netMinor * rate) / 1_000_000n }))
    .filter(({ bolivianosMinor }) => bolivianosMinor > 0n);
  const splits = exchanges.chain((one) =>
    fc.record({
      exchange: fc.constant(one),
      parts: fc.array(fc.bigInt(1n, one.bolivianosMinor), { minLength: 1, maxLength: 8 }).map((parts) => {
        let left = one.bolivianosMinor;
        return parts.flatMap((part) => {
          const taken = left - part < 0n ? left : part;
          left -= taken;
          return taken > 0n ? [taken] : [];
        });
      }),
    }),
  );

  it('shares are never negative, never more than the exchanged amount, and less than a minor unit above the exact share', () => {
    fc.assert(
      fc.property(splits, ({ exchange, parts }) => {
        const { netMinor, bolivianosMinor } = exchange;
        let settled = 0n;
        let returned = 0n;
        for (const part of parts) {
          const share = nextShare(exchange, settled, part);
          settled += part;
          returned += share;
          expect(share >= 0n).toBe(true);
          expect(returned <= netMinor).toBe(true);
          // returned - 1 < settled * net / bolivianos <= returned
          expect(returned * bolivianosMinor >= settled * netMinor).toBe(true);
          expect((returned - 1n) * bolivianosMinor < settled * netMinor).toBe(true);
        }
        expect(returned).toBe(shareOf(exchange, settled));
        if (settled === bolivianosMinor) expect(returned).toBe(netMinor);
      }),
    );
  });
});

describe('the balance and debt of the family', () => {
  const payout = (status: string, amountMinor: bigint, returnedMinor = 0n) => ({ status, amountMinor, returnedMinor });

  it('counts successful payouts minus their returned parts', () => {
    const payouts = [payout('succeeded', 1_000n, 300n), payout('failed', 200n, 200n), payout('unknown', 200n)];
    expect(paidBy(payouts)).toBe(700n);
    expect(owedToFamily({ bolivianosMinor: 1_000n }, { settledMinor: 0n, payouts })).toBe(300n);
    expect(owedToFamily({ bolivianosMinor: 1_000n }, { settledMinor: 100n, payouts })).toBe(200n);
  });

  it('is owed nothing once it has more than was promised', () => {
    const payouts = [payout('succeeded', 1_000n), payout('succeeded', 500n)];
    expect(owedToFamily({ bolivianosMinor: 1_000n }, { settledMinor: 0n, payouts })).toBe(0n);
  });
});
