import { expect, test } from 'vitest';
import { problemsOf } from './invariants.ts';
import type { TransferRecord } from './records.ts';

/** A completed transfer of 20.00 EUR with a fee of 1.00, at 10 Bs, on which product, Stripe and bank agree. */
function completed(changes: Partial<TransferRecord> = {}): TransferRecord {
  const id = '00000000-0000-4000-8000-000000000000';
  const operation = {
    sequence: 1,
    status: 'succeeded',
    attempts: 1,
    returned: 0n,
    reference: null,
    error: null,
  } as const;
  const moves = [null, 'hold', 'approve', 'capture', 'pay_out'];
  const states = ['awaiting_payment', 'in_review', 'approved', 'captured', 'completed'] as const;
  return {
    ...{
      id,
      state: 'completed',
      currency: 'EUR',
      amount: 2000n,
      fee: 100n,
      net: 1900n,
      bolivianos: 19_000n,
      voided: false,
    },
    history: states.map((state, index) => ({ state, move: moves[index] ?? null })),
    operations: [
      { ...operation, kind: 'capture', amount: 2000n },
      { ...operation, kind: 'payout', amount: 19_000n },
    ],
    cases: [],
    books: new Map([
      ['card_processor EUR', -2000n],
      ['fee_income EUR', 100n],
      ['exchange EUR', 1900n],
      ['exchange BOB', -19_000n],
      ['bank BOB', 19_000n],
    ]),
    intent: {
      ...{ id: 'pi_1', status: 'succeeded', amount: 2000, amountReceived: 2000, amountRefunded: 0, transferId: id },
      refunds: [],
    },
    disputes: [],
    captures: 1,
    payouts: [{ externalId: id, amount: '190.00', status: 'paid', reference: 'BO1', returnedAmount: '0.00' }],
    ...changes,
  };
}

test('a transfer on which product, Stripe and bank agree has no problems', () => {
  expect(problemsOf(completed())).toEqual([]);
});

test('a second capture, a second payout and a refund that nobody booked are each found', () => {
  const record = completed();
  expect(problemsOf(completed({ captures: 2 }))).toContain('Stripe captured 2 times');
  const second = { ...record.payouts[0], externalId: `${record.id}-2` } as TransferRecord['payouts'][number];
  expect(problemsOf(completed({ payouts: [...record.payouts, second] }))).toContain('the bank paid 2 times');
  const refund = { id: 're_1', amount: 500, status: 'succeeded', operationId: null };
  const refunded = completed({
    intent: { ...(record.intent as object), refunds: [refund] } as TransferRecord['intent'],
  });
  expect(problemsOf(refunded)).toEqual([
    'refunds of 0 succeeded, Stripe says 500',
    'refunds are , at Stripe re_1',
    'card_processor EUR is -2000 instead of -1500',
    'loss EUR is 0 instead of -500',
    'the desk shows no case for refund_outside',
  ]);
});

test('a case that nothing explains, a state without its case and a step that no move allows are each found', () => {
  const needless = { reason: 'contradiction', open: true, byPerson: false, details: null } as const;
  expect(problemsOf(completed({ cases: [needless] }))).toEqual([
    'the desk shows a case for contradiction, which nothing explains',
  ]);
  expect(problemsOf(completed({ state: 'payout_failed' }))).toContain(
    'it is payout_failed without an open case that says why',
  );
  const [first, , ...rest] = completed().history;
  expect(problemsOf(completed({ history: [first as TransferRecord['history'][number], ...rest] }))).toEqual([
    'step 2 (approve) leads from awaiting_payment to approved',
  ]);
});
