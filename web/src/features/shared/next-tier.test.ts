import { expect, test } from 'vitest';
import type { DashboardView } from '#core/contracts/http/transfers';
import { limitAbove } from './next-tier.ts';

const summary: DashboardView = {
  ...{ tier: 'email', totalSent: '600.00', recipientCount: 1, transferCount: 2 },
  ...{ dayLimit: '1000.00', dayLeft: '400.00', monthLimit: '2000.00', balance: '1400.00' },
  tiers: [
    { tier: 'email', payment: '1000.00', day: '1000.00', month: '2000.00' },
    { tier: 'identity', payment: '2000.00', day: '2000.00', month: '2000.00' },
    { tier: 'document', payment: '3000.00', day: '5000.00', month: '2000.00' },
  ],
};

test.each([
  [400_00n, summary, null],
  [400_01n, summary, { broken: 'day_limit_reached', most: '400.00', next: { tier: 'identity', limitUsd: '2000.00' } }],
  [1000_01n, summary, { broken: 'amount_too_large', most: '1000.00', next: { tier: 'identity', limitUsd: '2000.00' } }],
  [
    1400_01n,
    { ...summary, dayLeft: '1000.00', dayLimit: '1000.00', tier: 'document' } satisfies DashboardView,
    { broken: 'month_limit_reached', most: '1400.00', next: null },
  ],
])('%d cents are compared with every limit of the sender and what was sent before', (usdMinor, sender, expected) => {
  expect(limitAbove(usdMinor, sender)).toEqual(expected);
});
