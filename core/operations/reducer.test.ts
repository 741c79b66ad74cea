import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Move,
  type MoveName,
  type TransferState,
  transferMoves,
  transferStateNames,
} from '../transfers/states.ts';
import { type Outcome, outcomeOf, type ProviderFact, paymentFact, providerFactNames, refundFact } from './reducer.ts';

const columns = [
  ...['payment_open', 'payment_processing', 'payment_held', 'payment_canceled', 'payment_charged'],
  ...['payment_charged_in_part', 'refund_pending', 'refund_in_part', 'refund_succeeded', 'refund_failed'],
  ...['payout_paid', 'payout_account_rejected', 'payout_person_rejected', 'payout_own_rejected', 'payout_unexplained'],
  ...['payout_returned', 'payout_returned_in_part'],
] as const;

/** Said again here, a row per state in the order of the columns, so that a change of a cell is a decision. */
const matrix: Readonly<Record<TransferState, string>> = {
  awaiting_payment: `unchanged unchanged hold expire_quote hold
    hold unexpected unexpected unexpected unexpected
    unexpected unexpected unexpected unexpected unexpected
    unexpected unexpected`,
  in_review: `unexpected unexpected unchanged lose_authorization unexpected
    unexpected unexpected unexpected unexpected unexpected
    unexpected unexpected unexpected unexpected unexpected
    unexpected unexpected`,
  approved: `unexpected unchanged unchanged end_uncaptured capture
    unexpected unexpected unexpected unexpected unexpected
    unexpected unexpected unexpected unexpected unexpected
    unexpected unexpected`,
  captured: `unexpected unexpected unexpected unexpected unchanged
    unexpected attention attention refund_outside unchanged
    pay_out reject_payout payout_not_allowed pay_later payout_unexplained
    reject_payout pay_out`,
  payout_failed: `unexpected unexpected unexpected unexpected unchanged
    unexpected attention attention refund_outside unchanged
    unexpected unchanged unchanged unchanged unchanged
    unchanged unexpected`,
  completed: `unexpected unexpected unexpected unexpected unchanged
    unexpected attention attention attention unchanged
    unchanged unexpected unexpected unexpected unexpected
    return_payout attention`,
  refunding: `unexpected unexpected unexpected unexpected unchanged
    unexpected unchanged refund_again refund attention
    unexpected unchanged unchanged unchanged unchanged
    unchanged unexpected`,
  refunded: `unexpected unexpected unexpected unexpected unchanged
    unexpected bounce_refund bounce_refund unchanged bounce_refund
    unexpected unchanged unchanged unchanged unchanged
    unchanged unexpected`,
  ...Object.fromEntries(
    ['rejected', 'cancelled', 'failed', 'expired'].map((state) => [
      state,
      `unchanged unchanged void voided void
       void unchanged void voided attention
       unexpected unexpected unexpected unexpected unexpected
       unexpected unexpected`,
    ]),
  ),
} as Record<TransferState, string>;

describe('the outcome of what a provider says', () => {
  test('the outcome of a provider’s fact is decided for every state and every fact', () => {
    expect(Object.keys(matrix).sort()).toEqual([...transferStateNames].sort());
    expect([...columns].sort()).toEqual([...providerFactNames].sort());
  });

  const cells = transferStateNames.flatMap((state) =>
    matrix[state].split(/\s+/).map((outcome, index) => [state, columns[index] as ProviderFact, outcome] as const),
  );

  test.each(cells)(
    'the outcome for a transfer that is %s, when the provider says %s, is %s',
    (state, fact, outcome) => {
      expect(outcomeOf(state, fact)).toBe(outcome);
    },
  );

  test.each(cells.filter(([, , outcome]) => outcome in transferMoves))(
    'the outcome of a provider’s fact is a move that the state allows: %s, %s',
    (state, _fact, outcome) => {
      expect((transferMoves[outcome as MoveName] as Move).from).toContain(state);
    },
  );
});

describe('the fact derived from a payment intent', () => {
  test.each([
    ['requires_payment_method', 0, 'payment_open'],
    ['requires_confirmation', 0, 'payment_open'],
    ['requires_action', 0, 'payment_open'],
    ['processing', 0, 'payment_processing'],
    ['requires_capture', 0, 'payment_held'],
    ['canceled', 0, 'payment_canceled'],
    ['succeeded', 1000, 'payment_charged'],
    ['succeeded', 999, 'payment_charged_in_part'],
    ['invented_later', 0, null],
  ])('the fact of a payment intent that is %s with %i received is %s', (status, amountReceived, fact) => {
    expect(paymentFact({ status, amount: 1000, amountReceived })).toBe(fact);
  });
});

