import { afterEach, expect, it, test, vi } from 'vitest';
import { showLanguage } from '../language.ts';
import {
  ageText,
  formatCalendarDay,
  formatDay,
  formatLongCalendarDay,
  formatLongDay,
  formatMoment,
  formatShortCalendarDay,
  formatTime,
  fromLaPazField,
  laPazTime,
  toLaPazField,
} from './dates.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');

it.each([
  ['2026-11-21T12:00:30.000Z', 'hace un momento'],
  ['2026-11-21T11:59:00.001Z', 'hace un momento'],
  ['2026-11-21T11:59:00.000Z', 'hace 1 min'],
  ['2026-11-21T11:48:00.000Z', 'hace 12 min'],
  ['2026-11-21T11:00:00.001Z', 'hace 59 min'],
  ['2026-11-21T11:00:00.000Z', 'hace 1 h'],
  ['2026-11-19T12:00:00.001Z', 'hace 47 h'],
  ['2026-11-19T12:00:00.000Z', 'hace 2 d'],
])('what was collected at %s was collected %s', (iso, text) => {
  expect(ageText(iso, now)).toBe(text);
});

test('dates are written as readers of English in the United States expect them', () => {
  showLanguage('en');
  const moment = new Date(2026, 10, 21, 15, 5).toISOString();
  expect([formatDay(moment), formatTime(moment)]).toEqual(['Nov 21, 2026', '3:05 PM']);
  expect(formatMoment(moment)).toBe('Nov 21, 2026, 3:05 PM');
  expect(formatLongDay('2026-11-24T03:30:00.000Z')).toBe('Monday, November 23');
  const day = '2026-11-21';
  expect([formatCalendarDay(day), formatShortCalendarDay(day)]).toEqual(['Nov 21, 2026', 'Nov 21']);
  expect(formatLongCalendarDay(day)).toBe('Saturday, November 21');
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

it.each(['Europe/Madrid', 'America/La_Paz', 'America/Los_Angeles'])(
  'the day of arrival is the day in Bolivia for a reader in %s',
  async (zone) => {
    vi.stubEnv('TZ', zone);
    vi.resetModules();
    const { formatLongDay } = await import('./dates.ts');
    expect(formatLongDay('2026-11-23T05:00:00.000Z')).toBe('lunes, 23 de noviembre');
    expect(formatLongDay('2026-11-24T03:30:00.000Z')).toBe('lunes, 23 de noviembre');
  },
);

it('a date field is read and written in the time of La Paz, wherever the browser is', () => {
  expect(fromLaPazField('2026-11-22T08:00')).toBe('2026-11-22T12:00:00.000Z');
  expect(fromLaPazField('2026-11-22T23:30')).toBe('2026-11-23T03:30:00.000Z');
  expect(toLaPazField(Date.parse('2026-11-23T03:30:59.000Z'))).toBe('2026-11-22T23:30');
  expect(laPazTime('2026-11-23T03:30:00.000Z')).toBe('22/11/2026, 23:30 (hora de La Paz)');
});

it.each(['', 'x', '2026-11-22', '2026-13-40T08:00'])('a date field that holds %o has no time', (value) => {
  expect(fromLaPazField(value)).toBeNull();
});
