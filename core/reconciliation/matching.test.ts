import { describe, expect, test } from 'vitest';
import { laPazDay } from '../time/time.ts';
import { type Cause, causeNames } from './cause.ts';
import { type SideTotals, unexplained } from './closing.ts';
import { nextWorkingDay, shiftDay, startOfDay } from './days.ts';
import { compareMovements } from './matching.ts';
import {
  type BookMovement,
  type Comparison,
  type Knowledge,
  type MovementKind,
  type SourceMovement,
} from './movement.ts';
import { expectedFee, parsePriceList } from './price-list.ts';

const prices = parsePriceList('290+30,150+25;1500');
/** A Tuesday, and enough later for everything to be known. */
const day = '2026-11-24';
const transferId = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6';
const at = new Date(`${day}T15:00:00Z`);
const known: Knowledge = {
  now: new Date('2026-12-20T12:00:00Z'),
  stripeUntil: new Date('2026-12-20T12:00:00Z'),
  bankUntil: '2026-12-18',
  refundsUnderWay: new Set(),
  prices,
};

const sideOf = (kind: MovementKind) => (kind.startsWith('payout') || kind === 'bank_fee' ? 'bank' : 'stripe');
const book = (kind: MovementKind, amountMinor: bigint, changes: Partial<BookMovement> = {}): BookMovement => {
  const side = sideOf(kind);
  return {
    ...{ id: `book-${kind}`, side, kind, transferId, reference: `ref-${kind}`, amountMinor, at },
    currency: side === 'bank' ? 'BOB' : 'EUR',
    ...changes,
  };
};
const source = (kind: MovementKind, amountMinor: bigint, changes: Partial<SourceMovement> = {}): SourceMovement => {
  const side = changes.side ?? sideOf(kind);
  const feeMinor = prices && side === 'stripe' ? expectedFee({ kind, amountMinor, feeMinor: 0n }, prices) : 0n;
  return {
    ...{ id: `source-${kind}`, side, kind, transferId, reference: `ref-${kind}`, amountMinor, feeMinor },
    ...{ currency: side === 'bank' ? 'BOB' : 'EUR', happenedOn: day, day: changes.happenedOn ?? day },
    ...changes,
  };
};

const charge = [book('charge', 10_000n), source('charge', 10_000n)] as const;
const refund = [book('refund', -10_000n), source('refund', -10_000n)] as const;
const dispute = [book('dispute', -10_000n), source('dispute', -10_000n)] as const;
const payout = [book('payout', -129_117n), source('payout', -129_117n)] as const;
const returned = [book('payout_return', 129_117n), source('payout_return', 129_117n)] as const;
const again = (one: SourceMovement): SourceMovement => ({ ...one, id: `${one.id}-again` });
const off = (one: SourceMovement, by: bigint): SourceMovement => ({ ...one, amountMinor: one.amountMinor + by });
const late = (one: SourceMovement, days: number): SourceMovement => ({
  ...one,
  happenedOn: shiftDay(day, days),
  day: shiftDay(day, days),
});
const extra = (side: 'stripe' | 'bank', kind: MovementKind, amountMinor: bigint) =>
  source(kind, amountMinor, { side, transferId: null });

/** What is planted for each cause: books, sources, and by how much the source then has more. */
const planted: Record<
  Exclude<Cause, 'bank_balance_gap'>,
  readonly [readonly BookMovement[], readonly SourceMovement[], bigint | readonly bigint[], Partial<Knowledge>?]