describe('the fact derived from all refunds together', () => {
  const refund = (status: 'pending' | 'succeeded' | 'failed', amountMinor: bigint) => ({ status, amountMinor });
  test.each([
    ['none', [], null],
    ['the whole amount', [refund('succeeded', 1000n)], 'refund_succeeded'],
    ['two parts', [refund('succeeded', 400n), refund('succeeded', 600n)], 'refund_succeeded'],
    ['a part', [refund('succeeded', 999n)], 'refund_in_part'],
    ['a part, and the rest under way', [refund('succeeded', 400n), refund('pending', 600n)], 'refund_pending'],
    ['a failed one, and another under way', [refund('failed', 1000n), refund('pending', 1000n)], 'refund_pending'],
    ['a failed one', [refund('failed', 1000n)], 'refund_failed'],
    ['a failed one and a part', [refund('failed', 1000n), refund('succeeded', 1n)], 'refund_in_part'],
  ] as const)('the fact of several refunds: %s', (_name, refunds, fact) => {
    expect(refundFact(refunds, 1000n)).toBe(fact);
  });
});

/** Moves that an outcome makes, the way domain/payments carries it out. */
const movesOf: Partial<Record<Outcome, readonly MoveName[]>> = {
  end_uncaptured: ['fail_capture'],
  refund_outside: ['refund_outside', 'refund'],
};

function step(state: TransferState, fact: ProviderFact): TransferState {
  const outcome = outcomeOf(state, fact);
  expect(outcome, `${state} and ${fact}`).not.toBe('unexpected');
  const moves = movesOf[outcome] ?? (outcome in transferMoves ? [outcome as MoveName] : []);
  return moves.reduce<TransferState>((_, name) => transferMoves[name].to, state);
}

/** Lives of a payment as the providers see them after an approval; what each says later is true from then on. */
const lives: readonly (readonly ProviderFact[])[] = [
  ['payment_held', 'payment_charged', 'payout_paid'],
  ['payment_held', 'payment_canceled'],
  ['payment_held', 'payment_charged', 'payout_paid', 'payout_returned'],
  ['payment_held', 'payment_charged', 'payout_account_rejected', 'refund_succeeded'],
  ['payment_held', 'payment_charged', 'payout_account_rejected', 'refund_pending', 'refund_succeeded'],
  ['payment_held', 'payment_charged', 'payout_person_rejected', 'refund_in_part', 'refund_succeeded'],
  ['payment_held', 'payment_charged', 'payout_unexplained', 'refund_pending', 'refund_succeeded'],
  ['payment_held', 'payment_charged', 'payout_own_rejected', 'payout_paid'],
];

/** What a reading shows: of each provider the newest fact only. */
function reading(life: readonly ProviderFact[], until: number): ProviderFact[] {
  const newest = new Map<string, ProviderFact>();
  for (const fact of life.slice(0, until)) newest.set(fact.slice(0, fact.indexOf('_')), fact);
  return [...newest.values()];
}

test('no answer of the bank sends money back to a card: a person or the sender decides that', () => {
  for (const state of transferStateNames) {
    for (const fact of providerFactNames.filter((name) => name.startsWith('payout_'))) {
      const outcome = outcomeOf(state, fact);
      const to = outcome in transferMoves ? transferMoves[outcome as MoveName].to : state;
      expect([state, fact, to === 'refunding' && state !== 'refunding']).toEqual([state, fact, false]);
    }
  }
});

test('provider events that are repeated, reordered or lost end in the same state as all of them in order', () => {
  // An event is a hint: each one triggers a read of the current state. So order and number of reads must not matter.
  const play = (life: readonly ProviderFact[], moments: readonly number[]) => {
    let state: TransferState = 'approved';
    for (const until of moments) for (const fact of reading(life, until)) state = step(state, fact);
    return state;
  };
  fc.assert(
    fc.property(fc.constantFrom(...lives), fc.array(fc.nat(), { maxLength: 12 }), (life, picks) => {
      const inOrder = life.map((_, index) => index + 1);
      const some = picks.map((pick) => (pick % life.length) + 1).sort((a, b) => a - b);
      // The sweep reads once more, whatever was lost.
      expect(play(life, [...some, life.length, life.length])).toBe(play(life, inOrder));
    }),
    { numRuns: 500 },
  );
});
