import type { AdminTransferView } from '#core/contracts/http/admin';
import type { ReviewView } from '#core/contracts/http/review';

/** A transfer for tests: 100 EUR from Ana to Rosa waiting for a decision, changed by `changes`. */
export function sampleTransfer(changes: Partial<AdminTransferView> = {}): AdminTransferView {
  return {
    id: '0199b2d0-0000-7000-8000-000000000001',
    version: 2,
    date: '2026-11-21T14:00:00.000Z',
    user_id: '0199b2d0-0000-4000-8000-00000000000b',
    user: 'Ana Quispe',
    user_email: 'ana@chasqui.test',
    user_blocked: false,
    recipient: 'Rosa Mamani Condori',
    recipient_id: '0199b2d0-0000-7000-8000-00000000000a',
    recipient_details: {
      bank_name: 'Banco Unión',
      bank_account: '10000012345678',
      city: 'La Paz',
      phone: '+591 71234567',
      address: 'Av. Buenos Aires 1450',
      ci: '4567890 LP',
    },
    payment_id: 'pi_1',
    payment_method: 'card',
    card: { brand: 'visa', last4: '4242' },
    currency: 'EUR',
    amount: '100.00',
    fee: '3.50',
    net_amount: '96.50',
    rate: '13.38',
    amount_usd: '110.00',
    amount_bs: '1291.17',
    accepted: null,
    takes_better_rate: false,
    markup_percent: '0.75',
    margin: '0.72',
    status: 'pending',
    state: 'in_review',
    fraud_warning: null,
    card_risk: null,
    capture_before: '2026-11-28T14:00:00.000Z',
    correct_account_by: null,
    decided_at: null,
    decided_by: null,
    reason: null,
    rejection: null,
    payout_reference: null,
    cancel_requested: false,
    refund: null,
    returned: '0.00',
    payout_returned: '0.00',
    paid_again: '0.00',
    rest_paid: '0.00',
    rest_refunded: '0.00',
    rest_kept: '0.00',
    questions: null,
    timeline: [
      { state: 'awaiting_payment', at: '2026-11-21T14:00:00.000Z', owner: 'sender' },
      { state: 'in_review', at: '2026-11-21T14:01:00.000Z', owner: 'payments' },
    ],
    ...changes,
  };
}

/** What helps to decide about it: nothing speaks against it, and nobody has it. */
export function sampleReview(changes: Partial<ReviewView> = {}): ReviewView {
  return {
    ...{ id: sampleTransfer().id, version: 1, reasons: [], similar: [] },
    screening: {
      ...{ status: 'clear', attempts: 1, next_attempt_at: null, checked_at: '2026-11-21T14:01:01.000Z', hits: [] },
      ...{ note: null, noted_by: null },
    },
    ...{ claim: null, needs_second: false, approval: null, processor_fee: '3.20' },
    ...changes,
  };
}
