import { hourMs, laPazHour } from '../time/time.ts';

/** Hours of a quarter of the day. */
export const quarterHours = 6;

/** How far back payouts are measured. */
export const measuredDays = 30;

/** A bank of which fewer payouts are known says nothing about the next one. */
export const minMeasured = 10;

/** How long the payouts of one bank took, from the held card to the deposit. */
export interface ArrivalTime {
  readonly bank: string;
  /** 0 to 3: those paid for from midnight, 6, 12 or 18 o'clock in La Paz on; null: at any hour. */
  readonly quarter: number | null;
  /** How many were measured. */
  readonly count: number;
  /** Half of them took no longer. */
  readonly medianMinutes: number;
  /** Nine of ten took no longer. */
  readonly ninetiethMinutes: number;
}

/** The quarter of the day it is in La Paz, 0 to 3. */
export const quarterOf = (at: Date): number => Math.floor(laPazHour(at) / quarterHours);

/** What is known of a payment made at a moment to a bank: of its quarter of the day, else of all hours, else null. */
export function arrivalTimeFor(times: readonly ArrivalTime[], bank: string, at: Date): ArrivalTime | null {
  const known = times.filter((one) => one.bank === bank && one.count >= minMeasured);
  return (
    known.find(({ quarter }) => quarter === quarterOf(at)) ?? known.find(({ quarter }) => quarter === null) ?? null
  );
}

/** A length of time in the largest unit that says it well, rounded up: 95 minutes are 2 hours, 49 hours 3 days. */
export function roundedUp(minutes: number): { value: number; unit: 'minute' | 'hour' | 'day' } {
  if (minutes <= 60) return { value: Math.max(1, Math.ceil(minutes)), unit: 'minute' };
  const hours = Math.ceil((minutes * 60_000) / hourMs);
  return hours <= 48 ? { value: hours, unit: 'hour' } : { value: Math.ceil(hours / 24), unit: 'day' };
}
