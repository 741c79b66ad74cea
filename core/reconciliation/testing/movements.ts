import type { BookMovement, Knowledge, MovementKind, SourceMovement } from '../movement.ts';
import { expectedFee, parsePriceList } from '../price-list.ts';

/** What Stripe takes in these tests. */
export const prices = parsePriceList('290+30,150+25;1500');
/** A Tuesday; `known` is enough later for everything to be known. */
export const day = '2026-11-24';
const transferId = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6';
const at = new Date(`${day}T15:00:00Z`);
export const known: Knowledge = {
  now: new Date('2026-12-20T12:00:00Z'),
  stripeUntil: new Date('2026-12-20T12:00:00Z'),
  bankUntil: '2026-12-18',
  refundsUnderWay: new Set(),
  prices,
};

const sideOf = (kind: MovementKind) => (kind.startsWith('payout') || kind === 'bank_fee' ? 'bank' : 'stripe');
/** A movement of our books: of the transfer these tests are about, on that day, unless changed. Minor units, negative: money that leaves. */
export const book = (kind: MovementKind, amountMinor: bigint, changes: Partial<BookMovement> = {}): BookMovement => {
  const side = sideOf(kind);
  return {
    ...{ id: `book-${kind}`, side, kind, transferId, reference: `ref-${kind}`, amountMinor, at },
    currency: side === 'bank' ? 'BOB' : 'EUR',
    ...changes,
  };
};
/** The same as its source says it, with the fee of the price list. */
export const source = (
  kind: MovementKind,
  amountMinor: bigint,
  changes: Partial<SourceMovement> = {},
): SourceMovement => {
  const side = changes.side ?? sideOf(kind);
  const feeMinor = prices && side === 'stripe' ? expectedFee({ kind, amountMinor, feeMinor: 0n }, prices) : 0n;
  return {
    ...{ id: `source-${kind}`, side, kind, transferId, reference: `ref-${kind}`, amountMinor, feeMinor },
    ...{ currency: side === 'bank' ? 'BOB' : 'EUR', happenedOn: day, day: changes.happenedOn ?? day },
    instructedCurrency: null,
    ...changes,
  };
};
