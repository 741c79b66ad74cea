import { expect, it } from 'vitest';
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
