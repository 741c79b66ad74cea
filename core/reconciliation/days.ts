import { dayMs } from '../time/time.ts';
import { holidaysOf } from '../transfers/holidays.ts';

/** A calendar day some days later, or earlier. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** Whether Bolivian banks work on a day. */
export function isWorkingDay(day: string): boolean {
  const weekday = new Date(Date.parse(day)).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidaysOf(Number(day.slice(0, 4))).includes(day);
}

/** The first day after this one on which banks work. */
export function nextWorkingDay(day: string): string {
  const next = shiftDay(day, 1);
  return isWorkingDay(next) ? next : nextWorkingDay(next);
}

/** The moment a day begins in La Paz. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T04:00:00.000Z`);
}

/** All days from one to another, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = shiftDay(day, 1)) days.push(day);
  return days;
}
