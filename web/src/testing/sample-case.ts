import type { DisputeView } from '#core/contracts/http/disputes';
import type { DeskCaseView, DeskRequestView, OperationView } from '#core/contracts/http/operations';
import { sampleTransfer } from './sample-admin-transfer.ts';

/** A payout for tests, refused by the bank at the first attempt, changed by `changes`. */
export function sampleOperation(changes: Partial<OperationView> = {}): OperationView {
  return {
    id: '0199b2d0-0000-4000-8000-0000000000c1',
    kind: 'payout',
    sequence: 1,
    provider: 'bank',
    status: 'failed',
    attempts: 1,
    next_attempt_at: null,
    last_error: 'HTTP 422: unknown beneficiary',
    provider_reference: null,
    amount: '1291.17',
    currency: 'BOB',
    returned: '0.00',
    changed_at: '2026-11-21T15:00:00.000Z',
    ...changes,
  };
}

/** A dispute for tests of the whole amount, which has to be answered until the end of the month. */
export function sampleDispute(changes: Partial<DisputeView> = {}): DisputeView {
  return {
    ...{ id: 'du_1TestDispute', status: 'needs_response', reason: 'fraudulent', amount: '100.00', currency: 'EUR' },
    ...{ evidence_due_by: '2026-11-30T23:59:00.000Z', submitted_at: null, response_text: null, can_respond: true },
    ...changes,
  };
}

const capture = sampleOperation({
  id: '0199b2d0-0000-4000-8000-0000000000c0',
  kind: 'capture',
  provider: 'stripe',
  status: 'succeeded',
  last_error: null,
  provider_reference: 'pi_1',
  amount: '100.00',
  currency: 'EUR',
  changed_at: '2026-11-21T14:59:00.000Z',
});

let samples = 0;

/** A case for tests, each with an id of its own: the bank called the payout's request wrong; changed by `changes`. */
export function sampleCase(changes: Partial<DeskCaseView> = {}): DeskCaseView {
  const operation = changes.operation === undefined ? sampleOperation() : changes.operation;
  return {
    id: `0199b2d0-0000-4000-8000-${String(++samples).padStart(12, '0')}`,
    version: 1,
    reason: 'operation_refused',
    details: 'HTTP 422: unknown beneficiary',
    opened_at: '2026-11-21T15:00:00.000Z',
    resolved_at: null,
    resolution: null,
    outcome: null,
    assigned_to: null,
    assigned_to_id: null,
    operation,
    operations: operation ? [capture, operation] : [capture],
    transaction: sampleTransfer({ state: 'captured', decided_by: 'Marta', decided_at: '2026-11-21T14:58:00.000Z' }),
    actions: ['retry', 'give_up_and_refund', 'pay_by_hand', 'resolve'],
    request: null,
    refutation: null,
    owed: '100.00',
    rest: '0.00',
    rest_share: '0.00',
    disputes: [],
    notes: [],
    ...changes,
  };
}

/** A request for tests: Marta wants to return the money. */
export function sampleRequest(changes: Partial<DeskRequestView> = {}): DeskRequestView {
  return {
    id: '0199b2d0-0000-4000-8000-0000000000e0',
    action: 'give_up_and_refund',
    reserved: false,
    reason: 'La familia ya no necesita el dinero.',
    amount: '100.00',
    currency: 'EUR',
    bank_reference: null,
    has_proof: false,
    account: null,
    requested_by: 'Marta Flores',
    requested_by_id: '0199b2d0-0000-4000-8000-0000000000f1',
    requested_at: '2026-11-21T16:00:00.000Z',
    decided_by: null,
    decided_at: null,
    outcome: null,
    ...changes,
  };
}
