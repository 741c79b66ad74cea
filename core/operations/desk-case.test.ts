import { expect, test } from 'vitest';
import { transferStateNames, underWayStates } from '../transfers/states.ts';
import { type CaseReason, caseReasonNames, isSettled } from './desk-case.ts';
import type { OperationKind } from './operation.ts';

/** Where a case of a reason, about an operation of a kind, is still open; it is settled everywhere else. */
const open: readonly (readonly [CaseReason, OperationKind | null, readonly string[] | 'always'])[] = [
  ...(
    [
      ...['operation_slow', 'operation_abandoned', 'operation_refused', 'names_not_cleared'],
      ...['payout_not_allowed', 'payout_unexplained'],
    ] as CaseReason[]
  ).flatMap((reason) => [
    [reason, 'capture', ['approved']] as const,
    [reason, 'payout', ['captured']] as const,
    [reason, 'refund', ['refunding', 'completed']] as const,
    [reason, 'void', ['awaiting_payment', 'approved', 'rejected', 'cancelled', 'failed', 'expired']] as const,
    [reason, null, 'always'] as const,
  ]),
  ['payout_rejected', 'payout', ['payout_failed']],
  ['payout_returned', 'payout', ['payout_failed']],
  ['payout_returned_in_part', 'payout', ['completed']],
  ['refund_failed', 'refund', transferStateNames.filter((state) => state !== 'refunded')],
  ['refund_outside', null, 'always'],
  ['captured_in_part', null, transferStateNames.filter((state) => state !== 'refunded')],
  ['sender_blocked', null, underWayStates],
  ['recipient_changed', null, underWayStates.filter((state) => state !== 'refunding')],
  ['settlement_by_hand', null, 'always'],
  ['fraud_warning', null, ['approved', 'captured', 'payout_failed', 'completed']],
  ['dispute_inquiry', 'dispute_response', 'always'],
  ['dispute_opened', 'dispute_response', 'always'],
  ['dispute_lost', null, 'always'],
  ['correction_failed', 'payout', 'always'],
  ['books_differ', null, 'always'],
  ['contradiction', null, 'always'],
];

test('every reason has states of a transfer in which its case is open', () => {
  for (const reason of caseReasonNames) expect(open.map(([name]) => name)).toContain(reason);
});

test.each(open)('a case %s about %s is open while its transfer is %s, and settled by itself afterwards', (...row) => {
  const [reason, kind, states] = row;
  for (const state of transferStateNames) {
    const isOpen = states === 'always' || states.includes(state);
    expect([state, isSettled(reason, kind, { state, voided: false })]).toEqual([state, !isOpen]);
  }
});

test('a case about a charge in part is settled once that was returned', () => {
  expect(isSettled('captured_in_part', null, { state: 'rejected', voided: true })).toBe(true);
});

test('a case about a void is settled once the card has no authorization left', () => {
  expect(isSettled('operation_abandoned', 'void', { state: 'rejected', voided: true })).toBe(true);
  expect(isSettled('operation_abandoned', 'payout', { state: 'captured', voided: true })).toBe(false);
});
