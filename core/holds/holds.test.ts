import { describe, expect, test } from 'vitest';
import {
  type HoldFacts,
  type HoldReason,
  heldError,
  holdReasonNames,
  holdsOf,
  type Movement,
  movementNames,
  movementOf,
} from './holds.ts';

const nothing: HoldFacts = {
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

const dispute = (changes: Partial<HoldFacts['disputes'][number]>) => ({
  disputes: [
    {
      id: 'du_1',
      status: 'needs_response',
      amountMinor: 10_000n,
      booking: 'withdrawn',
      refundable: false,
      ...changes,
    } as const,
  ],
});

/** Facts that bring about each reason, and nothing else. */
const factsOf: Record<HoldReason, Partial<HoldFacts>> = {
  dispute_open: dispute({}),
  dispute_lost: dispute({ status: 'lost', booking: 'refund' }),
  charged_back: dispute({ status: 'lost', booking: 'lost' }),
  inquiry_open: dispute({ status: 'warning_needs_response', booking: 'none', refundable: true }),
  fraud_warning: { fraudWarning: 'made_with_stolen_card' },
  refund_outside: { outsideRefunds: ['re_1'] },
  refund_made: { ownRefunds: ['operation'] },
  captured_in_part: { capturedInPart: true },
  sender_blocked: { senderBlocked: '2026-11-20T15:00:00.000Z' },
  request_waiting: { requests: [{ id: 'request', settles: false }] },
  settlement_by_hand: { requests: [{ id: 'request', settles: true }] },
  payout_unknown: { unknownPayouts: ['operation'] },
  names_not_cleared: { namesNotCleared: 'payout' },
  recipient_changed: { recipientChanged: 'case' },
  money_stop: { stops: [{ id: 'stop', movements: ['capture', 'payout', 'second_payout'] }] },
};

/** Which movements each reason holds (x), in the order of `movements`. Said again here, so that a change of the table is a decision. */
const expected: Record<HoldReason, string> = {
  //                  capture payout second refund cancel account hand-payout hand-refund
  dispute_open: '      x      x      x      x      -      -       x           x',
  dispute_lost: '      -      x      x      -      -      x       x           -',
  charged_back: '      -      -      x      x      -      -       -           x',
  inquiry_open: '      x      x      x      -      -      -       x           -',
  fraud_warning: '     x      x      x      -      -      x       x           -',
  refund_outside: '    -      x      x      -      -      x       x           -',
  refund_made: '       -      x      -      -      -      x       x           -',
  captured_in_part: '  x      x      x      -      -      x       x           -',
  sender_blocked: '    x      x      x      -      -      x       x           -',
  request_waiting: '   x      x      x      x      -      -       x           x',
  settlement_by_hand: '-      x      x      x      x      x       x           x',
  payout_unknown: '    -      x      x      x      -      x       x           x',
  names_not_cleared: ' -      x      x      -      -      -       x           -',
  recipient_changed: ' -      x      x      -      -      -       x           -',
  money_stop: '        x      x      x      -      -      -       -           -',
};

const cells = holdReasonNames.flatMap((reason) => {
  const marks = expected[reason].trim().split(/\s+/);
  return movementNames.map((movement, index) => [reason, movement, marks[index] === 'x'] as const);
});

test.each(cells)('%s and %s: held is %s', (reason, movement, isHeld) => {
  const holds = holdsOf({ ...nothing, ...factsOf[reason] }, movement);
  expect(holds.map((hold) => hold.reason)).toEqual(isHeld ? [reason] : []);
});

describe('a dispute', () => {
  const heldMovements = (changes: Partial<HoldFacts['disputes'][number]>) =>
    movementNames.filter((movement) => holdsOf({ ...nothing, ...dispute(changes) }, movement).length > 0);

  test.each([
    ['won', 'none'],
    ['warning_closed', 'none'],
    ['prevented', 'none'],
  ] as const)('that is %s and took nothing holds nothing', (status, booking) => {
    expect(heldMovements({ status, booking })).toEqual([]);
  });

  test.each(['lost', 'prevented', 'appeal_needs_response', 'appeal_under_review'])(
    'that is %s before the family was paid keeps what is left from the family and lets it go back',
    (status) => {
      expect(heldMovements({ status, booking: 'refund' })).toEqual([
        'payout',
        'second_payout',
        'account_correction',
        'hand_payout',
      ]);
    },
  );

  test('of an unknown status counts as open', () => {
    expect(heldMovements({ status: 'something_new' })).toContain('payout');
  });
});

test('a request or an operation does not hold the movement that it asks for', () => {
  const facts = { ...nothing, requests: [{ id: 'one', settles: false }], unknownPayouts: ['two'] };
  const reasonsFor = (movement: Movement, requestedBy?: string) =>
    holdsOf(facts, movement, requestedBy).map(({ reason }) => reason);
  expect(reasonsFor('refund')).toEqual(['request_waiting', 'payout_unknown']);
  expect(reasonsFor('refund', 'one')).toEqual(['payout_unknown']);
  expect(reasonsFor('second_payout', 'two')).toEqual(['request_waiting']);
});

test('a hold that two people released does not hold, and another one with its reason does', () => {
  const releases = [{ reason: 'dispute_lost', subject: 'du_1' }] as const;
  const lost = { status: 'lost', amountMinor: 10_000n, booking: 'refund', refundable: false } as const;
  const of = (...ids: string[]): HoldFacts => ({ ...nothing, disputes: ids.map((id) => ({ id, ...lost })), releases });
  expect(holdsOf(of('du_1'), 'payout')).toEqual([]);
  expect(holdsOf(of('du_1', 'du_2'), 'payout')).toEqual([{ reason: 'dispute_lost', subject: 'du_2' }]);
});

test('an operation that is held names each reason once', () => {
  const holds = [
    { reason: 'dispute_open', subject: 'du_1' },
    { reason: 'dispute_open', subject: 'du_2' },
    { reason: 'fraud_warning', subject: 'misc' },
  ] as const;
  expect(heldError(holds)).toBe('held: dispute_open, fraud_warning');
});

test('the movement of an operation follows from its kind', () => {
  expect(movementOf({ kind: 'payout' })).toBe('payout');
  expect(movementOf({ kind: 'payout', complaintId: 'complaint' })).toBe('second_payout');
  expect(['capture', 'refund', 'void'].map((kind) => movementOf({ kind } as never))).toEqual([
    'capture',
    'refund',
    'refund',
  ]);
});
