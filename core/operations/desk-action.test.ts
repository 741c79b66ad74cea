import { describe, expect, test } from 'vitest';
import { type HoldFacts, type HoldReason, holdsOf, isHeldBy } from '../holds/holds.ts';
import { finalStates, type TransferState, transferStateNames } from '../transfers/states.ts';
import {
  caseOfHold,
  type DeskFacts,
  deskActions,
  isPossible,
  moneyMoved,
  needsTwoPersons,
  type OperationFacts,
  operationToRetry,
  owedMinor,
  possibleActions,
} from './desk-action.ts';
import { caseReasonNames } from './desk-case.ts';
import {
  isCertainlyUndone,
  type OperationKind,
  type OperationStatus,
  operationKindNames,
  operationStatusNames,
} from './operation.ts';

/** An operation that was attempted once, unless overridden. */
const operation = (
  kind: OperationKind,
  status: OperationStatus,
  facts: Partial<OperationFacts> = {},
): OperationFacts => ({
  ...{
    id: `${kind} ${status}`,
    kind,
    status,
    attempts: 1,
    lastError: 'no answer',
    amountMinor: 10_000n,
    waiting: false,
  },
  ...{ complaintId: null, returnedMinor: 0n, restRequestId: null, restMinor: null },
  sent: (facts.attempts ?? 1) > 0 || facts.lastError !== null,
  ours: true,
  ...facts,
});

const nothingHeld: HoldFacts = {
  ...{ disputes: [], fraudWarning: null, outsideRefunds: [], ownRefunds: [], capturedInPart: false },
  ...{ senderBlocked: null, requests: [], unknownPayouts: [], namesNotCleared: null, stops: [], releases: [] },
  recipientChanged: null,
};
const disputed: HoldFacts = {
  ...nothingHeld,
  disputes: [{ id: 'du_1', status: 'needs_response', amountMinor: 10_000n, booking: 'withdrawn', refundable: false }],
};

const facts = (changes: Partial<DeskFacts>): DeskFacts => ({
  ...{
    reason: 'contradiction',
    operationId: null,
    state: 'captured',
    hasRecipient: true,
    holds: nothingHeld,
    cancelRequested: false,
    amountMinor: 10_000n,
    bolivianosMinor: 129_117n,
  },
  ...{ netMinor: 9_650n, keptMinor: 0n },
  ...{ kind: null, complaintId: null, restRequestId: null, operations: [] },
  ...changes,
});

/** The payouts of a transfer, and whether it is certain that the family was not paid. */
const payouts: readonly (readonly [string, OperationFacts[], boolean])[] = [
  ['none', [], true],
  ['refused', [operation('payout', 'failed')], true],
  ['never attempted', [operation('payout', 'pending', { attempts: 0, lastError: null })], true],
  ['given up before it was attempted', [operation('payout', 'abandoned', { attempts: 0, lastError: null })], true],
  ['pending after an attempt', [operation('payout', 'pending')], false],
  ['pending, and requested again', [operation('payout', 'pending', { attempts: 0 })], false],
  ['in flight', [operation('payout', 'in_flight')], false],
  ['unknown', [operation('payout', 'unknown')], false],
  ['unknown, and requested again', [operation('payout', 'unknown', { attempts: 0 })], false],
  ['abandoned without an answer', [operation('payout', 'abandoned')], false],
  ['paid', [operation('payout', 'succeeded')], false],
  ['refused after an unknown one', [operation('payout', 'abandoned'), operation('payout', 'failed')], false],
];

describe('an action that takes a payout back or replaces it', () => {
  test.each(payouts)(
    'a payout that is %s is taken back or replaced only when it is certain that it was not paid',
    (_, operations, certain) => {
      for (const state of transferStateNames) {
        const possible = certain && (state === 'captured' || state === 'payout_failed');
        expect([state, isPossible('give_up_and_refund', facts({ state, operations }))]).toEqual([state, possible]);
        expect([state, isPossible('pay_by_hand', facts({ state, operations }))]).toEqual([state, possible]);
      }
    },
  );

  test('a payout by hand needs a recipient and no cancellation', () => {
    expect(isPossible('pay_by_hand', facts({ hasRecipient: false }))).toBe(false);
    expect(isPossible('pay_by_hand', facts({ cancelRequested: true }))).toBe(false);
    expect(isPossible('give_up_and_refund', facts({ hasRecipient: false, cancelRequested: true }))).toBe(true);
  });
});

