import { describe, expect, it, test } from 'vitest';
import type { HoldFacts } from '../holds/holds.ts';
import {
  type DeskAction,
  type DeskFacts,
  isPossible,
  moneyMoved,
  needsTwoPersons,
  type OperationFacts,
  operationToRetry,
  possibleActions,
  restActions,
} from './desk-action.ts';
import type { OperationKind, OperationStatus } from './operation.ts';

const nothingHeld: HoldFacts = {
  ...{ disputes: [], fraudWarning: null, outsideRefunds: [], ownRefunds: [], capturedInPart: false },
  ...{
    senderBlocked: null,
    requests: [],
    unknownPayouts: [],
    namesNotCleared: null,
    recipientChanged: null,
    stops: [],
    releases: [],
  },
};

const operation = (
  kind: OperationKind,
  status: OperationStatus,
  facts: Partial<OperationFacts> = {},
): OperationFacts => ({
  id: `${kind} ${status}`,
  ...{ kind, status, attempts: 1, lastError: null, sent: status !== 'pending', amountMinor: 10_000n, waiting: false },
  ...{ complaintId: null, returnedMinor: 0n, restRequestId: null, restMinor: null, ours: true },
  ...facts,
});

/** The first payout, partly returned by the bank. */
const paid = (returnedMinor: bigint) => operation('payout', 'succeeded', { amountMinor: 129_117n, returnedMinor });
const ofRest = { restRequestId: 'r1' } as const;
const restRefund = (status: OperationStatus, facts: Partial<OperationFacts> = {}) =>
  operation('refund', status, { ...ofRest, amountMinor: 748n, restMinor: 10_000n, ...facts });

/** A completed transfer of 100 EUR for 1,291.17 Bs, of which the bank returned 100 Bs. */
const facts = (operations: readonly OperationFacts[], changes: Partial<DeskFacts> = {}): DeskFacts => ({
  ...{ reason: 'payout_returned_in_part', state: 'completed', hasRecipient: true, cancelRequested: false },
  ...{ holds: nothingHeld, amountMinor: 10_000n, netMinor: 9_650n, bolivianosMinor: 129_117n, keptMinor: 0n },
  ...{ kind: 'payout', operationId: null, complaintId: null, restRequestId: null, operations },
  ...changes,
});

const dispute = (changes: Partial<HoldFacts['disputes'][number]>): Partial<DeskFacts> => ({
  holds: {
    ...nothingHeld,
    disputes: [
      { id: 'du_1', status: 'lost', amountMinor: 10_000n, booking: 'lost', refundable: false, ...changes } as const,
    ],
  },
});
const unknown = (id: string): Partial<DeskFacts> => ({ holds: { ...nothingHeld, unknownPayouts: [id] } });

/** Operations in addition to the first payout, and the actions possible then. */
const table: readonly (readonly [string, DeskFacts, readonly DeskAction[]])[] = [
  ['nothing else', facts([paid(10_000n)]), ['pay_rest', 'refund_rest']],
  ['nothing is owed', facts([paid(0n)]), ['resolve']],
  [
    'a second payout that paid the debt',
    facts([paid(10_000n), operation('payout', 'succeeded', { complaintId: 'c1' })]),
    ['resolve'],
  ],
  ['a payment that waits', facts([paid(10_000n), operation('payout', 'pending', ofRest)]), ['refund_rest']],
  ['a payment under way', facts([paid(10_000n), operation('payout', 'in_flight', ofRest)]), []],
  ['a payment without an answer', facts([paid(10_000n), operation('payout', 'abandoned', ofRest)], unknown('o1')), []],
  ['a payment that the bank refused', facts([paid(10_000n), operation('payout', 'failed', ofRest)]), both()],
  ['a payment that was made', facts([paid(10_000n), operation('payout', 'succeeded', ofRest)]), ['resolve']],
  [
    'a payment that came back',
    facts([paid(10_000n), operation('payout', 'failed', { ...ofRest, returnedMinor: 10_000n })]),
    both(),
  ],
  ['a refund that waits', facts([paid(10_000n), restRefund('pending')]), []],
  ['a refund under way', facts([paid(10_000n), restRefund('in_flight')]), []],
  ['a refund without an answer', facts([paid(10_000n), restRefund('abandoned')]), []],
  ['a refund that was never sent', facts([paid(10_000n), restRefund('abandoned', { sent: false })]), both()],
  ['a refund that failed', facts([paid(10_000n), restRefund('failed')]), both()],
  ['a refund that succeeded', facts([paid(10_000n), restRefund('succeeded')]), ['resolve']],
  ['a refund, and then more came back', facts([paid(15_000n), restRefund('succeeded')]), both()],
  [
    'a correction of a report under way',
    facts([paid(10_000n), operation('payout', 'pending', { complaintId: 'c1' })]),
    [],
  ],
  ['another refund under way', facts([paid(10_000n), operation('refund', 'pending')]), []],
  ['an open dispute', facts([paid(10_000n)], dispute({ status: 'needs_response', booking: 'withdrawn' })), []],
  ['a lost dispute', facts([paid(10_000n)], dispute({})), ['keep_rest']],
  [
    'a payment that waits for a dispute that was lost',
    facts([paid(10_000n), operation('payout', 'pending', ofRest)], dispute({})),
    ['keep_rest', 'release_hold'],
  ],
  [
    'a lost dispute about less than the share',
    facts([paid(10_000n)], dispute({ amountMinor: 700n })),
    ['release_hold'],
  ],
  ['the whole charge refunded at our loss', facts([paid(10_000n), operation('refund', 'succeeded')]), ['keep_rest']],
  ['the rest kept', facts([paid(10_000n), operation('refund', 'succeeded')], { keptMinor: 10_000n }), ['resolve']],
  [
    'a share that an earlier part covers by its rounding',
    facts([paid(2n), restRefund('succeeded', { amountMinor: 1n, restMinor: 1n })]),
    ['pay_rest', 'keep_rest'],
  ],
  [
    'a name that is not cleared',
    facts([paid(10_000n)], { holds: { ...nothingHeld, namesNotCleared: 'payout pending' } }),
    both(),
  ],
  [
    'a blocked sender',
    facts([paid(10_000n)], { holds: { ...nothingHeld, senderBlocked: '2026-11-20T15:00:00.000Z' } }),
    ['refund_rest', 'release_hold'],
  ],
  ['nothing left with the family', facts([paid(129_117n), restRefund('succeeded')]), both()],
  ['nothing left with the family, and a lost dispute', facts([paid(129_117n)], dispute({})), ['refund_rest']],
  ['no recipient', facts([paid(10_000n)], { hasRecipient: false }), ['refund_rest']],
];

