import { expect, it } from 'vitest';
import { crossRateEnd } from './cross-rate.ts';

it.each([
  ['a Monday', '2026-11-16', '2026-11-20T00:00:00.000Z'],
  ['a Wednesday', '2026-11-18', '2026-11-24T00:00:00.000Z'],
  ['a Friday', '2026-11-20', '2026-11-26T00:00:00.000Z'],
  ['a Saturday, as a source without a date may give', '2026-11-21', '2026-11-26T00:00:00.000Z'],
  // Good Friday and Easter Monday pass without a fixing; Tuesday's comes in its afternoon.
  ['the Thursday before Easter', '2027-03-25', '2027-03-31T00:00:00.000Z'],
])('the EUR/USD fixing of %s is used until the end of the third weekday after it', (_name, day, end) => {
  expect(crossRateEnd(day).toISOString()).toBe(end);
});
