import { afterEach, expect, it, vi } from 'vitest';
import { ageText } from './dates.ts';

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
