import { describe, expect, test } from 'vitest';
import { afterBusinessDays, afterDays, dayIn, endOfDayAfter, euroDays, unitedStatesDays } from './business-days.ts';

// The Federal Reserve's and the ECB's own lists of these years.
test.each([
  [2026, '01-01 01-19 02-16 05-25 06-19 07-04 09-07 10-12 11-11 11-26 12-25', 'Independence Day is a Saturday'],
  [2027, '01-01 01-18 02-15 05-31 06-19 07-05 09-06 10-11 11-11 11-25 12-25', 'Independence Day is a Sunday'],
])('the federal holidays of %i are %s: %s', (year, days) => {
  expect(unitedStatesDays.holidaysOf(year)).toEqual(days.split(' ').map((day) => `${year}-${day}`));
});

test.each([
  [2026, '01-01 04-03 04-06 05-01 12-25 12-26'],
  [2027, '01-01 03-26 03-29 05-01 12-25 12-26'],
])('TARGET is closed in %i on %s', (year, days) => {
  expect(euroDays.holidaysOf(year)).toEqual(days.split(' ').map((day) => `${year}-${day}`));
});

describe('the end of the n-th working day', () => {
  test.each([
    ['three days from a Monday', unitedStatesDays, '2026-11-16T15:00:00Z', 3, '2026-11-19T22:00:00Z'],
    ['Thanksgiving and a weekend lie between', unitedStatesDays, '2026-11-25T15:00:00Z', 2, '2026-11-30T22:00:00Z'],
    [
      'late on Friday in New York it is Saturday in UTC',
      unitedStatesDays,
      '2026-11-14T03:00:00Z',
      1,
      '2026-11-16T22:00:00Z',
    ],
    ['on a Sunday', unitedStatesDays, '2026-11-15T15:00:00Z', 1, '2026-11-16T22:00:00Z'],
    [
      'summer time begins in New York on 8 March 2026',
      unitedStatesDays,
      '2026-03-06T15:00:00Z',
      1,
      '2026-03-09T21:00:00Z',
    ],
    [
      'summer time ends in New York on 1 November 2026',
      unitedStatesDays,
      '2026-10-30T15:00:00Z',
      1,
      '2026-11-02T22:00:00Z',
    ],
    ['summer time ends in Madrid on 25 October 2026', euroDays, '2026-10-23T09:00:00Z', 1, '2026-10-26T16:00:00Z'],
    ['summer time begins in Madrid on 29 March 2026', euroDays, '2026-03-27T09:00:00Z', 1, '2026-03-30T15:00:00Z'],
    ['midnight in Madrid is before midnight in UTC', euroDays, '2026-11-15T23:00:00Z', 1, '2026-11-17T16:00:00Z'],
    ['Easter from Thursday on', euroDays, '2026-04-02T09:00:00Z', 1, '2026-04-07T15:00:00Z'],
    ['fifteen days over Christmas and New Year', euroDays, '2026-12-14T09:00:00Z', 15, '2027-01-06T16:00:00Z'],
    ['thirty-five days over the same', euroDays, '2026-12-14T09:00:00Z', 35, '2027-02-03T16:00:00Z'],
    [
      'a holiday of the United States is a working day in Europe',
      euroDays,
      '2026-11-25T09:00:00Z',
      1,
      '2026-11-26T16:00:00Z',
    ],
  ])('%s', (_, calendar, from, days, end) => {
    expect(afterBusinessDays(new Date(from), days, calendar).toISOString()).toBe(end.replace('Z', '.000Z'));
  });
});

test('days that are not only working days are counted by the clock of the place, over a change of the clock', () => {
  const from = new Date('2026-08-24T03:30:00Z');
  expect(dayIn(from, unitedStatesDays.zone)).toBe('2026-08-23');
  expect(afterDays(from, 90, unitedStatesDays).toISOString()).toBe('2026-11-21T22:00:00.000Z');
  expect(endOfDayAfter(from, 90, unitedStatesDays).toISOString()).toBe('2026-11-22T05:00:00.000Z');
});
