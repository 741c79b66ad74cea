import { bolivianDays, nextBusinessDay } from '../time/business-days.ts';
import { dayMs, laPazDay } from '../time/time.ts';
import { type Cause, type Explanation, isAboutMoney } from './cause.ts';
import { shiftDay } from './days.ts';
import {
  type BookMovement,
  type Comparison,
  type Difference,
  type Knowledge,
  limits,
  type Movement,
  type MovementKind,
  type SourceMovement,
  type Timing,
} from './movement.ts';
import { expectedFee, type PriceList } from './price-list.ts';

/** The names of kinds within causes. */
type Noun = 'charge' | 'refund' | 'dispute' | 'payout' | 'return';
const nouns: Readonly<Record<Exclude<MovementKind, 'bank_fee' | 'other'>, Noun>> = {
  charge: 'charge',
  refund: 'refund',
  refund_return: 'refund',
  dispute: 'dispute',
  dispute_return: 'dispute',
  payout: 'payout',
  payout_return: 'return',
};

/**
 * Interchangeable kinds: a dispute lost before the family is paid is a refund in our books, and so are their reversals.
 */
const families: Readonly<Record<MovementKind, string>> = {
  charge: 'charge',
  refund: 'to card',
  dispute: 'to card',
  refund_return: 'from card',
  dispute_return: 'from card',
  payout: 'payout',
  payout_return: 'payout_return',
  bank_fee: 'none',
  other: 'none',
};

/**
 * Compares the entries of our books with those of the sources, including source entries without a transfer. The input
 * must contain all movements of a transfer, in any order.
 */
export function compareMovements(
  books: readonly BookMovement[],
  sources: readonly SourceMovement[],
  known: Knowledge,
): Comparison {
  const ofBooks = Map.groupBy(books, keyOf);
  const ofSources = Map.groupBy(sources, keyOf);
  const keys = [...new Set([...ofBooks.keys(), ...ofSources.keys()])].sort();
  const parts = keys.map((key) => compareTransfer(ofBooks.get(key) ?? [], ofSources.get(key) ?? [], known));
  return {
    matched: parts.reduce((sum, { matched }) => sum + matched, 0),
    timings: parts.flatMap(({ timings }) => timings),
    differences: parts.flatMap(({ differences }) => differences),
  };
}

const keyOf = ({ side, transferId }: Movement) => `${side} ${transferId ?? ''}`;

/** A movement of each side that belong together. */
interface Pair {
  readonly book: BookMovement;
  readonly source: SourceMovement;
}

function compareTransfer(
  books: readonly BookMovement[],
  sources: readonly SourceMovement[],
  known: Knowledge,
): Comparison {
  const differences: Difference[] = [];
  const timings: Timing[] = [];
  const pairs: Pair[] = [];
  const left = { books: inOrder(books), sources: inOrder(sources) };
  const unknown = left.sources.filter(isUnknown);
  left.sources = left.sources.filter((one) => !isUnknown(one));
  differences.push(...unknown.map((source) => onSource(source, unknownCause(source))));
  // Match by number first, then by kind and amount, then by amount and a substitute kind.
  const sameAmount = ({ book, source }: Pair) =>
    book.amountMinor === source.amountMinor && book.currency === source.currency && sameFamily({ book, source });
  const sameKind = ({ book, source }: Pair) => book.kind === source.kind;
  const sameReference = ({ book, source }: Pair) => book.reference !== null && book.reference === source.reference;
  takePairs(left, pairs, (pair) => sameAmount(pair) && sameKind(pair) && sameReference(pair));
  takePairs(left, pairs, (pair) => sameAmount(pair) && sameKind(pair));
  takePairs(left, pairs, sameAmount);
  const agreeing = pairs.length;
  left.books = withoutUndone(left.books, timings);
  left.sources = withoutUndone(left.sources, timings);
  takePairs(left, pairs, (pair) => sameKind(pair) && sameReference(pair));
  takePairs(left, pairs, sameFamily);
  for (const [index, pair] of pairs.entries()) {
    const { book, source } = pair;
    if (book.currency !== source.currency) {
      // One difference per currency, since each has separate totals and settlement. Bank statements have a single
      // currency.
      const cause = 'stripe_currency_differs';
      differences.push(onBook(book, cause), onSource(source, cause));
      continue;
    }
    const isOfOtherCurrency = ![null, book.currency].includes(source.instructedCurrency);
    if (isOfOtherCurrency) differences.push(onPair(pair, 'bank_currency_differs'));
    if (index < agreeing) differences.push(...aboutAgreeing(pair));
    else if (!isOfOtherCurrency) differences.push(onPair(pair, amountCause(pair)));
    timings.push(...overMidnight(pair));
  }
  for (const book of left.books) {
    if (isAwaited(book, known)) timings.push(alone(book, 'not_imported'));
    else differences.push(onBook(book, `${nounOf(book)}_missing`));
  }
  for (const source of left.sources) {
    const explained = explanationOf(source, known);
    if (explained) timings.push(alone(source, explained));
    else differences.push(onSource(source, aloneCause(source, pairs, known)));
  }
  differences.push(...sources.flatMap((source) => feeDifferences(source, known.prices)));
  return { matched: agreeing, timings, differences };
}

