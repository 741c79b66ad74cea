import { expect, test } from 'vitest';
import type { RateManagementView } from '#core/contracts/http/admin-rates';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { sampleRate } from '../../../testing/sample-rates.ts';
import { asApprovedNow } from './better-rate.ts';

const deskAt = (rate: string, changes: { paused?: boolean; reference?: string | null } = {}) => {
  const { paused = false, reference = '13.60' } = changes;
  const EUR = {
    inForce: { ...sampleRate('EUR'), rate, paused },
    reference: reference === null ? null : { rate: reference, sources: [] },
  };
  return { currencies: { EUR, USD: EUR } } as unknown as RateManagementView;
};
const promised = sampleTransfer({ takes_better_rate: true });

test('what waits for a decision is shown as its approval would make it now, with what was accepted and the margin of now', () => {
  expect(asApprovedNow(promised, deskAt('13.50'))).toEqual({
    ...promised,
    ...{ rate: '13.50', amount_bs: '1302.75', accepted: { rate: '13.38', bolivianos: '1291.17' } },
    ...{ markup_percent: '0.73', margin: '0.70' },
  });
  expect(asApprovedNow(promised, deskAt('13.50', { reference: '13.40' }))).toMatchObject({ margin: '-0.72' });
  expect(asApprovedNow(promised, deskAt('13.50', { reference: null }))).toMatchObject({ margin: null });
});

test.each([
  ['not promised', sampleTransfer(), deskAt('13.50')],
  ['worse now', promised, deskAt('13.20')],
  ['stale', promised, deskAt('13.50', { paused: true })],
  ['not known yet', promised, undefined],
  ['of a transfer that was decided', { ...promised, state: 'approved' as const }, deskAt('13.50')],
])('a rate that is %s changes nothing', (_, transfer, desk) => {
  expect(asApprovedNow(transfer, desk)).toBe(transfer);
});
