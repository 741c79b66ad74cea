import { laPazZone } from '#core/time/time';

/** The zone every time on the admin's screens is in, as it is written beside them. */
export const zoneName = 'hora de La Paz';

const parts = new Intl.DateTimeFormat('es-BO', {
  timeZone: laPazZone,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "21/11/2026" and "14:05" in La Paz, from an ISO time. */
export function laPazParts(iso: string): { day: string; time: string } {
  const found = new Map(parts.formatToParts(new Date(iso)).map((part) => [part.type, part.value]));
  return {
    day: `${found.get('day')}/${found.get('month')}/${found.get('year')}`,
    time: `${found.get('hour')}:${found.get('minute')}`,
  };
}

/** "21/11/2026, 14:05" in La Paz. Write the zone once nearby (a column's head), or use `laPazTime`. */
export function laPazShort(iso: string): string {
  const { day, time } = laPazParts(iso);
  return `${day}, ${time}`;
}

/** "21/11/2026, 14:05 (hora de La Paz)" from an ISO time. */
export function laPazTime(iso: string): string {
  return `${laPazShort(iso)} (${zoneName})`;
}

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
