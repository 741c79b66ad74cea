/** Dates as a person in Bolivia reads them, in the zone of whoever is reading. */
const day = new Intl.DateTimeFormat('es-BO', { day: 'numeric', month: 'short', year: 'numeric' });
const moment = new Intl.DateTimeFormat('es-BO', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const longDay = new Intl.DateTimeFormat('es-BO', { weekday: 'long', day: 'numeric', month: 'long' });
const time = new Intl.DateTimeFormat('es-BO', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** "21 nov 2026" */
export const formatDay = (iso: string) => day.format(new Date(iso));
/** "21 nov, 15:30" */
export const formatMoment = (iso: string) => moment.format(new Date(iso));
/** "lunes, 23 de noviembre" */
export const formatLongDay = (iso: string) => longDay.format(new Date(iso));
/** "15:30" */
export const formatTime = (iso: string) => time.format(new Date(iso));
