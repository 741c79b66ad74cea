import { expect, test } from 'vitest';
import type { OperationStatus } from '../operations/operation.ts';
import { refundStateOf, returnedByBank, returnedToCard } from './refund.ts';
import type { TransferState } from './states.ts';

const refund = (status: OperationStatus, provider: 'stripe' | 'manual' = 'stripe') => ({
  ...{ status, provider, amountMinor: 1_000n },
});

test.each([
  ['refunding', ['failed', 'succeeded'], 'failed'],
  ['refunding', ['failed', 'pending'], 'under_way'],
  ['refunding', ['succeeded', 'unknown'], 'under_way'],
  ['refunding', ['succeeded'], 'done'],
  ['refunding', ['failed', 'abandoned'], 'failed'],
  ['refunded', ['failed', 'succeeded'], 'done'],
  ['completed', ['failed', 'succeeded'], 'done'],
  ['completed', ['succeeded', 'failed'], 'failed'],
  ['completed', ['succeeded', 'in_flight'], 'under_way'],
  ['captured', ['abandoned'], null],
  ['captured', [], null],
] as const satisfies [TransferState, OperationStatus[], unknown][])(
  'the refund of a transfer that is %s with refunds %j is %s',
  (state, statuses, expected) => {
    expect(
      refundStateOf(
        state,
        statuses.map((status) => refund(status)),
      ),
    ).toBe(expected);
  },
);

test('only refunds that a person paid count as paid by bank transfer', () => {
  const refunds = [refund('succeeded'), refund('succeeded', 'manual'), refund('failed', 'manual')];
  expect(returnedByBank(refunds)).toBe(1_000n);
  expect(returnedToCard({ returned: '20.00', byBank: '10.00' })).toBe('10.00');
});
