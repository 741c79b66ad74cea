import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { banks, payoutMethodOf, wallets } from '../recipients/banks.ts';
import { estimateDelivery } from './delivery.ts';

const hourMs = 3_600_000;
const moments = fc.date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true });
const weekdayInLaPaz = (moment: Date) =>
  new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'America/La_Paz' }).format(moment);

describe('to a bank', () => {
  test('money arrives on a business day of La Paz, one to three days later at the same hour', () => {
    fc.assert(
      fc.property(moments, (paidAt) => {
        const estimate = estimateDelivery(paidAt, 'bank');
        expect(['Sat', 'Sun']).not.toContain(weekdayInLaPaz(estimate));
        const days = (estimate.getTime() - paidAt.getTime()) / (24 * hourMs);
        expect([1, 2, 3]).toContain(days);
        // No business day was skipped on the way.
        for (let day = 1; day < days; day++) {
          expect(['Sat', 'Sun']).toContain(weekdayInLaPaz(new Date(paidAt.getTime() + day * 24 * hourMs)));
        }
      }),
    );
  });

  test.each([
    ['Thursday to Friday', '2026-11-19T15:00:00Z', '2026-11-20T15:00:00Z'],
    ['Friday to Monday', '2026-11-20T15:00:00Z', '2026-11-23T15:00:00Z'],
    ['Saturday to Monday', '2026-11-21T15:00:00Z', '2026-11-23T15:00:00Z'],
    ['Sunday to Monday', '2026-11-22T15:00:00Z', '2026-11-23T15:00:00Z'],
    ['Friday 01:00 UTC is still Thursday there', '2026-11-20T01:00:00Z', '2026-11-21T01:00:00Z'],
    ['Friday 03:59 UTC is still Thursday there', '2026-11-20T03:59:59Z', '2026-11-21T03:59:59Z'],
    ['Friday 04:00 UTC is Friday there', '2026-11-20T04:00:00Z', '2026-11-23T04:00:00Z'],
    ['Monday 03:00 UTC is still Sunday there', '2026-11-23T03:00:00Z', '2026-11-24T03:00:00Z'],
  ])('%s', (_, paidAt, estimate) => {
    expect(estimateDelivery(new Date(paidAt), 'bank').toISOString()).toBe(new Date(estimate).toISOString());
  });
});

test('to a wallet money arrives the next day, weekend or not', () => {
  fc.assert(
    fc.property(moments, (paidAt) => {
      expect(estimateDelivery(paidAt, 'wallet').getTime() - paidAt.getTime()).toBe(24 * hourMs);
    }),
  );
});

test('only a wallet of the list is a wallet', () => {
  expect(wallets.map(payoutMethodOf)).toEqual(['wallet']);
  expect(new Set([...banks, 'Un banco nuevo', ''].map(payoutMethodOf))).toEqual(new Set(['bank']));
});