> = {
  charge_missing: [[charge[0]], [], -10_000n],
  charge_unbooked: [[], [charge[1]], 10_000n],
  charge_doubled: [[charge[0]], [charge[1], again(charge[1])], 10_000n],
  charge_amount_differs: [[charge[0]], [{ ...off(charge[1], -500n), feeMinor: 306n }], -500n],
  charge_day_differs: [[charge[0]], [late(charge[1], 2)], 0n],
  refund_missing: [[refund[0]], [], 10_000n],
  refund_unbooked: [[], [refund[1]], -10_000n],
  refund_doubled: [[refund[0]], [refund[1], again(refund[1])], -10_000n],
  refund_amount_differs: [[refund[0]], [off(refund[1], 700n)], 700n],
  refund_day_differs: [[refund[0]], [late(refund[1], -11)], 0n],
  refund_overdue: [[], [refund[1]], -10_000n, { refundsUnderWay: new Set(['ref-refund']) }],
  dispute_missing: [[dispute[0]], [], 10_000n],
  dispute_unbooked: [[], [dispute[1]], -10_000n],
  dispute_doubled: [[dispute[0]], [dispute[1], again(dispute[1])], -10_000n],
  dispute_amount_differs: [[dispute[0]], [off(dispute[1], -300n)], -300n],
  dispute_day_differs: [[dispute[0]], [late(dispute[1], 3)], 0n],
  stripe_currency_differs: [[charge[0]], [{ ...charge[1], currency: 'USD' }], [-10_000n, 10_000n]],
  stripe_rounding: [[charge[0]], [off(charge[1], -1n)], -1n],
  fee_changed: [[charge[0]], [{ ...charge[1], feeMinor: 360n }], 0n],
  stripe_unknown: [[], [extra('stripe', 'charge', 4_200n)], 4_200n],
  payout_missing: [[payout[0]], [], 129_117n],
  payout_unbooked: [[], [payout[1]], -129_117n],
  payout_doubled: [[payout[0]], [payout[1], again(payout[1])], -129_117n],
  payout_amount_differs: [[payout[0]], [off(payout[1], -1_000n)], -1_000n],
  payout_rounding: [[payout[0]], [off(payout[1], 1n)], 1n],
  payout_day_differs: [[payout[0]], [late(payout[1], 2)], 0n],
  payout_reference_differs: [[payout[0]], [{ ...payout[1], reference: 'BO2' }], 0n],
  return_missing: [[returned[0]], [], -129_117n],
  return_unbooked: [[], [returned[1]], 129_117n],
  return_doubled: [[returned[0]], [returned[1], again(returned[1])], 129_117n],
  return_amount_differs: [[returned[0]], [off(returned[1], -100n)], -100n],
  return_day_differs: [[returned[0]], [late(returned[1], -4)], 0n],
  bank_currency_differs: [[payout[0]], [{ ...payout[1], currency: 'USD' }], [129_117n, -129_117n]],
  bank_fee: [[], [extra('bank', 'bank_fee', -250n)], -250n],
  bank_debit_unknown: [[], [extra('bank', 'other', -800n)], -800n],
  bank_credit_unknown: [[], [extra('bank', 'other', 800n)], 800n],
};

describe('a planted difference', () => {
  test.each(Object.entries(planted))('%s is found with this cause and nothing besides', (cause, row) => {
    const [books, sources, difference, more] = row;
    const found = compareMovements(books, sources, { ...known, ...more }).differences;
    const expected = [difference].flat().map((one) => [cause, one]);
    expect(found.map((one) => [one.cause, one.differenceMinor])).toEqual(expected);
  });

  test('in another currency, days later, is a difference of either currency on its own day, so that both can be settled', () => {
    const late = { ...charge[1], currency: 'USD', happenedOn: shiftDay(day, 1), day: shiftDay(day, 1) };
    const { differences, timings } = compareMovements([charge[0]], [late], known);
    expect(differences.map((one) => [one.currency, one.day, one.expectedMinor, one.actualMinor])).toEqual([
      ['EUR', day, 10_000n, null],
      ['USD', shiftDay(day, 1), null, 10_000n],
    ]);
    expect(timings).toEqual([]);
  });

  test('has a row here for every cause; gaps between statements are found where they are read', () => {
    expect([...Object.keys(planted), 'bank_balance_gap'].sort()).toEqual([...causeNames].sort());
  });
});