describe('an approved transfer whose capture', () => {
  test.each(operationStatusNames)(
    'stripe 7: is %s can be given up only once it is certain that it charged nothing',
    (status) => {
      const about = { reason: 'operation_refused', kind: 'capture', state: 'approved' } as const;
      const actions = possibleActions(facts({ ...about, operations: [operation('capture', status)] }));
      expect(actions.includes('give_up_and_refund')).toBe(status === 'failed');
      expect(moneyMoved('give_up_and_refund', facts(about))).toBeNull();
    },
  );
});

describe.each(['payout_not_allowed', 'payout_unexplained'] as const)('a case %s', (reason) => {
  test('D2: offers a new order, the money back and a payment by hand, and is not simply closed', () => {
    const rejected = facts({ reason, kind: 'payout', operations: [operation('payout', 'failed')] });
    expect(possibleActions(rejected)).toEqual(['retry', 'give_up_and_refund', 'pay_by_hand']);
  });
});

describe('a refund at our loss', () => {
  const possible = (changes: Partial<DeskFacts>) =>
    isPossible('refund_at_loss', facts({ reason: 'fraud_warning', state: 'completed', ...changes }));

  test('a refund at our loss is possible only about a warning of fraud, once the family was paid', () => {
    for (const reason of caseReasonNames)
      expect([reason, possible({ reason })]).toEqual([reason, reason === 'fraud_warning']);
    for (const state of transferStateNames)
      expect([state, possible({ state })]).toEqual([state, state === 'completed']);
  });

  test.each(operationStatusNames)(
    'allows a refund at our expense next to a refund that is %s only once that refund failed',
    (status) => {
      const ended = status === 'failed' || status === 'abandoned';
      expect(possible({ operations: [operation('refund', status)] })).toBe(ended);
    },
  );

  test.each([
    ['for a report', { complaintId: 'complaint' }],
    ['of what the bank returned', { restRequestId: 'request' }],
  ])('a refund at our loss is not possible while another payout %s is open or unknown', (_, order) => {
    for (const status of operationStatusNames) {
      const second = operation('payout', status, { ...order, sent: true });
      const ended = status === 'succeeded' || status === 'failed';
      expect([status, possible({ operations: [operation('payout', 'succeeded'), second] })]).toEqual([status, ended]);
    }
  });

  test('refunds at our expense what was not yet returned, and nothing while the charge is disputed', () => {
    const operations = [operation('payout', 'succeeded'), operation('refund', 'succeeded', { amountMinor: 4_000n })];
    expect(possible({ operations })).toBe(true);
    expect(moneyMoved('refund_at_loss', facts({ state: 'completed', operations }))).toEqual({
      to: 'sender',
      amountMinor: 6_000n,
    });
    expect(possible({ operations, holds: disputed })).toBe(false);
  });
});

