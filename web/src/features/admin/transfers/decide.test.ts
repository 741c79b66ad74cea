import { describe, expect, it } from 'vitest';
import { ApiFailure } from '../../../lib/http.ts';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { decidedMessage, transferIn } from './decide.ts';

describe('decidedMessage', () => {
  const decided = { decided_at: '2026-11-21T15:00:00.000Z', decided_by: 'Carla Arce' };

  it('a decision message says who decided what', () => {
    expect(decidedMessage(sampleTransfer({ ...decided, state: 'captured' }))).toBe(
      'Carla Arce ya aprobó esta transferencia.',
    );
    expect(decidedMessage(sampleTransfer({ ...decided, state: 'rejected' }))).toBe(
      'Carla Arce ya rechazó esta transferencia.',
    );
  });

  it('a decision message says when there is nothing to decide, and is none while there is', () => {
    expect(decidedMessage(sampleTransfer({ state: 'cancelled' }))).toContain('ya no espera');
    expect(decidedMessage(sampleTransfer())).toBeNull();
  });
});

describe('transferIn', () => {
  const refusal = (transaction: unknown) =>
    new ApiFailure(409, '', { code: 'already_decided', message: 'Ya decidida.', transaction });

  it('the transfer is read from the failure of a refused decision, and from no other failure', () => {
    const now = sampleTransfer({ id: '0199b2d0-0000-4000-8000-000000000001', recipient_id: null, state: 'approved' });
    expect(transferIn(refusal(now))).toEqual(now);
    expect(transferIn(refusal({ id: 1 }))).toBeNull();
    expect(transferIn(new Error('x'))).toBeNull();
  });
});
