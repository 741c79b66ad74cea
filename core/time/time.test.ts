import { expect, it } from 'vitest';
import { laPazDay, laPazZone } from './time.ts';

it('a day of La Paz begins at four in the morning UTC', () => {
  expect(laPazDay(new Date('2026-11-21T03:59:59.999Z'))).toBe('2026-11-20');
  expect(laPazDay(new Date('2026-11-21T04:00:00Z'))).toBe('2026-11-21');
});

it('La Paz is four hours behind UTC all year round, as in the time zone database', () => {
  const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: laPazZone });
  for (const month of ['01', '04', '07', '10']) {
    expect(hour.format(new Date(`2026-${month}-15T12:00:00Z`))).toBe('08');
  }
});
