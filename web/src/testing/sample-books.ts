import type { BookDayView, BookExceptionView, ReconciliationView } from '#core/contracts/http/reconciliation';

/** A difference between our books and the bank for tests: it paid twice. */
export function sampleException(changes: Partial<BookExceptionView> = {}): BookExceptionView {
  return {
    ...{ id: crypto.randomUUID(), version: 1, cause: 'payout_doubled', side: 'bank', reference: 'BO0123456789' },
    ...{
      transfer_id: 'c3b7d2f4-8a55-4d2c-9a53-1d7c0f6b2e02',
      expected: null,
      actual: '-1291.17',
      difference: '-1291.17',
    },
    ...{ currency: 'BOB', day: '2026-11-20', found_at: '2026-11-21T14:00:00.000Z', status: 'open', note: null },
    ...{ decided_by: null, decided_at: null, asked_at: null, can_accept: true, request: null },
    ...changes,
  };
}

/** A day of the books for tests that can be closed. */
export function sampleDay(changes: Partial<BookDayView> = {}): BookDayView {
  const none = { timing: '0.00', explained: '0.00', open: '0.00', unexplained: '0.00' };
  return {
    day: '2026-11-20',
    totals: [
      { side: 'stripe', currency: 'EUR', source: '363.35', books: '363.35', difference: '0.00', ...none },
      {
        side: 'bank',
        currency: 'BOB',
        source: '-6455.85',
        books: '-5164.68',
        difference: '-1291.17',
        ...none,
        timing: '-1291.17',
      },
    ],
    profit: [{ currency: 'EUR', fee: '17.50', margin: '9.50', processor: '-16.00', loss: '0.00', total: '11.00' }],
    ...{ compared_at: '2026-11-21T14:00:00.000Z', closed_at: null, proposed_by: null, confirmed_by: null },
    ...{ refusals: [], request: null },
    ...changes,
  };
}

/** How the books stand, for tests. */
export function sampleReconciliation(days: BookDayView[] = [sampleDay()]): ReconciliationView {
  return {
    ...{ stripe_until: '2026-11-21T14:00:00.000Z', bank_until: '2026-11-20', closed_until: null, open_exceptions: 1 },
    owed_to_families: [],
    days,
  };
}
