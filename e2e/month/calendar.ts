import { shiftDay } from '#core/reconciliation/days';
import { bolivianDays, isBusinessDay } from '#core/time/business-days';

/** The first day of the month: thirty days from here hold one holiday of Bolivia, Christmas, which is a Friday. */
export const firstDay = '2026-12-01';
const dayCount = 30;
export const monthDays: readonly string[] = Array.from({ length: dayCount }, (_, index) => shiftDay(firstDay, index));

/** Days on which the bank books nothing: weekends and holidays, until the statements of the month are complete. */
export const bankHolidays: readonly string[] = Array.from({ length: dayCount + 7 }, (_, index) =>
  shiftDay(firstDay, index),
).filter((day) => !isBusinessDay(day, bolivianDays));

/** A time at which people work; between two sessions only scheduled work happens. */
export interface Session {
  readonly number: number;
  readonly day: string;
  readonly at: Date;
  /** New transfers are made in the morning and in the evening; refunds are on their way over midnight between the two others. */
  readonly kind: 'morning' | 'evening' | 'before_midnight' | 'after_midnight';
}

/** Days of the month that end with refunds under way; their numbers count from 0. */
const lateDays: readonly number[] = [3, 13, 21];

/** All sessions of the month. Each day begins a minute later than the one before, so that what lasts whole days has always ended. */
export const sessions: readonly Session[] = monthDays
  .flatMap((day, number): Omit<Session, 'number'>[] => {
    const at = (hour: number, minute: number) =>
      new Date(Date.parse(`${day}T00:00:00-04:00`) + (hour * 60 + minute) * 60_000);
    return [
      ...(lateDays.includes(number - 1) ? [{ day, at: at(0, 20), kind: 'after_midnight' } as const] : []),
      { day, at: at(9, 5 + number), kind: 'morning' },
      { day, at: at(17, 5 + number), kind: 'evening' },
      ...(lateDays.includes(number) ? [{ day, at: at(23, 40), kind: 'before_midnight' } as const] : []),
    ];
  })
  .map((session, number) => ({ ...session, number }));

/** When the books of the month are closed: a working day whose statements and movements leave nothing of the month open. */
export const closingAt = new Date('2027-01-06T12:00:00-04:00');
