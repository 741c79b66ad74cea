import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CancelFacts, cancellation, cancelWindowMs, isCancelPending } from './cancellation.ts';
import { transferStateNames } from './states.ts';

const paidAt = new Date('2026-11-20T15:00:00.000Z');
const later = (ms: number) => new Date(paidAt.getTime() + ms);

const facts = fc.record<CancelFacts>({
  state: fc.constantFrom(...transferStateNames),
  paidAt: fc.constant(paidAt),
  cancelRequestedAt: fc.constantFrom(null, paidAt),
});
const delay = fc.integer({ min: 0, max: 4 * cancelWindowMs });

describe('a sender who cancels', () => {
  test('a sender may always cancel before the decision', () => {
    fc.assert(
      fc.property(fc.constantFrom('awaiting_payment', 'in_review'), delay, (state, ms) => {
        expect(cancellation({ state, paidAt }, later(ms))).toEqual({ kind: 'withdraw' });
      }),
    );
  });

  test('a sender may cancel after the approval for 30 minutes from paying, to the millisecond', () => {
    fc.assert(
      fc.property(fc.constantFrom('approved', 'captured'), delay, (state, ms) => {
        const outcome = cancellation({ state, paidAt }, later(ms));
        if (ms <= 1_800_000) expect(outcome).toEqual({ kind: 'request', until: later(1_800_000) });
        else expect(outcome).toEqual({ kind: 'refused', code: 'cancel_too_late' });
      }),
    );
  });

  test('a sender may not cancel once the money is deposited, however soon that was', () => {
    fc.assert(
      fc.property(delay, fc.constantFrom(null, paidAt), (ms, cancelRequestedAt) => {
        const outcome = cancellation({ state: 'completed', paidAt, cancelRequestedAt }, later(ms));
        expect(outcome).toEqual({ kind: 'refused', code: 'already_deposited' });
      }),
    );
  });

  test.each(transferStateNames)(
    'a cancellation is pending only until the transfer that is %s has turned back',
    (state) => {
      expect(isCancelPending({ state, cancelRequestedAt: paidAt })).toBe(state === 'approved' || state === 'captured');
      expect(isCancelPending({ state, cancelRequestedAt: null })).toBe(false);
    },
  );

  test('a cancellation is not requested again once it was requested', () => {
    fc.assert(
      fc.property(facts, delay, (transfer, ms) => {
        const outcome = cancellation(transfer, later(ms));
        if (outcome.kind === 'request') expect(transfer.cancelRequestedAt).toBeNull();
      }),
    );
  });

  test.each([
    ['completed', 'already_deposited'],
    ['rejected', 'already_ended'],
    ['failed', 'already_ended'],
    ['expired', 'already_ended'],
    ['refunding', 'already_returning'],
    ['refunded', 'already_returning'],
  ] as const)('the refused cancellation of a transfer that is %s has the code %s', (state, code) => {
    expect(cancellation({ state, paidAt }, paidAt)).toEqual({ kind: 'refused', code });
  });

  test.each(['approved', 'captured', 'refunding', 'refunded'] as const)(
    'a repeated cancellation, while the transfer is %s, changes nothing',
    (state) => {
      expect(cancellation({ state, paidAt, cancelRequestedAt: paidAt }, later(2 * cancelWindowMs))).toEqual({
        kind: 'done',
      });
    },
  );
});
