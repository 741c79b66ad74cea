import { laPazZone } from '#core/time/time';

// Dates as people in Bolivia write them. Moments are in the reader's zone, days of Bolivia in La Paz'.
const day = new Intl.DateTimeFormat('es-BO', { day: '2-digit', month: '2-digit', year: 'numeric' });
const moment = new Intl.DateTimeFormat('es-BO', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const fullMoment = new Intl.DateTimeFormat('es-BO', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});
const longDay = new Intl.DateTimeFormat('es-BO', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: laPazZone,
});
const time = new Intl.DateTimeFormat('es-BO', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

const calendarDay = new Intl.DateTimeFormat('es-BO', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  timeZone: 'UTC',
});
const shortCalendarDay = new Intl.DateTimeFormat('es-BO', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const longCalendarDay = new Intl.DateTimeFormat('es-BO', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
const calendarMonth = new Intl.DateTimeFormat('es-BO', { month: 'short', timeZone: 'UTC' });

/** "21/11/2026" */
export const formatDay = (iso: string) => day.format(new Date(iso));
/** "21/11/2026, 15:30" */
export const formatMoment = (iso: string) => moment.format(new Date(iso));
/** "21 de noviembre de 2026, 15:30 BOT", as documents say it. */
export const formatFullMoment = (iso: string) => fullMoment.format(new Date(iso));
/** "lunes, 23 de noviembre": the day on which something happens in Bolivia, whatever the time zone of the browser. */
export const formatLongDay = (iso: string) => longDay.format(new Date(iso));
/** "15:30" */
export const formatTime = (iso: string) => time.format(new Date(iso));

/** A day without an hour ("2026-11-21") is the same day for every reader: "21/11/2026". */
export const formatCalendarDay = (day: string) => calendarDay.format(new Date(day));
/** "21 nov", from a day without an hour. */
export const formatShortCalendarDay = (day: string) => shortCalendarDay.format(new Date(day));
/** "sábado, 21 de noviembre", from a day without an hour. */
export const formatLongCalendarDay = (day: string) => longCalendarDay.format(new Date(day));
/** "nov", and "ene 2026" where a year begins, from a day without an hour. */
export const formatCalendarMonth = (day: string) =>
  calendarMonth.format(new Date(day)) + (day.slice(5, 7) === '01' ? ` ${day.slice(0, 4)}` : '');

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** "hace un momento", "hace 12 min", "hace 5 h", "hace 3 d": how long before `now` (ms) something was collected. */
export function ageText(iso: string, now: number): string {
  const ms = now - Date.parse(iso);
  if (ms < minuteMs) return 'hace un momento';
  if (ms < hourMs) return `hace ${Math.floor(ms / minuteMs)} min`;
  const hours = Math.floor(ms / hourMs);
  return hours < 48 ? `hace ${hours} h` : `hace ${Math.floor(hours / 24)} d`;
}
