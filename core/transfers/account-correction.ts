import { dayMs } from '../time/time.ts';

/** Days after a payout failed on which its sender is reminded; the last reminder comes a day before the deadline. */
const reminderDays = [1, 3];

/**
 * The moment of the newest reminder that has come since a payout failed (`since`), or null: before the first one, and from the deadline
 * (`until`) on, when the money goes back. A sender hears of it at once when it fails, so that no reminder comes within the first half day.
 */
export function reminderDue({ since, until }: { since: Date; until: Date }, at: Date): Date | null {
  if (at >= until) return null;
  const moments = [...reminderDays.map((day) => since.getTime() + day * dayMs), until.getTime() - dayMs];
  const come = moments.filter((moment) => moment <= at.getTime() && moment >= since.getTime() + dayMs / 2);
  return come.length === 0 ? null : new Date(Math.max(...come));
}
