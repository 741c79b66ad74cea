import { expect, it } from 'vitest';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { tryPair } from './exception-pairs.ts';

const fixture = usePaymentFixture({ asyncDelayMs: 60_000 });

// exception-pairs.soak.ts tries all of them.
it.each([
  ['approved', 'dashboard_capture', 'dispute_lost'],
  ['captured', 'dispute_opened', 'dispute_lost'],
  ['captured', 'dashboard_refund_of_a_part', 'dispute_lost'],
  ['captured', 'dashboard_refund', 'refunds_failed'],
  ['completed', 'dispute_lost', 'payout_returned'],
  ['completed', 'dispute_of_a_part_lost', 'payout_returned'],
  ['completed', 'payout_returned', 'dispute_lost'],
  ['completed', 'payout_returned_in_part', 'dispute_lost'],
  ['completed', 'dashboard_refund_of_a_part', 'payout_returned'],
  ['completed', 'dashboard_refund', 'payout_returned'],
  ['payout_failed', 'dashboard_refund_of_a_part', 'dispute_opened'],
  ['payout_failed', 'dispute_of_a_part_lost', 'dispute_lost'],
  ['refunding', 'dashboard_refund_of_a_part', 'dispute_lost'],
  ['refunding', 'dispute_opened', 'dispute_won'],
  ['refunding', 'dashboard_refund', 'refunds_failed'],
  ['refunded', 'refunds_failed', 'dispute_lost'],
] as const)('after a transfer was %s, %s and %s leave nothing that does not agree', async (state, first, second) => {
  expect(await tryPair(fixture, { state, first, second })).toEqual([]);
});
