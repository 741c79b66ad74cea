import { describe, expect, test } from 'vitest';
import { endedUnpaidStates, type TransferState, transferStateNames } from '#core/transfers/states';
import { type IntentOutcome, outcomeOf } from './intent-outcome.ts';

const amount = 10_000;
const unpaid = ['requires_payment_method', 'requires_confirmation', 'requires_action', 'processing'];
const statuses = [...unpaid, 'requires_capture', 'canceled', 'succeeded'];
const outcomeFor = (state: TransferState, status: string, received = status === 'succeeded' ? amount : 0) =>
  outcomeOf(state, { status, amount, amount_received: received });

/** Written out again: every pair that is not here is unexpected. */
const expected: readonly [IntentOutcome, readonly TransferState[], readonly string[]][] = [
  ['unchanged', ['awaiting_payment', ...endedUnpaidStates], unpaid],
  ['unchanged', ['approved'], ['processing']],
  ['hold', ['awaiting_payment'], ['requires_capture']],
  ['unchanged', ['in_review', 'approved'], ['requires_capture']],
  ['void', endedUnpaidStates, ['requires_capture', 'succeeded']],
  ['expire_quote', ['awaiting_payment'], ['canceled']],
  ['lose_authorization', ['in_review'], ['canceled']],
  ['end_uncaptured', ['approved'], ['canceled']],
  ['voided', endedUnpaidStates, ['canceled']],
  ['capture', ['approved'], ['succeeded']],
  ['unchanged', ['captured', 'completed', 'refunding', 'refunded'], ['succeeded']],
];

describe.each(transferStateNames)('a transfer that is %s', (state) => {
  test.each(statuses)('and whose payment intent is %s has the outcome of the table', (status) => {
    const outcome = expected.find(([, states, of]) => states.includes(state) && of.includes(status))?.[0];
    expect(outcomeFor(state, status)).toBe(outcome ?? 'unexpected');
  });

  test('is not moved by a status that Stripe may add one day', () => {
    expect(outcomeFor(state, 'requires_something_new')).toBe('unexpected');
  });

  test('and whose amount was captured in part only is given back if it ended, else unexpected', () => {
    const ended = endedUnpaidStates.includes(state);
    expect(outcomeFor(state, 'succeeded', amount - 1)).toBe(ended ? 'void' : 'unexpected');
  });
});
