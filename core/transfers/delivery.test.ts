import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { banks, payoutMethodOf, wallets } from '../recipients/banks.ts';
import { bolivianHolidays } from '../time/bolivian-holidays.ts';
import { dayMs } from '../time/time.ts';
import { estimateDelivery, isPastEstimate } from './delivery.ts';

const moments = fc.date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true });
/** Whether it is a weekend or a holiday in La Paz. */
const isOff = (moment: Date) => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/La_Paz' }).format(moment);
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'America/La_Paz' }).format(moment);
  return weekday.startsWith('S') || bolivianHolidays(Number(day.slice(0, 4))).includes(day);
};

describe('to a bank', () => {
  test('money to a bank arrives on the next business day of La Paz, at the same hour', () => {
    fc.assert(
      fc.property(moments, (from) => {
        const estimate = estimateDelivery(from, 'bank');
        expect(isOff(estimate)).toBe(false);
        const days = (estimate.getTime() - from.getTime()) / dayMs;
        expect(Number.isInteger(days) && days >= 1).toBe(true);
        for (let day = 1; day < days; day++) expect(isOff(new Date(from.getTime() + day * dayMs))).toBe(true);
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
    ['Thursday over Christmas and the weekend to Monday', '2026-12-24T15:00:00Z', '2026-12-28T15:00:00Z'],
    ['Friday over Carnival to Wednesday', '2027-02-05T15:00:00Z', '2027-02-10T15:00:00Z'],
    ['Thursday over Good Friday to Monday', '2027-03-25T15:00:00Z', '2027-03-29T15:00:00Z'],
    ['New Year’s Eve to Monday, New Year being in the next year', '2026-12-31T15:00:00Z', '2027-01-04T15:00:00Z'],
    ['Christmas by UTC is still the day before there', '2026-12-24T02:00:00Z', '2026-12-25T02:00:00Z'],
    ['Monday 03:00 UTC is still Sunday there', '2026-11-23T03:00:00Z', '2026-11-24T03:00:00Z'],
  ])('money to a bank arrives on a business day of La Paz: %s', (_, from, estimate) => {
    expect(estimateDelivery(new Date(from), 'bank').toISOString()).toBe(new Date(estimate).toISOString());
  });
});

test('money to a wallet arrives the next day, weekend, holiday or not', () => {
  fc.assert(
    fc.property(moments, (from) => {
      expect(estimateDelivery(from, 'wallet').getTime() - from.getTime()).toBe(dayMs);
    }),
  );
});

test.each([
  ['at the estimated hour', '2026-11-24T15:00:00Z', false],
  ['in the last second of that day in La Paz', '2026-11-25T03:59:59Z', false],
  ['as the next day begins in La Paz', '2026-11-25T04:00:00Z', true],
])('a transfer that is expected on a day is late after that day: %s', (_, now, late) => {
  expect(isPastEstimate(new Date('2026-11-24T15:00:00Z'), new Date(now))).toBe(late);
});

test('only a wallet of the list is a wallet', () => {
  expect(wallets.map(payoutMethodOf)).toEqual(['wallet']);
  expect(new Set([...banks, 'Un banco nuevo', ''].map(payoutMethodOf))).toEqual(new Set(['bank']));
});
