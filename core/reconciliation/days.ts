import { dayMs } from '../time/time.ts';

/** A calendar day some days later, or earlier. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
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