describe('a hold', () => {
  const warned: HoldFacts = { ...nothingHeld, fraudWarning: 'made_with_stolen_card' };
  const possible = (changes: Partial<DeskFacts>) =>
    possibleActions(facts({ reason: 'fraud_warning', holds: warned, ...changes }));

  test('of a charged transfer is released, or the money refunded', () => {
    const operations = [operation('payout', 'in_flight', { sent: false })];
    expect(possible({ state: 'captured', operations })).toEqual(['give_up_and_refund', 'release_hold']);
  });

  test('of an approved transfer is released, or its card is let go', () => {
    const operations = [operation('capture', 'in_flight', { sent: false })];
    expect(possible({ state: 'approved', operations })).toEqual(['give_up_and_refund', 'release_hold']);
    expect(possible({ state: 'approved', operations, holds: nothingHeld })).toEqual(['resolve']);
  });

  test('of an approved transfer whose capture was sent is only released until Stripe says what was charged', () => {
    const about = { state: 'approved', operations: [operation('capture', 'in_flight')] } as const;
    expect(possible(about)).toEqual(['release_hold']);
    expect(possible({ ...about, holds: { ...warned, capturedInPart: true } })).toContain('give_up_and_refund');
  });

  const toFamily = {
    approved: 'capture',
    captured: 'payout',
    payout_failed: 'payout',
    completed: 'second_payout',
  } as const;
  const heldBy = Object.entries({
    dispute_lost: {
      disputes: [{ id: 'du_1', status: 'lost', booking: 'refund', refundable: false, amountMinor: 100n }],
    },
    charged_back: { disputes: [{ id: 'du_1', status: 'lost', booking: 'lost', refundable: false, amountMinor: 100n }] },
    inquiry_open: {
      disputes: [
        { id: 'du_1', status: 'warning_needs_response', booking: 'none', refundable: true, amountMinor: 100n },
      ],
    },
    fraud_warning: { fraudWarning: 'misc' },
    refund_outside: { outsideRefunds: ['refund'] },
    refund_made: { ownRefunds: ['refund'] },
    sender_blocked: { senderBlocked: '2026-11-20T15:00:00.000Z' },
    recipient_changed: { recipientChanged: 'case' },
  } satisfies Partial<Record<HoldReason, Partial<HoldFacts>>>) as [HoldReason, Partial<HoldFacts>][];
  test('is released in a case of each kind', () => {
    expect(heldBy.map(([reason]) => reason).sort()).toEqual(Object.keys(caseOfHold).sort());
  });

  const combinations = heldBy.flatMap(([reason, held]) =>
    Object.entries(toFamily).map(([state, movement]) => [reason, movement, state as TransferState, held] as const),
  );

  test.each(combinations)(
    '%s that holds a %s while it is %s is released in its case, which stays open until then',
    (...row) => {
      const [reason, movement, state, held] = row;
      const second = operation('payout', 'in_flight', { complaintId: 'report', sent: false, amountMinor: 700n });
      const paid = operation('payout', 'succeeded', { amountMinor: facts({}).bolivianosMinor });
      const one = facts({
        ...{ reason: caseOfHold[reason] ?? 'contradiction', state, holds: { ...nothingHeld, ...held } },
        ...(state === 'completed' && { operations: [paid, second] }),
      });
      const isHeld = isHeldBy(reason, movement);
      expect(holdsOf(one.holds, movement).map((hold) => hold.reason)).toEqual(isHeld ? [reason] : []);
      expect(possibleActions(one).includes('release_hold')).toBe(isHeld);
      expect(isHeld && possibleActions(one).includes('resolve')).toBe(false);
    },
  );

  test('is not released from a case about something else, nor while no payment to the family is due', () => {
    expect(possible({ reason: 'dispute_lost' })).not.toContain('release_hold');
    const operations = [operation('payout', 'succeeded', { amountMinor: facts({}).bolivianosMinor })];
    expect(possible({ state: 'completed', operations })).not.toContain('release_hold');
    const second = operation('payout', 'in_flight', { complaintId: 'report', sent: false, amountMinor: 700n });
    const due = facts({
      ...{ reason: 'fraud_warning', holds: warned, state: 'completed' },
      operations: [...operations, second],
    });
    expect(possibleActions(due)).toEqual(['release_hold']);
    expect(moneyMoved('release_hold', due)).toEqual({ to: 'family', amountMinor: 700n });
  });

  test('that was released stays in force for refunds, so that no money goes both ways', () => {
    const booked = [{ id: 'du_1', status: 'lost', booking: 'lost', refundable: false, amountMinor: 100n }] as const;
    const releases = [{ reason: 'charged_back', subject: 'du_1' }] as const;
    const holds: HoldFacts = { ...nothingHeld, disputes: booked, releases } as never;
    expect(holdsOf(holds, 'second_payout')).toEqual([]);
    expect(holdsOf(holds, 'refund')).toHaveLength(1);
  });

  test('always needs two people', () => {
    expect(
      needsTwoPersons({ risksLoss: true, movesMoney: true, usdMinor: 1n, limitUsdMinor: 2n, movedBefore: false }),
    ).toBe(true);
  });
});

