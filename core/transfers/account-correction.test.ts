import { expect, test } from 'vitest';
import { dayMs, hourMs } from '../time/time.ts';
import { reminderDue } from './account-correction.ts';

const since = new Date('2026-11-20T15:00:00.000Z');
const after = (days: number) => new Date(since.getTime() + days * dayMs);

test.each([
  ['half a day', 0.5, null],
  ['a day', 1, 1],
  ['just under three days', 2.99, 1],
  ['three days', 3, 3],
  ['five days', 5, 3],
  ['six days, the last one', 6, 6],
  ['just under seven days', 6.99, 6],
  ['seven days, when the money goes back', 7, null],
])('the newest reminder of a deadline of seven days is, after %s, that of day (%s)', (_, days, reminder) => {
  expect(reminderDue({ since, until: after(7) }, after(days))).toEqual(reminder && after(reminder));
});

test('two account correction reminders of the same day are one', () => {
  expect(reminderDue({ since, until: after(4) }, after(3.5))).toEqual(after(3));
});

test('an account correction deadline of a day has no reminder but the first e-mail', () => {
  expect(reminderDue({ since, until: after(1) }, new Date(since.getTime() + hourMs))).toBeNull();
  expect(reminderDue({ since, until: after(1) }, new Date(after(1).getTime() - hourMs))).toBeNull();
});
