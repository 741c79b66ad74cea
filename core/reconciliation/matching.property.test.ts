import { describe, expect, test } from 'vitest';
import { bolivianDays, nextBusinessDay } from '../time/business-days.ts';
import { laPazDay } from '../time/time.ts';
import { type SideTotals, unexplained } from './closing.ts';
import { shiftDay } from './days.ts';
import { compareMovements } from './matching.ts';
import type { BookMovement, Comparison, MovementKind, SourceMovement } from './movement.ts';
import { book, known, source } from './testing/movements.ts';

/** Numbers from 0 on below a limit, the same for a seed (mulberry32). */
function randomOf(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const shuffled = <One>(items: readonly One[], random: (limit: number) => number): One[] =>
  items
    .map((item) => ({ item, at: random(1e9) }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);

/** What happens to some transfers in our books, and the same as sources that tell the truth say it. */
function truth(random: (limit: number) => number): { books: BookMovement[]; sources: SourceMovement[] } {
  const books: BookMovement[] = [];
  for (let number = 0; number < 12; number += 1) {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const paid = BigInt(1_000 + random(290_000));
    const bolivianos = BigInt(10_000 + random(3_000_000));
    const way: readonly (readonly [MovementKind, bigint])[][] = [
      [
        ['charge', paid],
        ['payout', -bolivianos],
      ],
      [
        ['charge', paid],
        ['refund', -paid],
      ],
      [
        ['charge', paid],
        ['refund', -paid],
        ['refund_return', paid],
        ['refund', -paid],
      ],
      [
        ['charge', paid],
        ['payout', -bolivianos],
        ['payout_return', bolivianos],
        ['payout', -bolivianos],
      ],
      [
        ['charge', paid],
        ['payout', -bolivianos],
        ['dispute', -paid],
        ['dispute_return', paid],
      ],
      [
        ['charge', paid],
        ['refund', -300n],
        ['refund', -(paid - 300n)],
      ],
    ];
    const began = Date.parse('2026-11-02T04:00:00Z') + random(20 * 86_400) * 1000;
    for (const [step, [kind, amountMinor]] of (way[random(way.length)] ?? []).entries()) {
      const moment = new Date(began + step * 3_600_000 * (1 + random(30)));
      books.push(
        book(kind, amountMinor, {
          id: `${id} ${step}`,
          transferId: id,
          reference: `${id} ${kind} ${step}`,
          at: moment,
        }),
      );
    }
  }
  const sources = books.map((one) => {
    const happenedOn = laPazDay(one.at);
    const { id, reference, kind, transferId: of } = one;
    // Sometimes the source is a day later or earlier, within the tolerance.
    const near =
      random(5) > 0
        ? happenedOn
        : one.side === 'bank'
          ? nextBusinessDay(happenedOn, bolivianDays)
          : shiftDay(happenedOn, -1);
    return source(kind, one.amountMinor, { id: `source ${id}`, transferId: of, reference, happenedOn: near });
  });
  return { books, sources };
}

/** The balances of both sides at the end of a day, and the part explained by the comparison. */
function totalsOf(
  { books, sources }: ReturnType<typeof truth>,
  { timings, differences }: Comparison,
  until: string,
): SideTotals[] {
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
  return (['stripe', 'bank'] as const).map((side) => ({
    ...{ side, currency: side === 'bank' ? 'BOB' : 'EUR', explainedMinor: 0n },
    sourceMinor: sum(sources.flatMap((one) => (one.side === side && one.day <= until ? [one.amountMinor] : []))),
    booksMinor: sum(books.flatMap((one) => (one.side === side && laPazDay(one.at) <= until ? [one.amountMinor] : []))),
    timingMinor: sum(
      timings.flatMap((one) =>
        one.side === side && one.from <= until && (one.until === null || until < one.until)
          ? [one.differenceMinor]
          : [],
      ),
    ),
    openMinor: sum(differences.flatMap((one) => (one.side === side && one.day <= until ? [one.differenceMinor] : []))),
  }));
}

describe('whatever happens', () => {
  const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

  test('without a planted difference there is no exception, and every day is explained to the last minor unit', () => {
    for (const seed of seeds) {
      const happened = truth(randomOf(seed));
      const comparison = compareMovements(happened.books, happened.sources, known);
      expect([seed, comparison.differences]).toEqual([seed, []]);
      expect(comparison.matched).toBe(happened.books.length);
      for (let until = '2026-11-01'; until < '2026-12-05'; until = shiftDay(until, 1)) {
        expect([seed, until, totalsOf(happened, comparison, until).map(unexplained)]).toEqual([seed, until, [0n, 0n]]);
      }
    }
  });

  test('differences add up to the difference of the daily totals, independently of the input order', () => {
    for (const seed of seeds) {
      const random = randomOf(seed);
      const happened = truth(random);
      const { sources } = happened;
      const broken = sources.flatMap((one) => {
        const what = random(12);
        if (what === 0) return [];
        if (what === 1) return [one, { ...one, id: `${one.id} again` }];
        return what === 2 ? [{ ...one, amountMinor: one.amountMinor - BigInt(1 + random(500)) }] : [one];
      });
      const withFees = broken.map((one) => ({ ...one, feeMinor: 0n }));
      const first = compareMovements(happened.books, withFees, { ...known, prices: null });
      for (let until = '2026-11-01'; until < '2026-12-05'; until = shiftDay(until, 1)) {
        const totals = totalsOf({ books: happened.books, sources: withFees }, first, until);
        expect([seed, until, totals.map(unexplained)]).toEqual([seed, until, [0n, 0n]]);
      }
      const second = compareMovements(shuffled(happened.books, random), shuffled(withFees, random), {
        ...known,
        prices: null,
      });
      expect(second).toEqual(first);
    }
  });
});
