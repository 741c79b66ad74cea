import { describe, expect, test } from 'vitest';
import { bolivianDays, nextBusinessDay } from '../time/business-days.ts';
import { type Cause, causeNames, causesOfNoTransfer } from './cause.ts';
import { shiftDay, startOfDay } from './days.ts';
import { compareMovements } from './matching.ts';
import type { BookMovement, Comparison, Knowledge, MovementKind, SourceMovement } from './movement.ts';
import { type UnbookedReturn, unbookedReturn } from './returns.ts';
import { type BalancedStatement, balanceGaps } from './statements.ts';
import { book, day, known, source } from './testing/movements.ts';

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

const statement = (number: number, openingMinor: bigint, closingMinor: bigint): BalancedStatement => ({
  ...{ account: 'BO1', number: `E${number}`, currency: 'BOB', day: shiftDay(day, number), openingMinor, closingMinor },
});

/** Planted entries for each cause: books, sources, and the resulting surplus of the source. */
const planted: Record<
  Cause,
  | readonly [readonly BookMovement[], readonly SourceMovement[], bigint | readonly bigint[], Partial<Knowledge>?]
  | { readonly statements: readonly BalancedStatement[] }
  | { readonly returned: UnbookedReturn }
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
  bank_currency_differs: [[payout[0]], [{ ...off(payout[1], -9_000n), instructedCurrency: 'USD' }], -9_000n],
  bank_fee: [[], [extra('bank', 'bank_fee', -250n)], -250n],
  bank_debit_unknown: [[], [extra('bank', 'other', -800n)], -800n],
  bank_credit_unknown: [[], [extra('bank', 'other', 800n)], 800n],
  return_unknown: { returned: { id: 'bret_1', externalId: 'foreign-1', amountMinor: 1_000n, day } },
  // The second begins where the first ended, the third does not; the first one was imported twice.
  bank_balance_gap: {
    statements: [statement(1, 0n, 500n), statement(1, 0n, 700n), statement(2, 700n, 300n), statement(3, 299n, 299n)],
  },
};

test('a second payout that our books know is not one too many, and a third one is', () => {
  const second = [
    book('payout', -30_000n, { id: 'book-2', reference: 'BO2' }),
    { ...off(payout[1], 99_117n), id: 'two', reference: 'BO2' },
  ] as const;
  const books = [payout[0], second[0]];
  const sources = [payout[1], second[1]];
  expect(compareMovements(books, sources, known)).toMatchObject({ matched: 2, differences: [], timings: [] });
  // The whole again: the same amount twice.
  const whole = [
    book('payout', -129_117n, { id: 'book-3', reference: 'BO3' }),
    { ...payout[1], id: 'three', reference: 'BO3' },
  ] as const;
  const twice = compareMovements([payout[0], whole[0]], [payout[1], whole[1]], known);
  expect(twice).toMatchObject({ matched: 2, differences: [] });
  const thrice = compareMovements([payout[0], whole[0]], [payout[1], whole[1], again(payout[1])], known);
  expect(thrice.differences).toMatchObject([{ cause: 'payout_doubled', differenceMinor: -129_117n }]);
});

/** Differences of what belongs to no transfer and is not a movement; null for a row that is one. */
function withoutMovements(row: (typeof planted)[Cause]) {
  if ('statements' in row) return balanceGaps(row.statements);
  return 'returned' in row ? [unbookedReturn(row.returned)] : null;
}

describe('a planted difference', () => {
  test.each(Object.entries(planted))('%s is found with this cause and nothing besides', (cause, row) => {
    const [books, sources, difference, more] = 'statements' in row || 'returned' in row ? [[], [], 0n] : row;
    const found = withoutMovements(row) ?? compareMovements(books, sources, { ...known, ...more }).differences;
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

  test('a gap between two bank statements reports the closing and the opening balance', () => {
    const other = { ...statement(2, 1n, 1n), account: 'another' };
    expect(balanceGaps([statement(1, 0n, 700n), other, statement(2, 699n, 0n)])).toMatchObject([
      { reference: 'E2', transferId: null, expectedMinor: 700n, actualMinor: 699n, day: shiftDay(day, 2) },
    ]);
  });

  test('of a cause about no transfer is of no transfer', () => {
    for (const cause of causeNames) {
      const row = planted[cause];
      const [books, sources] = 'statements' in row || 'returned' in row ? [[], []] : row;
      const found = withoutMovements(row) ?? compareMovements(books, sources, known).differences;
      const isOfNone = found.some((one) => one.cause === cause && one.transferId === null);
      expect([cause, isOfNone]).toEqual([cause, (causesOfNoTransfer as readonly Cause[]).includes(cause)]);
    }
  });
});

describe('timing differences', () => {
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

  test('a refund that left Stripe before midnight and succeeded days later matches, and is a timing difference in between', () => {
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
    expect(nextBusinessDay(friday, bolivianDays)).toBe('2027-12-27');
    const until = (bankUntil: string) => explained(compareMovements([booked], [], { ...known, bankUntil }));
    expect(until('2027-12-26')).toEqual({ whys: ['not_imported'], causes: [] });
    expect(until('2027-12-27')).toEqual({ whys: [], causes: ['payout_missing'] });
    const onMonday = { ...payout[1], happenedOn: '2027-12-27', day: '2027-12-27' };
    expect(explained(compareMovements([booked], [onMonday], known))).toEqual({ whys: ['over_midnight'], causes: [] });
  });

  test('books a dispute lost before the family was paid as a refund', () => {
    const books = [dispute[0], book('dispute_return', 10_000n), refund[0]];
    expect(compareMovements(books, [dispute[1]], known).differences).toEqual([]);
  });
});
