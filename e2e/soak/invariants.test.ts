import { describe, expect, test } from 'vitest';
import { problemsOf } from './invariants.ts';
import type { OperationRecord, TransferRecord } from './records.ts';
import { problemsOfWhole, type Whole } from './whole.ts';

const id = '00000000-0000-4000-8000-000000000000';
const rest = {
  ...{ attempts: 1, returned: 0n, reference: null, error: null, booked: false, again: false },
  ...{ ofRest: false, rest: 0n },
} as const;
const done = { sequence: 1, status: 'succeeded', ...rest } as const;
const capture: OperationRecord = { ...done, kind: 'capture', amount: 2000n };
const payout: OperationRecord = { ...done, kind: 'payout', amount: 19_000n };
const refund: OperationRecord = { ...done, kind: 'refund', amount: 2000n, reference: 're_1' };
const charged = { id: 'pi_1', status: 'succeeded', amount: 2000, amountReceived: 2000, amountRefunded: 0 };
const refunded = { id: 're_1', amount: 2000, status: 'succeeded', operationId: 'op' };
const paid = { externalId: id, amount: '190.00', status: 'paid', reference: 'BO1', returnedAmount: '0.00' };
const rejected = { ...paid, status: 'rejected', reference: null };
const openCase = { open: true, byPerson: false, details: null } as const;
const lost = { id: 'dp_1', payment_intent: 'pi_1', amount: 2000, status: 'lost' };

function historyOf(...steps: [string | null, TransferRecord['state']][]): TransferRecord['history'] {
  return steps.map(([move, state]) => ({ move, state }));
}

const untilCaptured = [
  [null, 'awaiting_payment'],
  ['hold', 'in_review'],
  ['approve', 'approved'],
  ['capture', 'captured'],
] as const satisfies [string | null, TransferRecord['state']][];

/** A completed transfer of 20.00 EUR with a fee of 1.00, at 10 Bs, on which product, Stripe and bank agree. */
const completed: TransferRecord = {
  ...{ id, state: 'completed', currency: 'EUR', amount: 2000n, fee: 100n, net: 1900n, bolivianos: 19_000n },
  voided: false,
  kept: 0n,
  history: historyOf(...untilCaptured, ['pay_out', 'completed']),
  operations: [capture, payout],
  cases: [],
  books: new Map([
    ['card_processor EUR', -2000n],
    ['fee_income EUR', 100n],
    ['exchange EUR', 1900n],
    ['exchange BOB', -19_000n],
    ['bank BOB', 19_000n],
  ]),
  intent: { ...charged, transferId: id, refunds: [] },
  disputes: [],
  captures: 1,
  payouts: [paid],
};

/** The same transfer with a second payout of 50.00 at our expense for a complaint. */
const secondPayout: OperationRecord = { ...payout, sequence: 2, amount: 5_000n, again: true };
const paidAgain: TransferRecord = {
  ...completed,
  history: historyOf(...untilCaptured, ['pay_out', 'completed'], ['pay_second_time', 'completed']),
  operations: [capture, payout, secondPayout],
  books: new Map([...completed.books, ['bank BOB', 24_000n], ['loss BOB', -5_000n]]),
  payouts: [paid, { ...paid, externalId: `${id}-2`, amount: '50.00' }],
};

/** The same transfer when the bank returned 30.00, of which 10.00 were paid again and the share of 20.00 went back to the card. */
const restSettled: TransferRecord = {
  ...completed,
  operations: [
    ...[capture, { ...payout, returned: 3_000n }],
    { ...payout, sequence: 2, amount: 1_000n, again: true, ofRest: true },
    { ...refund, amount: 200n, ofRest: true, rest: 2_000n },
  ],
  books: new Map([
    ...completed.books,
    ...([
      ['card_processor EUR', -1800n],
      ['exchange EUR', 1700n],
      ['exchange BOB', -17_000n],
      ['bank BOB', 17_000n],
    ] as const),
  ]),
  intent: { ...charged, transferId: id, amountRefunded: 200, refunds: [{ ...refunded, amount: 200 }] },
  payouts: [
    { ...paid, returnedAmount: '30.00' },
    { ...paid, externalId: `${id}-2`, amount: '10.00' },
  ],
};