function both(): DeskAction[] {
  return ['pay_rest', 'refund_rest'];
}

describe('a part that the bank returned, with', () => {
  test.each(table)('%s', (_, one, actions) => {
    expect(possibleActions(one)).toEqual(actions);
  });

  it('has these actions in no other case and state', () => {
    for (const other of [{ reason: 'contradiction' }, { state: 'captured' }, { state: 'refunding' }] as const)
      for (const action of ['pay_rest', 'refund_rest', 'keep_rest'] as const)
        expect([other, action, isPossible(action, facts([paid(10_000n)], other))]).toEqual([other, action, false]);
  });
});

describe('what moves', () => {
  it('is the debt, or its share of the charge', () => {
    const one = facts([paid(10_000n)]);
    expect(moneyMoved('pay_rest', one)).toEqual({ to: 'family', amountMinor: 10_000n });
    expect(moneyMoved('refund_rest', one)).toEqual({ to: 'sender', amountMinor: 748n });
    expect(moneyMoved('keep_rest', one)).toBeNull();
  });

  it('is only what came back since an earlier part was refunded', () => {
    const one = facts([paid(15_000n), restRefund('succeeded')]);
    expect(moneyMoved('pay_rest', one)).toEqual({ to: 'family', amountMinor: 5_000n });
    // 11.22 for both, less 7.48.
    expect(moneyMoved('refund_rest', one)).toEqual({ to: 'sender', amountMinor: 374n });
  });

  it('never exceeds the rest of the charge', () => {
    const one = facts([paid(10_000n), operation('refund', 'succeeded', { amountMinor: 9_900n })]);
    expect(moneyMoved('refund_rest', one)).toEqual({ to: 'sender', amountMinor: 100n });
  });

  it('is all that is left of the charge, with the fee, where the family keeps nothing', () => {
    expect(moneyMoved('refund_rest', facts([paid(129_117n), restRefund('succeeded')]))).toEqual({
      to: 'sender',
      amountMinor: 9_252n,
    });
    expect(moneyMoved('refund_rest', facts([paid(129_117n)], dispute({})))).toBeNull();
  });
});

test('the rest needs one person below the limit, as it moves for the first time', () => {
  expect([...restActions]).toEqual(['pay_rest', 'refund_rest']);
  const money = { movesMoney: true, limitUsdMinor: 50_000n, movedBefore: false };
  expect(needsTwoPersons({ ...money, usdMinor: 49_999n })).toBe(false);
  expect(needsTwoPersons({ ...money, usdMinor: 50_000n })).toBe(true);
});

describe('a retry', () => {
  const about = { kind: 'payout', restRequestId: 'r1' } as const;

  it('retries the payment of the rest that was abandoned without an answer', () => {
    const last = operation('payout', 'abandoned', ofRest);
    const one = facts([paid(10_000n), last], { ...about, ...unknown(last.id) });
    expect(operationToRetry(one)).toBe(last);
    expect(moneyMoved('retry', one)).toEqual({ to: 'family', amountMinor: 10_000n });
  });

  it('repeats none that failed or was withdrawn before it was sent: the case decides again', () => {
    expect(operationToRetry(facts([paid(10_000n), operation('payout', 'failed', ofRest)], about))).toBeNull();
    const withdrawn = operation('payout', 'abandoned', { ...ofRest, sent: false });
    expect(operationToRetry(facts([paid(10_000n), withdrawn], about))).toBeNull();
    const refund = { kind: 'refund', restRequestId: 'r1' } as const;
    expect(operationToRetry(facts([paid(10_000n), restRefund('failed')], refund))).toBeNull();
  });

  it('asks about one without an answer while something holds it, and waits with one that was never sent', () => {
    const disputed = dispute({ status: 'needs_response', booking: 'withdrawn' });
    const last = operation('payout', 'abandoned', ofRest);
    const unsent = operation('payout', 'abandoned', { ...ofRest, sent: false });
    for (const holds of [unknown('another payout'), disputed]) {
      expect(operationToRetry(facts([paid(10_000n), last], { ...about, ...holds }))).toBe(last);
      expect(operationToRetry(facts([paid(10_000n), unsent], { ...about, ...holds }))).toBeNull();
    }
  });
});
