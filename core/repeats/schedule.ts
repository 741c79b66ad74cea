import { dayMs, hourMs, laPazZone } from '../time/time.ts';

/** How often a transfer is repeated: on a day of each month, or every two weeks. */
export const rhythms = ['month', 'two_weeks'] as const;
export type Rhythm = (typeof rhythms)[number];

/** When reminders of a repeating transfer come. */
export interface Schedule {
  readonly every: Rhythm;
  /** Day of the month, 1 to 31; a shorter month has it on its last day. None every two weeks. */
  readonly day?: number | null | undefined;
  /** Full hour of the day in `zone`, 0 to 23. */
  readonly hour: number;
  /** IANA time zone. */
  readonly zone: string;
}

/** Default time of a reminder: banks in Bolivia are open, and it is daytime in Europe and America. */
export const usualHour = { hour: 9, zone: laPazZone } as const;

/** A day on which a reminder is due, "YYYY-MM-DD" in the schedule's zone, and its moment. */
export interface Occurrence {
  readonly day: string;
  readonly at: Date;
}

/** How far ahead the first of two-weekly reminders may lie, in days. */
export const farthestStartDays = 60;

/** Whether a text names a time zone. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** The first occurrence after a moment. Two-weekly ones count from `from` in steps of 14 days, also where it lies in the past. */
export function firstAfter(schedule: Schedule, moment: Date, from?: string): Occurrence {
  // The day before is early enough: no zone is a whole day behind another one's date.
  let day = schedule.every === 'month' ? monthDay(dayIn(schedule.zone, moment), schedule, -1) : (from ?? '');
  if (schedule.every === 'two_weeks') {
    const behind = Math.floor((moment.getTime() - occurrenceOn(schedule, day).at.getTime()) / (14 * dayMs));
    // One step less, because a daylight saving change may lie in between.
    if (behind > 1) day = shifted(day, 14 * (behind - 1));
  }
  for (;;) {
    const occurrence = occurrenceOn(schedule, day);
    if (occurrence.at > moment) return occurrence;
    day = dayAfter(schedule, day);
  }
}

/** The occurrence that follows that of a day. */
export const following = (schedule: Schedule, day: string): Occurrence =>
  occurrenceOn(schedule, dayAfter(schedule, day));

/**
 * The due occurrence at a moment, given the stored `next` one: the latest that has passed, so that a late run reminds
 * only once, and its successor. Null if none has passed.
 */
export function dueAt(
  schedule: Schedule,
  next: string,
  moment: Date,
): { readonly due: Occurrence; readonly next: Occurrence } | null {
  if (occurrenceOn(schedule, next).at > moment) return null;
  let due = occurrenceOn(schedule, next);
  for (;;) {
    const after = following(schedule, due.day);
    if (after.at > moment) return { due, next: after };
    due = after;
  }
}

function dayAfter(schedule: Schedule, day: string): string {
  return schedule.every === 'month' ? monthDay(day, schedule, 1) : shifted(day, 14);
}

/** The schedule's day in the month `months` after the month of `day`. */
function monthDay(day: string, schedule: Schedule, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return isoDay(Date.UTC(year, month - 1 + months, Math.min(schedule.day ?? 1, last)));
}

const shifted = (day: string, days: number): string => isoDay(Date.parse(`${day}T00:00:00Z`) + days * dayMs);

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The moment of the schedule's hour on a day. An hour that the clock leaves out on that day comes an hour later. */
function occurrenceOn({ zone, hour }: Schedule, day: string): Occurrence {
  const wanted = Date.parse(`${day}T00:00:00Z`) + hour * hourMs;
  // Of the two sides of a change of the clock, the earlier one has the larger offset where the hour comes twice.
  const candidates = [dayMs, -dayMs].map((shift) => wanted - offsetMs(zone, new Date(wanted + shift)));
  const exact = candidates.filter((at) => at + offsetMs(zone, new Date(at)) === wanted);
  return { day, at: new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)) };
}

/** The calendar day it is in a zone. */
export const dayIn = (zone: string, at: Date): string => isoDay(at.getTime() + offsetMs(zone, at));

/** How far a zone's clock is ahead of UTC at a moment, in ms. */
function offsetMs(zone: string, at: Date): number {
  const parts = formatterOf(zone).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(at.getTime() / 1000) * 1000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const formatter = new Intl.DateTimeFormat('en-US', {
    ...{ ...fields, hour: 'numeric', minute: 'numeric', second: 'numeric' },
    ...{ timeZone: zone, hourCycle: 'h23', calendar: 'gregory' },
  });
  formatters.set(zone, formatter);
  return formatter;
}