/** The same transfer when the bank refused it and all of it went back to the card. */
const returned: TransferRecord = {
  ...completed,
  state: 'refunded',
  history: historyOf(...untilCaptured, ['give_up_payout', 'refunding'], ['refund', 'refunded']),
  operations: [capture, { ...payout, status: 'failed' }, refund],
  books: new Map(),
  intent: { ...charged, transferId: id, amountRefunded: 2000, refunds: [refunded] },
  payouts: [rejected],
};

/** The same transfer when it was never charged. */
const unpaid: TransferRecord = {
  ...completed,
  state: 'rejected',
  voided: true,
  history: historyOf([null, 'awaiting_payment'], ['hold', 'in_review'], ['reject', 'rejected']),
  operations: [{ ...done, kind: 'void', amount: 2000n }],
  books: new Map(),
  intent: { ...charged, status: 'canceled', amountReceived: 0, transferId: id, refunds: [] },
  captures: 0,
  payouts: [],
};

type Changes = Partial<TransferRecord>;
const books = (record: TransferRecord, ...changes: [string, bigint][]) => new Map([...record.books, ...changes]);
const intent = (record: TransferRecord, changes: object): Changes => ({
  intent: { ...record.intent, ...changes } as TransferRecord['intent'],
});

/** A consistent transfer, a change to it, and the expected problems. */
const broken: Readonly<Record<string, [TransferRecord, Changes, string[]]>> = {
  'a transfer that still moves': [
    completed,
    { state: 'approved', history: completed.history.slice(0, 3) },
    ['nothing moves, but the state is approved'],
  ],
  'a step that no move allows': [
    completed,
    { history: [...completed.history.slice(0, 1), ...completed.history.slice(2)] },
    ['step 2 (approve) leads from awaiting_payment to approved'],
  ],
  'a step that is missing at the end': [
    completed,
    { history: completed.history.slice(0, -1) },
    ['the history ends in another state than completed'],
  ],
  'a transfer that waits for a person without a case': [
    completed,
    { state: 'payout_failed', history: historyOf(...untilCaptured, ['reject_payout', 'payout_failed']) },
    ['it is payout_failed without an open case that says why'],
  ],
  'a charge of another amount': [completed, intent(completed, { amountReceived: 1999 }), ['Stripe charged 1999']],
  'a charge of a transfer that ended unpaid': [
    unpaid,
    intent(unpaid, { amountReceived: 2000 }),
    ['Stripe charged 2000'],
  ],
  'an amount that is still held': [
    unpaid,
    intent(unpaid, { status: 'requires_capture' }),
    ['the payment is requires_capture'],
  ],
  'a void that was not recorded': [
    unpaid,
    { voided: false },
    ['it ended unpaid, but the void of its authorization was not recorded'],
  ],
  'a second capture': [completed, { captures: 2 }, ['Stripe captured 2 times']],
  'a second capture in the product': [
    completed,
    { operations: [capture, { ...capture, sequence: 2 }, payout] },
    ['2 captures succeeded'],
  ],
  'a capture without a charge': [
    unpaid,
    { operations: [...unpaid.operations, capture] },
    ['a capture succeeded without a charge'],
  ],
  'a second payout': [
    completed,
    { payouts: [paid, { ...paid, externalId: `${id}-2` }] },
    [
      'the bank paid 2 times',
      'the bank paid 38000, more than 19000',
      'payouts of 19000 succeeded, the bank says 38000',
    ],
  ],
  'a payout to correct a report that the bank made twice': [
    paidAgain,
    { payouts: [...paidAgain.payouts, { ...paid, externalId: `${id}-2`, amount: '150.00' }] },
    ['the bank paid 20000 again, more than 19000', 'payouts of 24000 succeeded, the bank says 39000'],
  ],
  'a payout to correct a report that is no loss in the books': [
    paidAgain,
    { books: new Map([...paidAgain.books, ['loss BOB', 0n], ['payout_due BOB', -5_000n]]) },
    ['payout_due BOB is -5000 instead of 0', 'loss BOB is 0 instead of -5000'],
  ],
  'a returned payout for a report without a new decision': [
    paidAgain,
    {
      operations: [capture, payout, { ...secondPayout, status: 'failed', returned: 5_000n }],
      payouts: [paid, { ...paid, externalId: `${id}-2`, amount: '50.00', returnedAmount: '50.00' }],
      books: completed.books,
    },
    ['the desk shows no case for correction_failed'],
  ],
  'a payout that did not happen': [
    completed,
    { payouts: [rejected] },
    ['nothing was paid', 'payouts of 19000 succeeded, the bank says 0', 'bank BOB is 19000 instead of 0'],
  ],
  'a payout and a refund': [
    returned,
    { payouts: [paid] },
    ['the bank paid 19000', 'payouts of 0 succeeded, the bank says 19000', 'bank BOB is 0 instead of 19000'],
  ],
  'a refund that is still pending': [
    returned,
    intent(returned, { refunds: [refunded, { ...refunded, id: 're_2', status: 'pending' }] }),
    ['a refund is still pending', 'refunds are re_1, at Stripe re_1,re_2'],
  ],
  'a second refund': [
    returned,
    intent(returned, { refunds: [refunded, { ...refunded, id: 're_2' }] }),
    ['refunds of 4000 are above the charge of 2000', 'refunds of 2000 succeeded, Stripe says 4000'],
  ],
  'a refund that failed at Stripe': [
    returned,
    intent(returned, { refunds: [{ ...refunded, status: 'failed' }] }),
    ['it is refunded, but 0 of 2000 were returned', 'refunds of 2000 succeeded, Stripe says 0'],
  ],
  'a refund that is complete and goes on': [
    returned,
    { state: 'refunding', history: returned.history.slice(0, -1), cases: [{ ...openCase, reason: 'refund_failed' }] },
    ['it is refunding, but all of it was returned', 'the desk shows a case for refund_failed, which nothing explains'],
  ],
  'an unbooked refund in the dashboard': [
    completed,
    intent(completed, { refunds: [{ id: 're_1', amount: 500, status: 'succeeded', operationId: null }] }),
    [
      'refunds of 0 succeeded, Stripe says 500',
      'refunds are , at Stripe re_1',
      'card_processor EUR is -2000 instead of -1500',
      'loss EUR is 0 instead of -500',
      'the desk shows no case for refund_outside',
    ],
  ],
  'an operation that is still open': [
    completed,
    { operations: [capture, payout, { ...refund, status: 'unknown' }] },
    ['operations are still open: refund unknown'],
  ],
  'money that appears in an account': [
    completed,
    { books: books(completed, ['loss EUR', -1n]) },
    ['loss EUR is -1 instead of 0', 'the accounts in EUR sum to -1'],
  ],
  'an unbooked lost dispute': [
    completed,
    { disputes: [lost] },
    [
      'card_processor EUR is -2000 instead of 0',
      'loss EUR is 0 instead of -2000',
      'the desk shows no case for dispute_lost',
    ],
  ],
  'an unbooked returned payout': [
    completed,
    { payouts: [{ ...paid, returnedAmount: '190.00' }] },
    [
      'nothing was paid',
      'payouts of 19000 succeeded, the bank says 0',
      'the desk shows no case for payout_returned_in_part',
    ],
  ],
  'what the bank returned and was neither paid nor refunded': [
    restSettled,
    {
      operations: restSettled.operations.filter(({ sequence }) => sequence === 1),
      books: books(restSettled, ['bank BOB', 16_000n], ['payout_due BOB', 1_000n]),
      payouts: restSettled.payouts.slice(0, 1),
    },
    ['the desk shows no case for payout_returned_in_part'],
  ],
  'a case that nothing explains': [
    completed,
    { cases: [{ ...openCase, reason: 'contradiction' }] },
    ['the desk shows a case for contradiction, which nothing explains'],
  ],
  'a case that is there twice': [
    { ...completed, disputes: [lost] },
    { cases: [openCase, openCase].map((one) => ({ ...one, reason: 'dispute_lost' as const })) },
    ['the desk shows a reason twice: dispute_lost,dispute_lost'],
  ],
  'a case that only persons close, closed automatically': [
    { ...completed, disputes: [lost] },
    { cases: [{ ...openCase, open: false, reason: 'dispute_lost' }] },
    ['the desk shows no case for dispute_lost', 'a case that only persons close was closed automatically'],
  ],
};