describe('a refund by hand', () => {
  const possible = (state: TransferState, ...operations: OperationFacts[]) =>
    isPossible('refund_by_hand', facts({ state, operations }));

  test('a refund by hand is possible only while the money goes back and a refund failed', () => {
    for (const state of transferStateNames) {
      expect([state, possible(state, operation('refund', 'failed'))]).toEqual([state, state === 'refunding']);
    }
    expect(possible('refunding')).toBe(false);
  });

  test.each(operationStatusNames)(
    'allows a manual refund after a failed one only once the other refund, %s, has ended for certain',
    (status) => {
      const other = operation('refund', status, { amountMinor: 4_000n });
      const expected = status === 'failed' || status === 'succeeded';
      expect(possible('refunding', operation('refund', 'failed'), other)).toBe(expected);
    },
  );

  test('a refund by hand is impossible once everything was returned, and owes the rest before', () => {
    const part = operation('refund', 'succeeded', { amountMinor: 4_000n });
    const rest = operation('refund', 'succeeded', { amountMinor: 6_000n });
    const failed = operation('refund', 'failed');
    expect(owedMinor({ amountMinor: 10_000n, operations: [failed, part] })).toBe(6_000n);
    expect(possible('refunding', failed, part, rest)).toBe(false);
  });
});

test('a disputed charge allows no manual payout or refund', () => {
  for (const state of transferStateNames) {
    const held = facts({
      state,
      holds: disputed,
      operations: [operation('payout', 'failed'), operation('refund', 'failed')],
    });
    for (const action of ['give_up_and_refund', 'refund_at_loss', 'pay_by_hand', 'refund_by_hand'] as const) {
      expect([state, action, isPossible(action, held)]).toEqual([state, action, false]);
    }
  }
});

describe('a retry', () => {
  const wanted: Readonly<Record<OperationKind, readonly TransferState[]>> = {
    authorization: [],
    capture: ['approved'],
    void: ['awaiting_payment', 'approved', 'rejected', 'cancelled', 'failed', 'expired'],
    refund: ['refunding', 'completed'],
    payout: ['captured'],
    dispute_response: ['captured', 'payout_failed', 'completed', 'refunding', 'refunded'],
  };
  test.each(operationKindNames.filter((kind) => kind !== 'authorization'))(
    'a retry of a %s is possible where it is wanted',
    (kind) => {
      for (const state of transferStateNames) {
        for (const status of operationStatusNames) {
          const retried = operationToRetry(facts({ state, kind, operations: [operation(kind, status)] }));
          const stopped = status === 'failed' || status === 'abandoned';
          expect([state, status, retried !== null]).toEqual([state, status, stopped && wanted[kind].includes(state)]);
        }
      }
    },
  );

  test('a retry brings an attempt that waits forward, but not one that is due already', () => {
    const of = (waiting: boolean) =>
      facts({ kind: 'payout', operations: [operation('payout', 'unknown', { waiting })] });
    expect(isPossible('retry', of(true))).toBe(true);
    expect(isPossible('retry', of(false))).toBe(false);
  });

  test('a retry attempts the newest operation, and none that the case is not about', () => {
    const operations = [operation('payout', 'failed'), operation('capture', 'failed'), operation('payout', 'failed')];
    expect(operationToRetry(facts({ kind: 'payout', operations }))).toBe(operations[2]);
    expect(operationToRetry(facts({ kind: null, operations }))).toBeNull();
    expect(operationToRetry(facts({ kind: 'void', operations }))).toBeNull();
  });

  test('a retry of a second payout is possible once it was given up, while its transfer is completed', () => {
    const second = (status: OperationStatus) => operation('payout', status, { complaintId: 'c', waiting: true });
    const about = { kind: 'payout', complaintId: 'c' } as const;
    for (const state of transferStateNames) {
      const retriedWhen = operationStatusNames.filter((status) => {
        const operations = [operation('payout', 'succeeded'), second(status)];
        return operationToRetry(facts({ ...about, state, operations }));
      });
      expect([state, retriedWhen]).toEqual([state, state === 'completed' ? ['unknown', 'abandoned'] : []]);
    }
    const operations = [operation('payout', 'succeeded'), second('abandoned')];
    // The bank is only queried: a hold blocks a new order, not an inquiry about its outcome.
    const held = { ...about, state: 'completed', holds: disputed } as const;
    expect(operationToRetry(facts({ ...held, operations }))).toBe(operations[1]);
    const unsent = [
      operations[0] as OperationFacts,
      operation('payout', 'abandoned', { complaintId: 'c', sent: false }),
    ];
    expect(operationToRetry(facts({ ...held, operations: unsent }))).toBeNull();
  });

  test('a retry of the first payout does not retry a second one that the bank refused', () => {
    const first = operation('payout', 'failed');
    const operations = [first, operation('payout', 'failed', { complaintId: 'c' })];
    expect(operationToRetry(facts({ kind: 'payout', operations }))).toBe(first);
  });

  test.each(operationStatusNames)(
    'N1: a retry of a failed payout is a new order, so it must wait while another one that was sent is %s',
    (status) => {
      const operations = [operation('payout', status), operation('payout', 'failed')];
      const isCertain = status === 'failed' || status === 'succeeded';
      expect(operationToRetry(facts({ kind: 'payout', operations }))).toBe(isCertain ? operations[1] : null);
      const unsent = [operation('payout', 'abandoned', { sent: false }), operation('payout', 'failed')];
      expect(operationToRetry(facts({ kind: 'payout', operations: unsent }))).toBe(unsent[1]);
    },
  );

  test('a retry of a refund is impossible where nothing is owed any more', () => {
    const operations = [operation('refund', 'succeeded'), operation('refund', 'failed')];
    expect(operationToRetry(facts({ state: 'refunding', kind: 'refund', operations }))).toBeNull();
  });
});

