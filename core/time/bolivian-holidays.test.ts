import { expect, test } from 'vitest';
import { bolivianHolidays } from './bolivian-holidays.ts';

test.each([
  [
    2026,
    '01-01 01-02 01-23 02-16 02-17 04-03 05-01 06-04 06-05 06-22 08-06 08-07 11-02 12-25',
    'the decrees of that year add days and move two',
  ],
  [2027, '01-01 01-22 02-08 02-09 03-26 05-01 05-27 06-21 08-06 11-02 12-25', 'no decree has changed it yet'],
  [
    2028,
    '01-01 01-22 02-28 02-29 04-14 05-01 06-15 06-21 08-07 11-02 12-25',
    '6 August is a Sunday, and Carnival Tuesday falls on the leap day',
  ],
])('the holidays of %i are %s: %s', (year, days) => {
  expect(bolivianHolidays(year)).toEqual(days.split(' ').map((day) => `${year}-${day}`));
});

// Easter Sundays of the U.S. Census Bureau's table; Good Friday is two days before.
test.each([
  [2029, '03-30'],
  [2030, '04-19'],
  [2035, '03-23'],
  [2038, '04-23'],
  [2049, '04-16'],
])('Good Friday of %i is %s', (year, day) => {
  expect(bolivianHolidays(year)).toContain(`${year}-${day}`);
});