describe('problemsOf', () => {
  test('says nothing of a transfer on which product, Stripe and bank agree', () => {
    for (const record of [completed, returned, unpaid, paidAgain, restSettled]) expect(problemsOf(record)).toEqual([]);
  });

  test('says nothing of a refund in the dashboard that failed before anybody read it as done', () => {
    const failed = { id: 're_1', amount: 500, status: 'failed', operationId: null };
    const record = { ...completed, ...intent(completed, { refunds: [failed] }) };
    expect(problemsOf(record)).toEqual([]);
    const known: OperationRecord = { ...refund, status: 'failed', amount: 500n };
    expect(problemsOf({ ...record, operations: [...record.operations, known] })).toEqual([]);
    expect(problemsOf({ ...record, operations: [...record.operations, { ...known, booked: true }] })).toEqual([
      'the desk shows no case for refund_outside',
    ]);
  });

  test.each(Object.entries(broken))('finds %s', (_, [record, changes, problems]) => {
    expect(problemsOf({ ...record, ...changes })).toEqual(expect.arrayContaining(problems));
  });
});

describe('problemsOfWhole', () => {
  const whole: Whole = {
    kept: new Map([['day 2026-11-22', '2178 1 0']]),
    counted: new Map([['day 2026-11-22', '2178 1 0']]),
    onDesk: ['case'],
    openCases: ['case'],
    transfers: [{ id, intent: 'pi_1' }],
    intents: [{ id: 'pi_1', transferId: id }],
    payouts: [{ externalId: id }, { externalId: `${id}-2` }],
    ledger: new Map([['EUR', 0n]]),
  };
  const wrong: Readonly<Record<string, [Partial<Whole>, string]>> = {
    'a total that is not what a count says': [
      { kept: new Map([['day 2026-11-22', '2178 2 0']]) },
      'the total of day 2026-11-22 is kept as 2178 2 0 and counted as 2178 1 0',
    ],
    'a total that is missing': [
      { kept: new Map() },
      'the total of day 2026-11-22 is kept as undefined and counted as 2178 1 0',
    ],
    'a case that the desk does not list': [{ onDesk: [] }, 'the desk lists 0 cases, and 1 are open'],
    'a ledger that is not zero': [{ ledger: new Map([['EUR', 1n]]) }, "the ledger's EUR sum to 1"],
    'a second payment at Stripe for a transfer': [
      { intents: [...whole.intents, { id: 'pi_2', transferId: id }] },
      `pi_2 is at Stripe for ${id}, which does not know it`,
    ],
    'a payment of the bank for nothing': [
      { payouts: [{ externalId: 'unknown' }] },
      'the bank paid unknown, which is no transfer',
    ],
  };

  test('says nothing when all agree', () => {
    expect(problemsOfWhole(whole)).toEqual([]);
  });

  test.each(Object.entries(wrong))('finds %s', (_, [changes, problem]) => {
    expect(problemsOfWhole({ ...whole, ...changes })).toEqual([problem]);
  });
});