const dayOf = (one: BookMovement | SourceMovement) => ('at' in one ? laPazDay(one.at) : one.day);

/** By day, kind, amount and id: whatever order they came in. */
function inOrder<One extends BookMovement | SourceMovement>(movements: readonly One[]): One[] {
  const key = (one: One) => `${dayOf(one)} ${one.kind} ${one.amountMinor} ${one.id}`;
  return movements.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

const isUnknown = ({ kind, transferId }: SourceMovement) =>
  transferId === null || kind === 'bank_fee' || kind === 'other';

function unknownCause({ side, kind, amountMinor }: SourceMovement): Cause {
  if (side === 'stripe') return 'stripe_unknown';
  if (kind === 'bank_fee') return 'bank_fee';
  return amountMinor < 0n ? 'bank_debit_unknown' : 'bank_credit_unknown';
}

const sameFamily = ({ book, source }: Pair) => families[book.kind] === families[source.kind];

/** Moves matching entries from the unmatched ones to the pairs, each movement once. */
function takePairs(
  left: { books: BookMovement[]; sources: SourceMovement[] },
  pairs: Pair[],
  belong: (pair: Pair) => boolean,
): void {
  left.books = left.books.filter((book) => {
    const index = left.sources.findIndex((source) => belong({ book, source }));
    const [source] = index < 0 ? [] : left.sources.splice(index, 1);
    if (source) pairs.push({ book, source });
    return !source;
  });
}

/**
 * Leaves out entries that were reversed on the same side: a failed refund that came back, a dispute that became a
 * refund, or an unrequested charge that was refunded. If the reversal is on another day, it is a timing difference in
 * between.
 */
function withoutUndone<One extends BookMovement | SourceMovement>(movements: readonly One[], timings: Timing[]): One[] {
  const left = [...movements];
  const undoes = (one: One, other: One) =>
    one.amountMinor === -other.amountMinor &&
    one.currency === other.currency &&
    one.side === 'stripe' &&
    families[one.kind] === 'to card' &&
    (families[other.kind] === 'from card' || (other.kind === 'charge' && !('at' in other)));
  for (const one of movements) {
    const other = left.find((candidate) => left.includes(one) && undoes(one, candidate));
    if (!other) continue;
    left.splice(left.indexOf(one), 1);
    left.splice(left.indexOf(other), 1);
    const [first, second] = dayOf(one) <= dayOf(other) ? [one, other] : [other, one];
    if (dayOf(first) < dayOf(second)) timings.push({ ...alone(first, 'undone'), until: dayOf(second) });
  }
  return left;
}

/** The differences of a pair whose amounts agree. */
function aboutAgreeing(pair: Pair): Difference[] {
  const { book, source } = pair;
  const found: Difference[] = [];
  if (!isNearEnough(pair)) found.push(onPair(pair, `${nounOf(source)}_day_differs`));
  if (source.kind === 'payout' && book.reference && source.reference && book.reference !== source.reference) {
    found.push(onPair(pair, 'payout_reference_differs'));
  }
  return found;
}

/** Whether the days of both sides are as near as they have to be. */
function isNearEnough({ book, source }: Pair): boolean {
  const booked = laPazDay(book.at);
  const { happenedOn, side, kind } = source;
  if (side === 'bank') return happenedOn >= shiftDay(booked, -1) && happenedOn <= nextBusinessDay(booked, bolivianDays);
  // A refund leaves Stripe when it is made and is booked once it has succeeded.
  const daysLate = kind === 'refund' ? limits.refundMs / dayMs : 1;
  return happenedOn >= shiftDay(booked, -daysLate) && happenedOn <= shiftDay(booked, 1);
}

function amountCause({ book, source }: Pair): Cause {
  const { side, amountMinor } = source;
  const difference = amountMinor - book.amountMinor;
  if (difference === 1n || difference === -1n) return side === 'bank' ? 'payout_rounding' : 'stripe_rounding';
  return `${nounOf(source)}_amount_differs`;
}

function nounOf({ kind }: Movement): Noun {
  return nouns[kind as keyof typeof nouns];
}

/** Whether an entry that is only in our books may still appear in its source. */
function isAwaited({ side, at }: BookMovement, { stripeUntil, bankUntil }: Knowledge): boolean {
  if (side === 'stripe') return stripeUntil === null || stripeUntil.getTime() < at.getTime() + limits.stripeListsMs;
  return bankUntil === null || bankUntil < nextBusinessDay(laPazDay(at), bolivianDays);
}

/** Why an unmatched source entry may still be booked, or null. */
function explanationOf(source: SourceMovement, { now, refundsUnderWay }: Knowledge): Explanation | null {
  const endOfDay = Date.parse(`${shiftDay(source.happenedOn, 1)}T04:00:00Z`);
  if (source.kind === 'refund' && source.reference && refundsUnderWay.has(source.reference)) {
    return now.getTime() <= endOfDay + limits.refundMs ? 'refund_under_way' : null;
  }
  return now.getTime() <= endOfDay + limits.booksLearnMs ? 'not_booked' : null;
}

/** Cause of the exception for an unmatched source entry. */
function aloneCause(source: SourceMovement, pairs: readonly Pair[], { refundsUnderWay }: Knowledge): Cause {
  const noun = nounOf(source);
  if (source.kind === 'refund' && source.reference && refundsUnderWay.has(source.reference)) return 'refund_overdue';
  const again = pairs.some(
    (pair) => pair.source.kind === source.kind && pair.source.amountMinor === source.amountMinor,
  );
  return again ? `${noun}_doubled` : `${noun}_unbooked`;
}

function onBook(book: BookMovement, cause: Cause): Difference {
  return difference({ cause, book, day: dayOf(book) });
}

function onSource(source: SourceMovement, cause: Cause): Difference {
  return difference({ cause, source, day: source.day });
}

function onPair({ book, source }: Pair, cause: Cause): Difference {
  return difference({ cause, book, source, day: laterOf(dayOf(book), source.day) });
}

function difference(found: { cause: Cause; book?: BookMovement; source?: SourceMovement; day: string }): Difference {
  const { cause, book, source, day } = found;
  const one = (source ?? book) as Movement;
  const expectedMinor = book?.amountMinor ?? null;
  const actualMinor = source?.amountMinor ?? null;
  return {
    ...{ cause, side: one.side, transferId: one.transferId, day, expectedMinor, actualMinor },
    subject: [book && `book ${book.id}`, source && `source ${source.id}`].filter(Boolean).join(', '),
    reference: source?.reference ?? book?.reference ?? null,
    differenceMinor: isAboutMoney(cause) ? (actualMinor ?? 0n) - (expectedMinor ?? 0n) : 0n,
    currency: one.currency,
  };
}

/** Timing difference while the two entries of a pair fall on different days. */
function overMidnight({ book, source }: Pair): Timing[] {
  const booked = dayOf(book);
  if (booked === source.day) return [];
  const { side, currency } = source;
  const sourceFirst = source.day < booked;
  const differenceMinor = sourceFirst ? source.amountMinor : -book.amountMinor;
  const [from, until] = sourceFirst ? [source.day, booked] : [booked, source.day];
  return [{ side, currency, why: 'over_midnight', differenceMinor, from, until }];
}

function alone(one: BookMovement | SourceMovement, why: Explanation): Timing {
  const differenceMinor = 'at' in one ? -one.amountMinor : one.amountMinor;
  return { side: one.side, currency: one.currency, why, differenceMinor, from: dayOf(one), until: null };
}

const laterOf = (one: string, other: string) => (one > other ? one : other);

function feeDifferences(source: SourceMovement, prices: PriceList | null): Difference[] {
  if (!prices || source.side !== 'stripe' || isUnknown(source)) return [];
  const expected = expectedFee(source, prices);
  if (expected === source.feeMinor) return [];
  const { side, transferId, reference, currency, day } = source;
  return [
    {
      ...{ cause: 'fee_changed', side, transferId, subject: `fee ${source.id}`, reference, currency, day },
      ...{ expectedMinor: -expected, actualMinor: -source.feeMinor, differenceMinor: 0n },
    },
  ];
}
