import { bolivianHolidays, easterOf } from './bolivian-holidays.ts';
import { dayMs, hourMs, laPazZone } from './time.ts';

/** A calendar of working days: its time zone, and its holidays in addition to Saturdays and Sundays. */
export interface BusinessCalendar {
  readonly zone: string;
  /** Holidays of a year, as "YYYY-MM-DD". */
  readonly holidaysOf: (year: number) => readonly string[];
}

/**
 * Working days in the United States: the federal holidays of 5 USC 6103(a), kept as the Federal Reserve Banks keep them. One on a Sunday is
 * kept on the Monday after it; one on a Saturday gives no other day off, which makes a deadline earlier, never later.
 */
export const unitedStatesDays: BusinessCalendar = {
  zone: 'America/New_York',
  holidaysOf: (year) =>
    [
      ...['01-01', '06-19', '07-04', '11-11', '12-25'].map((day) => afterSunday(`${year}-${day}`)),
      nthWeekday(year, { month: 1, weekday: 1, nth: 3 }),
      nthWeekday(year, { month: 2, weekday: 1, nth: 3 }),
      lastMonday(year, 5),
      nthWeekday(year, { month: 9, weekday: 1, nth: 1 }),
      nthWeekday(year, { month: 10, weekday: 1, nth: 2 }),
      nthWeekday(year, { month: 11, weekday: 4, nth: 4 }),
    ].sort(),
};

/**
 * Working days of payments in euro: TARGET is closed on these days and open on all others (the ECB's calendar of closing days). National holidays are not
 * counted, because those of no single member state are everybody's.
 */
export const euroDays: BusinessCalendar = {
  zone: 'Europe/Madrid',
  holidaysOf: (year) => {
    const easter = easterOf(year);
    return [
      `${year}-01-01`,
      ...[-2, 1].map((days) => isoDay(easter + days * dayMs)),
      ...[`${year}-05-01`, `${year}-12-25`, `${year}-12-26`],
    ].sort();
  },
};

/** Banking days in Bolivia. */
export const bolivianDays: BusinessCalendar = { zone: laPazZone, holidaysOf: bolivianHolidays };

/** Hour of the day, by the clock of the calendar's zone, at which a working day ends and with it every deadline of that day. */
const closingHour = 17;

/** Whether people work on a day ("YYYY-MM-DD") of a calendar. */
export function isBusinessDay(day: string, { holidaysOf }: BusinessCalendar): boolean {
  const weekday = new Date(day).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidaysOf(Number(day.slice(0, 4))).includes(day);
}

/** The first business day after a day ("YYYY-MM-DD"). */
export function nextBusinessDay(day: string, calendar: BusinessCalendar): string {
  const next = nextDay(day);
  return isBusinessDay(next, calendar) ? next : nextBusinessDay(next, calendar);
}

/** The end of the n-th working day after the day of a moment, which itself is not counted (Regulation 1182/71, article 3(1)). */
export function afterBusinessDays(from: Date, days: number, calendar: BusinessCalendar): Date {
  let day = dayIn(from, calendar.zone);
  for (let left = days; left > 0; ) {
    day = nextDay(day);
    if (isBusinessDay(day, calendar)) left -= 1;
  }
  return atHour(day, closingHour, calendar.zone);
}

/** The end of the n-th day after the day of a moment, whatever day of the week that is. */
export function afterDays(from: Date, days: number, { zone }: BusinessCalendar): Date {
  return atHour(isoDay(Date.parse(dayIn(from, zone)) + days * dayMs), closingHour, zone);
}

/** The end of the n-th day after the day of `from`, for deadlines that include the whole day. */
export function endOfDayAfter(from: Date, days: number, { zone }: BusinessCalendar): Date {
  return atHour(isoDay(Date.parse(dayIn(from, zone)) + (days + 1) * dayMs), 0, zone);
}

/** The day it is in a zone at a moment, "YYYY-MM-DD". */
export function dayIn(at: Date, zone: string): string {
  return isoDay(at.getTime() + aheadMs(at, zone));
}

/** The moment at which a zone's clock shows an hour of a day. */
function atHour(day: string, hour: number, zone: string): Date {
  const asUtc = Date.parse(day) + hour * hourMs;
  const guess = asUtc - aheadMs(new Date(asUtc), zone);
  // The clock may have changed between the two.
  return new Date(asUtc - aheadMs(new Date(guess), zone));
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** How far a zone's clock is ahead of UTC at a moment, in ms. */
function aheadMs(at: Date, timeZone: string): number {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const numbers = {
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    } as const;
    clock = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', year: 'numeric', ...numbers });
    clocks.set(timeZone, clock);
  }
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day, hour, minute, second } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at.getTime() / 1000) * 1000;
}

function nthWeekday(year: number, { month, weekday, nth }: { month: number; weekday: number; nth: number }): string {
  const first = Date.UTC(year, month - 1, 1);
  const offset = (7 + weekday - new Date(first).getUTCDay()) % 7;
  return isoDay(first + (offset + 7 * (nth - 1)) * dayMs);
}

function lastMonday(year: number, month: number): string {
  const last = Date.UTC(year, month, 0);
  return isoDay(last - ((new Date(last).getUTCDay() + 6) % 7) * dayMs);
}

function afterSunday(day: string): string {
  return new Date(day).getUTCDay() === 0 ? nextDay(day) : day;
}

function nextDay(day: string): string {
  return isoDay(Date.parse(day) + dayMs);
}

function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
