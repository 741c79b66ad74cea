import { expect, it } from 'vitest';
import { fromLaPazField, laPazTime, toLaPazField } from './la-paz-time.ts';

it('a date field is read and written in the time of La Paz, wherever the browser is', () => {
  expect(fromLaPazField('2026-11-22T08:00')).toBe('2026-11-22T12:00:00.000Z');
  expect(fromLaPazField('2026-11-22T23:30')).toBe('2026-11-23T03:30:00.000Z');
  expect(toLaPazField(Date.parse('2026-11-23T03:30:59.000Z'))).toBe('2026-11-22T23:30');
  expect(laPazTime('2026-11-23T03:30:00.000Z')).toBe('22/11/2026, 23:30 (hora de La Paz)');
});

it.each(['', 'x', '2026-11-22', '2026-13-40T08:00'])('a date field that holds %o has no time', (value) => {
  expect(fromLaPazField(value)).toBeNull();
});