describe('closing a case', () => {
  const money = new Set([
    ...[
      'operation_abandoned',
      'operation_refused',
      'names_not_cleared',
      'payout_not_allowed',
      'payout_unexplained',
      'captured_in_part',
      'payout_rejected',
      'payout_returned',
      'refund_failed',
      'recipient_changed',
    ],
  ]);
  /** Ended by the card's bank, by a decision in the reconciliation, or by their own request. */
  const outside = new Set(['dispute_inquiry', 'dispute_opened', 'books_differ', 'settlement_by_hand']);
  test.each(caseReasonNames)('allows closing a case about %s when its transfer ended or no money is owed', (reason) => {
    for (const state of transferStateNames) {
      // Partial returns are covered by rest-actions.test.ts.
      const paid = reason === 'payout_returned_in_part' && state === 'completed';
      const whole = operation('payout', 'succeeded', { amountMinor: 129_117n });
      const underWay = facts({ reason, state, operations: [paid ? whole : operation('payout', 'pending')] });
      const possible = !outside.has(reason) && (finalStates.includes(state) || !money.has(reason));
      expect([state, isPossible('resolve', underWay)]).toEqual([state, possible]);
    }
  });

  test('closing a case is impossible while nothing moves its unfinished transfer on', () => {
    for (const state of ['approved', 'captured', 'payout_failed', 'refunding'] as const) {
      expect(isPossible('resolve', facts({ state, operations: [operation('payout', 'abandoned')] }))).toBe(false);
    }
  });

  const unanswered = [
    ['a second payout of a report', 'completed', { kind: 'payout', complaintId: 'c' }],
    ['a payment of the rest', 'completed', { kind: 'payout', restRequestId: 'r' }],
    ['a refund of the rest', 'completed', { kind: 'refund', restRequestId: 'r', restMinor: 100n }],
    ['a refund at our loss', 'completed', { kind: 'refund' }],
    ['a void', 'rejected', { kind: 'void' }],
  ] as const;
  test.each(unanswered)(
    'a case about %s cannot be closed while money may have moved and its provider can be queried',
    (_, state, about) => {
      for (const reason of ['operation_abandoned', 'contradiction', 'operation_slow'] as const) {
        for (const holds of [nothingHeld, disputed]) {
          const possible = (facts: Partial<OperationFacts>) => possibleActions(of({ ...about, ...facts }));
          const of = (changes: Partial<OperationFacts>) => {
            const { kind } = about;
            const { complaintId = null, restRequestId = null } = about as Partial<OperationFacts>;
            const one = operation(kind, 'abandoned', changes);
            return facts({ reason, state, holds, kind, complaintId, restRequestId, operations: [one] });
          };
          expect(possible({})).toEqual(['retry']);
          expect(possible({ sent: false })).toContain('resolve');
          expect(possible({ status: 'succeeded' })).toEqual(['resolve']);
        }
      }
    },
  );
});

