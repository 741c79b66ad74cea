import { t } from '@lingui/core/macro';
import { formats } from '#core/locale/format';
import type { Locale } from '#core/locale/locale';
import { laPazZone } from '#core/time/time';
import { language } from '../language.ts';

// Dates as people in Bolivia and in the United States write them. Moments are in the reader's zone, days of Bolivia in La Paz'.
type Options = Intl.DateTimeFormatOptions;
const tags: Readonly<Record<Locale, string>> = { es: 'es-BO', en: 'en-US' };

/** Formats by `options`, which English overrides by `english`, in the language that is shown. Made when first used: most pages need few. */
function formatter(options: Options, english: Options = {}): (moment: string) => string {
  const made: { [Shown in Locale]?: Intl.DateTimeFormat } = {};
  return (iso) => {
    const shown = language();
    made[shown] ??= new Intl.DateTimeFormat(tags[shown], { ...options, ...(shown === 'en' && english) });
    // As in core/locale/format.ts: a plain space before AM and PM.
    return made[shown].format(new Date(iso)).replaceAll('\u202f', ' ');
  };
}

const day: Options = { day: '2-digit', month: '2-digit', year: 'numeric' };
const clock: Options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const longDay: Options = { weekday: 'long', day: 'numeric', month: 'long' };
const named: Options = { day: 'numeric', month: 'short' };
const halfDays: Options = { hour: 'numeric', hourCycle: 'h12' };

/** "21/11/2026" or "Nov 21, 2026" */
export const formatDay = formatter(day, named);
/** "21/11/2026, 15:30" or "Nov 21, 2026, 3:30 PM" */
export const formatMoment = formatter({ ...day, ...clock }, { ...named, ...halfDays });
/** "lunes, 23 de noviembre" or "Monday, November 23": the day on which something happens in Bolivia, whatever the time zone of the browser. */
export const formatLongDay = (iso: string): string => formats[language()].day(iso);
/** "21 de noviembre" or "November 21" */
export const formatDayAndMonth = formatter({ day: 'numeric', month: 'long' });
/** "15:30" or "3:30 PM" */
export const formatTime = formatter(clock, halfDays);

const inLaPaz: Options = { timeZone: laPazZone };
/** As `formatDay`, the day in Bolivia. */
export const formatLaPazDay = formatter({ ...day, ...inLaPaz }, named);
/** As `formatMoment`, by Bolivia's clock. */
export const formatLaPazMoment = formatter({ ...day, ...clock, ...inLaPaz }, { ...named, ...halfDays });
/** As `formatTime`, by Bolivia's clock. */
export const formatLaPazTime = formatter({ ...clock, ...inLaPaz }, halfDays);

/** A day without an hour ("2026-11-21") is the same day for every reader: "21/11/2026" or "Nov 21, 2026". */
export const formatCalendarDay = formatter({ ...day, timeZone: 'UTC' }, named);
/** "21 nov" or "Nov 21", from a day without an hour. */
export const formatShortCalendarDay = formatter({ ...named, timeZone: 'UTC' });
/** "sábado, 21 de noviembre" or "Saturday, November 21", from a day without an hour. */
export const formatLongCalendarDay = formatter({ ...longDay, timeZone: 'UTC' });
const calendarMonth = formatter({ month: 'short', timeZone: 'UTC' });
/** "nov" or "Nov", and "ene 2026" where a year begins, from a day without an hour. */
export const formatCalendarMonth = (day: string) =>
  calendarMonth(day) + (day.slice(5, 7) === '01' ? ` ${day.slice(0, 4)}` : '');

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** "hace un momento", "hace 12 min", "hace 5 h", "hace 3 d": how long before `now` (ms) something was collected. */
export function ageText(iso: string, now: number): string {
  const ms = now - Date.parse(iso);
  if (ms < minuteMs) return t`hace un momento`;
  const minutes = Math.floor(ms / minuteMs);
  if (ms < hourMs) return t`hace ${minutes} min`;
  const hours = Math.floor(ms / hourMs);
  const days = Math.floor(hours / 24);
  return hours < 48 ? t`hace ${hours} h` : t`hace ${days} d`;
}

/** How long something still lasts, in units that are the same in both languages: "35 min", "26 h", "3 d 4 h"; empty from zero down. */
export function durationText(ms: number): string {
  if (ms <= 0) return '';
  if (ms < hourMs) return `${Math.max(1, Math.floor(ms / minuteMs))} min`;
  const hours = Math.floor(ms / hourMs);
  if (hours < 48) return `${hours} h`;
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** The zone every time on the admin's screens is in, as it is written beside them: "hora de La Paz". */
export const zoneName = () => t`hora de La Paz`;

/** "21/11/2026, 14:05 (hora de La Paz)" from an ISO time. Where the zone stands nearby (a column's head): `formatLaPazMoment`. */
export const laPazTime = (iso: string) => `${formatLaPazMoment(iso)} (${zoneName()})`;

/** What a `datetime-local` field holds ("2026-11-22T08:00"), read as a time in La Paz: ISO in UTC, or null when it is none. */
export function fromLaPazField(value: string): string | null {
  // Browsers read much else as some date or other.
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value)) return null;
  // Bolivia has kept UTC−4 without summer time since 1932.
  const time = new Date(`${value}:00-04:00`);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The other way: a time in ms as a `datetime-local` field shows it in La Paz. */
export function toLaPazField(ms: number): string {
  return new Date(ms - 4 * 3_600_000).toISOString().slice(0, 16);
}

const hourOfDay = formatter({ ...clock, timeZone: 'UTC' }, halfDays);
/** An hour of the day, 0 to 24: "18:00" or "6:00 PM". */
export const formatHour = (hour: number): string => hourOfDay(new Date(Date.UTC(2026, 0, 1, hour)).toISOString());
