import { dayMs } from './time.ts';

/*
 * National holidays of Bolivia, on which banks do not work. Supreme Decree 2750 of 2016-05-01 lists them, with Supreme
 * Decree 405 of 2010 for 22 January; holidays of single departments are not counted.
 */

/** On the same day every year, as "MM-DD". One that falls on a Sunday is kept on the Monday after it. */
const fixed = ['01-01', '01-22', '05-01', '06-21', '08-06', '11-02', '12-25'] as const;

/** Days from Easter Sunday: Carnival Monday and Tuesday, Good Friday, Corpus Christi. */
const fromEaster = [-48, -47, -2, 60] as const;

/**
 * Changes by government decree for one year, usually announced a few weeks ahead. Extend it when a new decree is
 * published. 2025: the bicentenary and the day after Christmas. 2026: the day after New Year, and Supreme Decree 5521
 * of 2026-01-13.
 */
const decreed: Readonly<Record<number, { added: readonly string[]; removed: readonly string[] }>> = {
  2025: { added: ['2025-08-07', '2025-12-26'], removed: [] },
  2026: { added: ['2026-01-02', '2026-01-23', '2026-06-05', '2026-08-07'], removed: ['2026-01-22'] },
};

/** Every quote asks for those of its year. */
const known = new Map<number, readonly string[]>();

/** The national holidays of a year as "YYYY-MM-DD", in order. */
export function bolivianHolidays(year: number): readonly string[] {
  const holidays = known.get(year) ?? findHolidays(year);
  known.set(year, holidays);
  return holidays;
}

function findHolidays(year: number): readonly string[] {
  const { added = [], removed = [] } = decreed[year] ?? {};
  const easter = easterOf(year);
  const days = [
    ...fixed.map((day) => observed(`${year}-${day}`)),
    ...fromEaster.map((days) => isoDay(easter + days * dayMs)),
    ...added,
  ];
  return days.filter((day) => !removed.includes(day)).sort();
}

function observed(day: string): string {
  const at = Date.parse(day);
  return new Date(at).getUTCDay() === 0 ? isoDay(at + dayMs) : day;
}

/** Easter Sunday at midnight UTC, by the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
export function easterOf(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const lunarCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - lunarCorrection + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1);
}

function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