test('another recipient is approved while it holds the payout, and the money may be refunded instead', () => {
  const about = {
    reason: 'recipient_changed',
    operations: [operation('payout', 'pending', { attempts: 0, lastError: null })],
  } as const;
  const held = facts({ ...about, holds: { ...nothingHeld, recipientChanged: 'case-1' } });
  expect(possibleActions(held)).toEqual(['give_up_and_refund', 'release_hold']);
  expect(possibleActions(facts(about))).not.toContain('release_hold');
});

test('a transfer that is settled by hand is free for its own request only', () => {
  const holds = { ...nothingHeld, requests: [{ id: 'r1', settles: true }] };
  const reserved = facts({ holds, operations: [operation('payout', 'failed')] });
  for (const action of deskActions) expect([action, isPossible(action, reserved)]).toEqual([action, false]);
  expect(isPossible('pay_by_hand', reserved, 'r1')).toBe(true);
});

test('the possible actions of a case are listed in the order of the table', () => {
  const waiting = facts({ reason: 'operation_refused', kind: 'payout', operations: [operation('payout', 'failed')] });
  expect(possibleActions(waiting)).toEqual(['retry', 'give_up_and_refund', 'pay_by_hand']);
  expect(possibleActions(facts({ state: 'completed' }))).toEqual(['resolve']);
});

test('a failed operation is undone for certain, an abandoned one only if it was never attempted', () => {
  expect(isCertainlyUndone(operation('payout', 'failed'))).toBe(true);
  expect(isCertainlyUndone(operation('payout', 'abandoned'))).toBe(false);
});

test('an action moves money unless it only closes the case or repeats what is still expected', () => {
  const of = (kind: OperationKind, status: OperationStatus, state: TransferState) =>
    deskActions.filter((action) => moneyMoved(action, facts({ state, kind, operations: [operation(kind, status)] })));
  const always = [
    ...['give_up_and_refund', 'refund_at_loss', 'pay_by_hand', 'refund_by_hand', 'pay_rest', 'refund_rest'],
    'release_hold',
  ];
  expect(of('payout', 'failed', 'captured')).toEqual(always);
  expect(of('payout', 'abandoned', 'captured')).toEqual(['retry', ...always]);
  expect(of('refund', 'abandoned', 'refunding')).toEqual(['retry', ...always]);
  // Withdrawing an approval voids the authorization and pays nothing.
  expect(of('capture', 'abandoned', 'approved')).toEqual(always.slice(1));
});

test('an action pays the family’s amount, the sender’s remaining refund, or the abandoned amount', () => {
  const took = operation('refund', 'succeeded', { amountMinor: 4_000n });
  const rest = operation('refund', 'abandoned', { amountMinor: 6_000n });
  const refunding = facts({ state: 'refunding', kind: 'refund', operations: [took, rest] });
  expect(moneyMoved('pay_by_hand', refunding)).toEqual({ to: 'family', amountMinor: 129_117n });
  for (const action of ['give_up_and_refund', 'refund_by_hand', 'retry'] as const) {
    expect(moneyMoved(action, refunding)).toEqual({ to: 'sender', amountMinor: 6_000n });
  }
  const payout = operation('payout', 'abandoned', { amountMinor: 129_117n });
  expect(moneyMoved('retry', facts({ kind: 'payout', operations: [payout] }))).toEqual({
    to: 'family',
    amountMinor: 129_117n,
  });
  expect(moneyMoved('resolve', refunding)).toBeNull();
});

test.each([
  [true, 49_999n, false, false],
  [true, 50_000n, false, true],
  [true, 1n, true, true],
  [false, 100_000n, true, false],
])(
  'an action that moves money (%s) of %i cents, done before (%s), needs two persons: %s',
  (moves, usdMinor, movedBefore, two) => {
    expect(needsTwoPersons({ movesMoney: moves, usdMinor, limitUsdMinor: 50_000n, movedBefore })).toBe(two);
  },
);