describe('what stands on one side for the time being', () => {
  const explained = (comparison: Comparison) => ({
    whys: comparison.timings.map(({ why }) => why),
    causes: comparison.differences.map((one) => one.cause),
  });
  const midnight = new Date(`${shiftDay(day, 1)}T03:59:59Z`);
  const seconds = (later: number) => new Date(midnight.getTime() + later * 1000);

  test('a refund in flight over midnight is explained until its limit, and then an exception', () => {
    const underWay = { ...known, refundsUnderWay: new Set(['ref-refund']) };
    const asOf = (now: Date) => explained(compareMovements([], [refund[1]], { ...underWay, now }));
    expect(asOf(seconds(60))).toEqual({ whys: ['refund_under_way'], causes: [] });
    expect(asOf(startOfDay(shiftDay(day, 11)))).toEqual({ whys: ['refund_under_way'], causes: [] });
    expect(asOf(new Date(startOfDay(shiftDay(day, 11)).getTime() + 1))).toEqual({
      whys: [],
      causes: ['refund_overdue'],
    });
  });

  test('a refund that left Stripe before midnight and succeeded days later agrees, and counts on one side meanwhile', () => {
    const booked = { ...refund[0], at: new Date(`${shiftDay(day, 5)}T15:00:00Z`) };
    const { timings, differences } = compareMovements([booked], [refund[1]], known);
    expect(differences).toEqual([]);
    expect(timings).toEqual([
      expect.objectContaining({ why: 'over_midnight', differenceMinor: -10_000n, from: day, until: shiftDay(day, 5) }),
    ]);
  });

  test('a refund that never succeeded and came back needs nothing in the books', () => {
    const back = source('refund_return', 10_000n, { happenedOn: shiftDay(day, 5) });
    const { differences, timings } = compareMovements([], [refund[1], back], known);
    expect(differences).toEqual([]);
    expect(timings).toMatchObject([{ why: 'undone', differenceMinor: -10_000n, from: day, until: shiftDay(day, 5) }]);
  });

  test('a charge of the last second is awaited until Stripe is imported past it', () => {
    const booked = { ...charge[0], at: midnight };
    const until = (stripeUntil: Date) => explained(compareMovements([booked], [], { ...known, stripeUntil }));
    expect(until(seconds(899))).toEqual({ whys: ['not_imported'], causes: [] });
    expect(until(seconds(900))).toEqual({ whys: [], causes: ['charge_missing'] });
  });

  test('a charge that Stripe made before midnight may be booked within the hour after it', () => {
    const asOf = (now: Date) => explained(compareMovements([], [charge[1]], { ...known, now }));
    expect(asOf(seconds(3601))).toEqual({ whys: ['not_booked'], causes: [] });
    expect(asOf(seconds(3602))).toEqual({ whys: [], causes: ['charge_unbooked'] });
  });

  test('a payout before a holiday weekend is awaited until the statement of the next working day', () => {
    // Friday 24 December; Saturday is Christmas Day.
    const friday = '2027-12-24';
    const booked = { ...payout[0], at: new Date(`${friday}T22:00:00Z`) };
    expect(nextWorkingDay(friday)).toBe('2027-12-27');
    const until = (bankUntil: string) => explained(compareMovements([booked], [], { ...known, bankUntil }));
    expect(until('2027-12-26')).toEqual({ whys: ['not_imported'], causes: [] });
    expect(until('2027-12-27')).toEqual({ whys: [], causes: ['payout_missing'] });
    const onMonday = { ...payout[1], happenedOn: '2027-12-27', day: '2027-12-27' };
    expect(explained(compareMovements([booked], [onMonday], known))).toEqual({ whys: ['over_midnight'], causes: [] });
  });

  test('a dispute that was lost before the family was paid stands in the books as the refund it amounts to', () => {
    const books = [dispute[0], book('dispute_return', 10_000n), refund[0]];
    expect(compareMovements(books, [dispute[1]], known).differences).toEqual([]);
  });
});

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
    // Now and then the source is a day later or earlier, within what is near enough.
    const near =
      random(5) > 0 ? happenedOn : one.side === 'bank' ? nextWorkingDay(happenedOn) : shiftDay(happenedOn, -1);
    return source(kind, one.amountMinor, { id: `source ${id}`, transferId: of, reference, happenedOn: near });
  });
  return { books, sources };
}

/** How both sides of a source stand at the end of a day, and what the comparison explains of it. */
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

  test('differences add up to what the days have more or less, and do not depend on the order of what is compared', () => {
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

describe('the price list', () => {
  test('is read from its text, and a fee is compared with the nearest of its prices', () => {
    expect(prices).toEqual({
      charges: [
        { basisPoints: 290n, fixedMinor: 30n },
        { basisPoints: 150n, fixedMinor: 25n },
      ],
      disputeMinor: 1500n,
    });
    for (const wrong of ['', '290', '290+30', '2.9+30;0', '290+30;1500;', 'none'])
      expect(parsePriceList(wrong)).toBeNull();
    const fee = (amountMinor: bigint, feeMinor: bigint) =>
      prices && expectedFee({ kind: 'charge', amountMinor, feeMinor }, prices);
    expect([fee(10_000n, 320n), fee(10_000n, 176n), fee(10_050n, 321n)]).toEqual([320n, 175n, 321n]);
  });
});
